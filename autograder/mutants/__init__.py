"""Make wrong solutions out of right ones, each by one small change of the syntax tree.

Each family of changes is a file with a table of operators, which `making.py` applies to each node:

    axes, transposes, patterns   axes of softmax and reductions, of transposes, of einops and einsum
    scale, masks, terms          divisors and powers; triangles and fills; what is left out
    order, bounds                results, arguments and layers; indices, slices, ranges and sizes
    layers, state, tensors       bias, eps, variance; gradients and buffers; types and devices

An operator takes a `Place` and yields nodes to put there, each with a clause on what that does. A
mutant whose canonical form is that of its solution is none; `equivalents.py` reads the others that
are right.
"""
