"""Wrong solutions of attention_layer, as students write them."""

from autograder.misconceptions import Hint, Misconception

PAST_THE_CALL = Hint(
    look=(
        "The greeting comes out, so look at two other things: does `isinstance(TestModule(), "
        "nn.Module)` give True, and what is the name of the method that prints?"
    ),
    think=(
        "`nn.Module` brings a `__call__` of its own. It does PyTorch's bookkeeping and then calls "
        "the method that you write. What becomes of that when you write `__call__` yourself?"
    ),
    nearly=(
        "Check what stands in the parentheses behind the name of your class, and give your method "
        "the name that `nn.Module` is waiting for."
    ),
)

MODULE_NOT_PREPARED = Hint(
    look=(
        "Read the last line of the error. Does it come when the module is built or when it is "
        "called, and what does PyTorch say is not there yet?"
    ),
    think=(
        "`nn.Module` keeps tables of parameters, parts and hooks. They must exist before anybody "
        "uses them: who makes them, and when?"
    ),
    nearly=(
        "Look at the first line of your `__init__`. The parent class has an `__init__` too, "
        "which nobody has called by the time of the error; `super` leads to it."
    ),
)

PRINTS_WHEN_BUILT = Hint(
    look=(
        "Put `module = TestModule()` in one cell and `module()` in the next. How often does the "
        "greeting appear under each?"
    ),
    think=(
        "`__init__` runs once, when the object is made; `forward` runs at every call. To which of "
        "the two does the greeting belong?"
    ),
    nearly=(
        "Look for everything in `__init__` that prints, also by calling the module itself. One "
        "print in one method is enough."
    ),
)

FORWARD_ARGUMENTS = Hint(
    look=(
        "Call your module with empty parentheses and read the last line of the error. How many "
        "arguments does `forward` want, and how many arrive?"
    ),
    think=(
        "When you call a method of an object, Python silently hands over the object as the first "
        "argument. After it comes only what you write in the parentheses, here nothing."
    ),
    nearly=(
        "Look at the parentheses behind `forward`, where it is defined: they need a name for the "
        "object itself, and no other."
    ),
)

NOT_A_PARAMETER = Hint(
    look=(
        "Print the names in `named_parameters()` of your module. The statement has two matrices "
        "and a linear layer; what is missing from your list?"
    ),
    think=(
        "Training changes what the module lists as its parameters, and nothing else. Is it enough "
        "for a tensor to hold numbers, or to be saved with the module?"
    ),
    nearly=(
        "Look at how the missing matrix is made in `__init__`. Which PyTorch class turns a tensor "
        "into a parameter when you assign it to `self`?"
    ),
)

ORDER_OF_RESULTS = Hint(
    look=(
        "Fill `W_q` with zeros (inside `torch.no_grad()`): which of your three results turns to "
        "0, the first, the second or the third? Then do the same with `W_k`."
    ),
    think=(
        "Whoever calls your module knows the three results only by their places. All-ones "
        "matrices make queries and keys equal, so not every exchange can be seen at once."
    ),
    nearly=(
        "The products may well be right. Compare the order in your last line, and the matrix in "
        "each product, with what the statement asks for."
    ),
)

WRONG_MATRIX = Hint(
    look=(
        "Fill `W_q` with zeros (inside `torch.no_grad()`) and see which results turn to 0. Fill "
        "it with ones again and do the same with `W_k`."
    ),
    think=(
        "What a token looks for and what it has to offer are two different things, so each has a "
        "matrix of its own. Does one of your two matrices change nothing at all?"
    ),
    nearly=(
        "In `forward`, compare the line of the queries with the line of the keys: which matrix "
        "does each of them use?"
    ),
)

VALUES_NOT_OF_X = Hint(
    look=(
        "Build the module with dim_h = dim_k = 3, so that all sizes fit. Fill `W_k` "
        "with zeros, then `W_q`. Do the values of different tokens still differ, "
        "both times?"
    ),
    think=(
        "A value is a third way of looking at the token itself. Should the matrix of "
        "the queries or of the keys have any say in it?"
    ),
    nearly=(
        "Look at the line that makes the values: what goes into it, and does the "
        "layer `value` do the work? All three products in the statement begin with "
        "the same thing."
    ),
)

SHAPE_OF_THE_MATRICES = Hint(
    look=(
        "Print the shapes of `W_q` and `W_k` in `QueryKeyValue(5, 3)`, and compare them with the "
        "statement. Which of the two numbers stands first?"
    ),
    think=(
        "In a product of matrices the columns of the left one meet the rows of the right one. "
        "`nn.Linear` keeps its weight the other way round, and has to transpose it; your two "
        "matrices should not need that."
    ),
    nearly=(
        "Look at the two sizes where you make the matrices, in the order in which you give them. "
        "Then look whether your products fit that shape as it is."
    ),
)

SIZES_EXCHANGED = Hint(
    look=(
        "Build your module with two different sizes, such as 5 and 3, and print it. What are "
        "`in_features` and `out_features` of its linear layers?"
    ),
    think=(
        "A token arrives with `dim_h` features. How many must the first layer that receives it "
        "expect?"
    ),
    nearly=(
        "In `__init__`, look at the order in which you take the two sizes and hand them over. "
        "What comes in stands first, what goes out second; check it for every layer that you "
        "make."
    ),
)

BIAS_MISSING = Hint(
    look=(
        "Print the names in `named_parameters()`. For which linear layers is there a weight, but "
        "no bias?"
    ),
    think=(
        "Without a bias a linear layer turns zeros into zeros, whatever it learns. The bias lets "
        "it give something else."
    ),
    nearly=(
        "Look at the arguments with which you make the linear layers. `nn.Linear` brings a bias "
        "along unless it is told not to."
    ),
)

NO_MATRIX_PRODUCT = Hint(
    look=(
        "Fill `W_q` of `QueryKeyValue(5, 3)` with zeros, then set the entry in row 0, column 1 "
        "to 1. By hand the query of `[1, 2, 3, 4, 5]` is `[0, 1, 0]`; what is yours? And the "
        "key, with the same `W_k`?"
    ),
    think=(
        "Each entry of a query is a sum over all features, and each feature is multiplied by its "
        "own number from one column of the matrix. Is it so in yours?"
    ),
    nearly=(
        "All-ones matrices can hide the difference. Look at the operation between `X` and the "
        "matrix in `forward`: products number by number, sums and means are no matrix product."
    ),
)

GRADIENT_CUT = Hint(
    look=(
        "Add up all results, call `backward()`, and print the `grad` of every parameter (in a "
        "module without parameters, of every input made with `requires_grad=True`). Which is "
        "None, or does PyTorch complain?"
    ),
    think=(
        "Training follows the gradient from the result back to every number that had a part in "
        "it. Where is this path interrupted?"
    ),
    nearly=(
        "The numbers are right. Look for what stops gradients: `detach`, `data`, `no_grad`, "
        "`requires_grad`, or a tensor made anew out of numbers. Is there a reason for it here?"
    ),
)

START_VALUES = Hint(
    look=(
        "Print the queries that a new `QueryKeyValue(5, 3)` gives for `[1, 2, 3, 4, 5]`. The "
        "statement says 15, three times."
    ),
    think="Which numbers must a matrix contain if the product is to be the sum of the features?",
    nearly=(
        "Print `W_q` and `W_k` of a new module, and look at what fills each of them in "
        "`__init__`. Are all their entries what the statement says?"
    ),
)

MADE_AT_EVERY_CALL = Hint(
    look="Print the names in `named_parameters()`. Which part of your module is missing there?",
    think=(
        "Training and saving know only what the module lists. Does it learn of a part that is "
        "made in `forward` and gone after the call, or of one that hides in a Python list or "
        "dictionary?"
    ),
    nearly=(
        "Find the place where the missing part is made. Is it in `__init__`, and is the part "
        "itself what you assign to `self`, under the name in the statement?"
    ),
)

OTHER_NAMES = Hint(
    look=(
        "Print the names in `named_parameters()` and `named_children()`. Compare them with the "
        "names in the statement, letter by letter."
    ),
    think=(
        "The computation may be right, but others find the parts of your module by name, for "
        "instance to load saved weights into it. What happens when they look for a name that is "
        "not there?"
    ),
    nearly=(
        "Look at the attributes that you set on `self` in `__init__`, and at the places in "
        "`forward` that use them. Which of them have a name of your own?"
    ),
)

DIMENSION_ADDED = Hint(
    look=(
        "Hand over a single sentence of shape (2, 5), with no batch around it. How many "
        "dimensions has the input, and how many has each result?"
    ),
    think=(
        "The dots in the shapes stand for whatever came in front, perhaps nothing. Whoever gives "
        "one sentence expects one sentence back."
    ),
    nearly=(
        "Look for the step that adds a dimension, such as `unsqueeze` or an index `None`. Does "
        "the matrix product need it to serve one sentence and a batch?"
    ),
)

BATCH_ONLY = Hint(
    look=(
        "Try a batch (three dimensions) and then a single sentence (two). Which of them fails, "
        "and which line does the error name?"
    ),
    think=(
        "The dots in the shapes stand for any number of dimensions in front, also for none. Which "
        "of your steps relies on there being exactly one?"
    ),
    nearly=(
        "Look for a step that names every dimension, accepts three only, walks along the first "
        "one or counts from the front. Counting from the end and the ordinary matrix product "
        "serve all cases."
    ),
)

DIMENSION_LOST = Hint(
    look=(
        "Give a sentence that has a single token, of shape (1, 5). How many dimensions do you get "
        "back?"
    ),
    think=(
        "A sentence with one token is still a sentence, and a batch of one is still a batch. May "
        "a dimension vanish because its size is 1?"
    ),
    nearly=(
        "Look for `squeeze`, or an index that drops a dimension: it may remove any that is of "
        "size 1, whatever it stands for. Is there one that you need to get rid of?"
    ),
)

WRONG_FACTOR = Hint(
    look=(
        "Take the worked example and print the numbers that go into the softmax. In the statement "
        "they are 1 and 0; what are yours?"
    ),
    think=(
        "The scores 2 and 0 have become 1 and 0 there, for a query with 4 numbers. What was done "
        "to them, and does your code do the same to them?"
    ),
    nearly=(
        "Look at the step between the scores and the softmax. Check three things: is the size of "
        "a query made smaller by a root, is anything else under that root, and are the scores "
        "divided by it?"
    ),
)

ROOT_OF_ANOTHER_SIZE = Hint(
    look=(
        "Take the worked example. Then hand over its query twice, then its keys and values "
        "twice, then values of two numbers, `[10, 10]` and `[0, 0]`. Does the first number of "
        "the output always stay the same?"
    ),
    think=(
        "A dot product grows with the number of its terms, and the root undoes that. How many "
        "terms has the dot product of one query and one key?"
    ),
    nearly=(
        "Look at the size under your root: from which tensor do you read it, and from which of "
        "its dimensions? Neither the number of queries or keys nor the size of a value should "
        "matter."
    ),
)

COUNTED_FROM_THE_FRONT = Hint(
    look=(
        "Compute one sentence with 2 queries of size 4, then a batch of two copies of it. Does "
        "each copy give what the sentence gives alone, or is there an error?"
    ),
    think=(
        "A batch puts a new dimension in front, and all numbers that count from the front now "
        "mean something else. Which of your steps means the last dimension, or the last two, but "
        "does not say so?"
    ),
    nearly=(
        "Look at the index that you give to `shape` and at the way you transpose the keys (`.T` "
        "turns around all dimensions). Count from the end."
    ),
)

SOFTMAX_WRONG_DIMENSION = Hint(
    look=(
        "Take a batch of 3 sequences with 2 queries and 6 keys each, and add up the weights along "
        "each of their three dimensions in turn. Which sums are 1?"
    ),
    think=(
        "A query has one whole to give away, and shares it out among the keys. So what should add "
        "up to 1: the shares of all keys for one query, or something else?"
    ),
    nearly=(
        "Look at the `dim` of your softmax, or of the sum that you divide by, or whether you "
        "give one at all. The keys lie along the last dimension; does your number still mean "
        "that one when a batch comes in front?"
    ),
)

ROWS_AND_COLUMNS = Hint(
    look=(
        "Take 1 query and 2 keys, and print the shape of your weights as they enter the last "
        "product. Which of the two numbers counts the queries?"
    ),
    think=(
        "There should be a row for each query and in it a number for each key, since the values, "
        "one for each key, are mixed by the numbers of a row. Is that so in yours?"
    ),
    nearly=(
        "Find the place where rows and columns change over: in the order of the two factors of "
        "the scores, or in a transpose before the values. Only the keys need a transpose."
    ),
)

VALUES_UNUSED = Hint(
    look=(
        "Multiply all values by 100 and call your module again. Does the output change? And has "
        "it the shape that the statement gives?"
    ),
    think="Query and key settle how much a query takes from each token. What is it that it takes?",
    nearly=(
        "Look at your last line: is there a product of the weights with something, and with what? "
        "One of the three inputs has not been used so far."
    ),
)

SOFTMAX_BY_HAND = Hint(
    look=(
        "Hand over two queries, one of them 1000 times as long as the other. Is every number in "
        "your output finite?"
    ),
    think=(
        "In float32, exp(89) is already infinite and exp(-110) is 0. One number may be subtracted "
        "from all scores of a query without changing its shares: which one, and may it be the "
        "same for all queries?"
    ),
    nearly=(
        "Look at the `exp` in your code. PyTorch has a softmax that takes care of this, for each "
        "row by itself."
    ),
)

INPUT_CHANGED = Hint(
    look=(
        "Keep a `clone()` of every input, call your module, and compare. Which input is not what "
        "it was before?"
    ),
    think=(
        "What you are given still belongs to the caller, who may need it again. Does your step "
        "make a new tensor, or does it write into the old one?"
    ),
    nearly=(
        "Look for `+=`, `*=` or `/=` on a tensor that came in as an argument, and for methods "
        "whose name ends with an underscore: they write into its memory. The same sum or "
        "quotient can be a new tensor with a name of its own."
    ),
)

NO_SHARES = Hint(
    look=(
        "Take some random queries and keys, and print the numbers by which your values are "
        "multiplied. Are some negative? Does each row add up to 1?"
    ),
    think=(
        "An average needs weights that are positive and add up to 1. Which step turns any scores "
        "into such weights?"
    ),
    nearly=(
        "Look between the scaled scores and the product with the values: is the function that the "
        "statement names there, and exactly that one, not a relative of it?"
    ),
)

DROPOUT = Hint(
    look="Call your module twice with the same input. Are the two results equal?",
    think=(
        "The statement describes a computation without chance: the same input gives the same "
        "output. Which of your steps throws dice?"
    ),
    nearly=(
        "Look for a dropout in `forward`. It helps in training large networks, but does this "
        "exercise ask for one?"
    ),
)

HANDED_OVER_IN_DISORDER = Hint(
    look=(
        "Print Q, K and V inside your `ScaledDotProduct` for some random input. Fill `W_q` with "
        "zeros: which of the three is 0? Fill it with ones again and try `W_k`."
    ),
    think=(
        "The modules know queries, keys and values only by their places. All-ones matrices can "
        "hide an exchange, since queries and keys are then equal."
    ),
    nearly=(
        "Compare two lists with each other: the order in which the three come out of "
        "`QueryKeyValue`, and the order in which `ScaledDotProduct` takes them. Where do yours "
        "differ from that?"
    ),
)

PROJECTION_UNUSED = Hint(
    look=(
        "Add up all numbers of your result, call `backward()`, and print the `grad` of every "
        "parameter. Which of them is None?"
    ),
    think=(
        "A parameter without a gradient had no part in the result. Did it belong to the queries, "
        "to the keys or to the values?"
    ),
    nearly=(
        "Look at the three things that you hand to `scaled_dot_product`. Which of the three "
        "results of `qkv_mechanism` is not among them, and what stands at its place?"
    ),
)

EXTRA_SKIP = Hint(
    look=(
        "Set all parameters of your module to 0 (for a head, choose dim_k = dim_h) and put in "
        "some tokens. What comes out? Do you know these numbers?"
    ),
    think=(
        "With all parameters 0 this module should have nothing to say. Whose task is it to add "
        "the input back: this module's, or the whole layer's in the last exercise?"
    ),
    nearly="Look at the end of `forward`: what is added to the result there?",
)

MORE_THAN_ONE_PASS = Hint(
    look=(
        "With the input `X / 20`, call the `qkv_mechanism` of your head and then a "
        "`ScaledDotProduct` by hand. Does your head give the same?"
    ),
    think=(
        "A head does two things, once each: it projects, and it attends. The scaling is part of "
        "attending already. What else does yours do?"
    ),
    nearly=(
        "Look at what happens to queries and keys before they are handed over, and to the result "
        "afterwards. Is anything there that the statement does not mention?"
    ),
)

ACTIVATION_OUT_OF_PLACE = Hint(
    look=(
        "Take dim_h = dim_expanded = 1, biases 0, first weight 2, second weight -1, and put in "
        "0.5. The result should be -0.8413. Which number arrives at your activation, and what "
        "happens to it afterwards?"
    ),
    think=(
        "The bend belongs where the features are wide: after they have been widened and before "
        "they are narrowed. How often do you bend, and where?"
    ),
    nearly=(
        "Write down the steps of your `forward` in their order. Where does `activation` stand "
        "among the two layers, and does it stand there exactly once?"
    ),
)

OTHER_ACTIVATION = Hint(
    look=(
        "With dim_h = dim_expanded = 1, weights 1 and biases 0, put in 1 and -1. The exact GELU "
        "gives 0.84134 and -0.15866; what does your layer give, to five digits?"
    ),
    think=(
        "ReLU, SiLU, softmax and the approximations of GELU are all used in networks, but each is "
        "a function of its own. Which one does the statement ask for?"
    ),
    nearly=(
        "Look at what you use as `activation`: at its name, and at any argument or formula of "
        "your own that makes it another function."
    ),
)

WIDTH_IGNORED = Hint(
    look=(
        "Build your layer with dim_h = 5 and dim_expanded = 7 and print the shapes of its "
        "parameters. Where in the feed-forward part do you find the 7?"
    ),
    think=(
        "How wide the features become is up to the person who builds the layer. Who decides it in "
        "yours?"
    ),
    nearly=(
        "Follow `dim_expanded` from the arguments of `__init__` to the places where sizes are "
        "handed over. Where does another number take its place?"
    ),
)

MAIN_PATH_NORMALISED = Hint(
    look=(
        "Set all parameters of `aggregation_step` and of `ffl.secondlayer` to 0. The layer should "
        "return its input. What is the mean of each token of your result?"
    ),
    think=(
        "Both branches are silent now, so only the main path is left. It should reach the end as "
        "it came in: where does a norm get hold of it?"
    ),
    nearly=(
        "Look for a norm around a sum, and at what each sum adds: x and y as they came, or what "
        "a norm has made of them, perhaps under the old name? A norm belongs at the beginning of "
        "a branch, and nowhere else."
    ),
)

SKIP_MISSING = Hint(
    look=(
        "Set all parameters of `aggregation_step` and of `ffl.secondlayer` to 0. The layer should "
        "return its input. What does yours return?"
    ),
    think="Both branches are silent now, so only the main path is left. Where does it break off?",
    nearly=(
        "The statement has two sums, each at the end of a branch. Look for both of them in your "
        "`forward`, and at what each of them adds."
    ),
)

AGGREGATION_NOT_ALWAYS = Hint(
    look=(
        "Build the layer with dim_k = dim_h and set all parameters of `aggregation_step` and of "
        "`ffl.secondlayer` to 0. Does it return its input?"
    ),
    think=(
        "That two sizes happen to be equal should not change what a layer computes. What is the "
        "aggregation to be applied to, and in which cases?"
    ),
    nearly=(
        "Look at the first sum in your `forward`. Does the aggregation take part in every case, "
        "and does it work on what attention found, without the main path?"
    ),
)

SECOND_BRANCH = Hint(
    look=(
        "Set the weight of `aggregation_step` to 0, and its bias to `[1, -2, 0, 3, 1]`. Compare "
        "the result for x with what the layer gives for x plus this bias when the bias is 0. They "
        "should be equal."
    ),
    think=(
        "What attention adds becomes part of the main path, and all that follows should see it. "
        "Which of your steps does not?"
    ),
    nearly=(
        "In the second line of the statement only y occurs, and no x. Compare: which branch comes "
        "first in yours, what does the second one start from, and what is it added to?"
    ),
)

BRANCH_WITHOUT_ITS_NORM = Hint(
    look=(
        "After a norm, 3 x + 7 and x are the same. Set `ffl.secondlayer` to 0: does your layer "
        "add the same to both? Then try it with only `aggregation_step` at 0."
    ),
    think=(
        "A branch should see normalised features and nothing else. Which branch of yours sees how "
        "large the raw ones are?"
    ),
    nearly=(
        "Look at what you hand to `qkv` and to `ffl`. Is it what the norm of this branch has "
        "made, and that alone?"
    ),
)

WRONG_NORM = Hint(
    look=(
        "Set the weight and bias of `layernorm2` to 0, and print what goes into `qkv` and what "
        "goes into `ffl`. Which of them should be 0 now, and which is?"
    ),
    think=(
        "New norms are all alike, so an exchange cannot be seen at first. After training each has "
        "numbers of its own; which belongs to which branch?"
    ),
    nearly=(
        "Look at the beginning of both branches in `forward`: is the number in the name of the "
        "norm the one that the statement has there?"
    ),
)

EXPONENT_CUT_IN_TWO = Hint(
    look=(
        "Print the number by which you divide one score, for keys of 4 features. The formula "
        "asks for 2; what does your line make of it?"
    ),
    think=(
        "Python takes powers first, then goes from left to right: what is `4 ** 1 / 2`, and what "
        "is `4 ** -1 / 2`?"
    ),
    nearly=(
        "If you mean the exponent one half: does the slash stand inside the exponent? A pair of "
        "parentheses, or a decimal number, or a function for roots makes clear what belongs "
        "together."
    ),
)

VALUES_BENT = Hint(
    look=(
        "Print the values that you multiply by the weights, for tokens with numbers of both "
        "signs. Are there any below 0 among them?"
    ),
    think=(
        "A mixture of negative numbers is negative. Can your result be below 0, as the formula "
        "allows?"
    ),
    nearly=(
        "Follow the values from where they are made to the last product. One step on that way "
        "lets only positive numbers pass; does the formula have one there?"
    ),
)

ROOT_CUT_TO_A_WHOLE = Hint(
    look=(
        "Print the number by which you divide the scores, for 4, 7 and 9 features of a query. By "
        "hand it is 2, 2.6458 and 3; what is yours?"
    ),
    think=(
        "A dot product grows with the number of its terms, and the root undoes that. Does your "
        "divisor follow that number, and with all its digits?"
    ),
    nearly=(
        "Look at the number that you divide by. Is it read off the last dimension of the queries "
        "each time, and does nothing cut off what stands behind the decimal point?"
    ),
)

LATER_HIDDEN = Hint(
    look=(
        "How much weight does the second key get in the worked example? And with 3 "
        "queries and 3 keys: whose outputs change when you change the last value?"
    ),
    think=(
        "There are tasks in which a query must not see what comes later. Does the "
        "statement of this exercise say so?"
    ),
    nearly=(
        "Look for a mask between the scores and the softmax (`triu`, `tril`, `masked_fill`, "
        "`is_causal`). Is any key to be hidden here?"
    ),
)

LATER_TOKENS_HIDDEN = Hint(
    look=(
        "Take a sentence of three tokens and change the last one only. Whose results change, and "
        "whose should change when every token looks at every token?"
    ),
    think=(
        "There are tasks in which a token must not see what comes later. Does the statement of "
        "this exercise say so?"
    ),
    nearly=(
        "Look for a mask between the scores and the softmax (`triu`, `tril`, `masked_fill`, "
        "`is_causal`). Is any token to be hidden here?"
    ),
)

SCORES_CHANGED = Hint(
    look=(
        "Print the scores of the worked example, then those of the same example with a negated "
        "query, and what goes into the softmax each time. What has been done to the scores "
        "besides dividing them?"
    ),
    think=(
        "A score may be any number, and a long query or key may count for more than a short one. "
        "Which step of yours takes that away?"
    ),
    nearly=(
        "The formula has three steps: a product, a division by one root, a softmax. Go through "
        "yours and look for a fourth."
    ),
)

VALUE_BIAS_UNUSED = Hint(
    look=(
        "Put a token of zeros into your module. Its values should be the bias of the value "
        "layer; what are yours?"
    ),
    think=(
        "A linear layer multiplies by a matrix and then adds a vector. What reaches your values "
        "when the product is 0?"
    ),
    nearly=(
        "Look at how the values are made. Is the layer called as a whole, or is only one of its "
        "two parameters used?"
    ),
)

ONE_NORM_FOR_TWO = Hint(
    look="Fill `layernorm2.weight` with 2 and print `layernorm1.weight`. Has it changed too?",
    think=(
        "Each branch has a norm of its own, which learns its own gain and shift. Can they, if "
        "they have these numbers in common?"
    ),
    nearly=(
        "Look at the two lines of `__init__` that make the norms. How many `nn.LayerNorm` are "
        "made there?"
    ),
)

LAYER_BEHIND_THE_HEAD = Hint(
    look=("Print the module. Which layers does it list that the statement does not name?"),
    think=(
        "The head gives averages of values. What comes after the average in your module, and "
        "whose task is that?"
    ),
    nearly=(
        "Look at the end of `forward`. The layer that combines heads belongs to a later exercise."
    ),
)

KEPT_FROM_ONE_CALL = Hint(
    look=(
        "Call your module twice, with inputs of other sizes and other numbers. Then "
        "build a second one and give it the second input only. Do the two agree?"
    ),
    think=(
        "A module forgets everything between two calls but its parameters. What does "
        "yours remember of the first input?"
    ),
    nearly=(
        "Look for an `if` that asks whether something is there already, and for what "
        "`forward` keeps in `self`. Is it right for every later input?"
    ),
)

RESHAPED_NOT_TRANSPOSED = Hint(
    look=(
        "Print `torch.arange(6).reshape(2, 3)`, its transpose, and what your way of "
        "turning it gives. Do the numbers of a key stay together in a column?"
    ),
    think=(
        "Both have the right shape. A reshape reads the numbers on in the order in "
        "which they lie; what does a transpose do?"
    ),
    nearly=(
        "Look at the step that makes the keys fit the product. Its sizes are right, "
        "its numbers are in the wrong places."
    ),
)

BIAS_NOT_ONCE = Hint(
    look=(
        "Put a token of zeros into your layer, with all weights 0 and every bias 1. "
        "Follow the bias through: where is it added, and how often?"
    ),
    think=(
        "A linear layer multiplies by a matrix and then adds its bias, once. Does "
        "each layer of yours do both?"
    ),
    nearly=(
        "Look at the place where you use a weight or a bias by itself. Calling the "
        "layer as a whole takes care of both."
    ),
)

BATCH_LAID_FLAT = Hint(
    look=(
        "Give a batch of 3 sentences with 5 tokens each. Which shape comes back? And "
        "does a sentence get the result that it gets alone?"
    ),
    think=(
        "The dimensions in front tell which sentence a token belongs to. What "
        "becomes of them in your code?"
    ),
    nearly=(
        "Look for a `reshape`, `view` or `flatten` that joins the first dimensions. "
        "Linear layers and matrix products work on the last ones and leave those in "
        "front alone."
    ),
)

NOTHING_RETURNED = Hint(
    look="Assign the result of a call to a name and print it. What is it?",
    think=(
        "A function without a `return` gives None, whatever it has computed. Where "
        "does your result go?"
    ),
    nearly=(
        "Look at the end of `forward`, and of each way through it: is there a `return`, and is "
        "the result what stands behind it?"
    ),
)

MAIN_PATH_SCALED = Hint(
    look=(
        "Set all parameters of `aggregation_step` and of `ffl.secondlayer` to 0, and "
        "divide your result by the input. Which number do you get everywhere?"
    ),
    think=(
        "Both branches are silent, so only the main path is left. It should arrive as it came in."
    ),
    nearly=(
        "Look at the two sums: is anything done to them besides adding, such as a "
        "division or a factor?"
    ),
)

BRANCH_BENT = Hint(
    look=(
        "Print what a branch adds to the main path, for random tokens. Are large "
        "negative numbers among it?"
    ),
    think=(
        "A branch must be able to lower a feature as well as to raise it. Which step "
        "of yours takes that away?"
    ),
    nearly=(
        "Look at the end of each branch, between its last linear layer and the sum. "
        "The statement has nothing there."
    ),
)

BRANCH_FORGOTTEN = Hint(
    look=(
        "Add up all results, call `backward()`, and print the names of the "
        "parameters whose `grad` is None. To which part do they belong?"
    ),
    think=(
        "A layer has two branches, one that looks around and one that thinks. Which "
        "of them has no part in your result?"
    ),
    nearly="Count the sums in your `forward` and compare them with the two lines of the statement.",
)

NORM_WITH_OTHER_NUMBERS = Hint(
    look=(
        "Print `layernorm1` and `layernorm2`, and what the first gives for the token "
        "`[0.01, 0, 0, 0, -0.01]`. Compare with a fresh `nn.LayerNorm(5)`."
    ),
    think=(
        "A norm divides by the root of the variance, to which a tiny number is "
        "added. Which variance and which tiny number are meant, when nothing else is "
        "said?"
    ),
    nearly=(
        "Look at how the norms are made or written out: an `eps` of your own, a "
        "`std` or a norm over other dimensions is another function."
    ),
)

NORM_AT_THE_END = Hint(
    look=(
        "Set the weight and bias of both norms to 0. What do `qkv` and `ffl` receive "
        "now: zeros, or something else?"
    ),
    think=(
        "In pre-norm each branch begins with its norm, so that it always reads "
        "numbers of about the same size. Where do your norms stand?"
    ),
    nearly=(
        "Read the formula of each branch from the inside of its brackets outwards, "
        "and compare with your order of steps."
    ),
)

INPUT_NORMALISED = Hint(
    look=(
        "Put in a token, and then three times this token plus 7. Are the two results "
        "(nearly) the same?"
    ),
    think=(
        "A token with larger features should be able to give another result here. "
        "Which step makes the two tokens alike?"
    ),
    nearly=(
        "Look for a norm in your code. The statement of this exercise names none; "
        "the last exercise puts one in front."
    ),
)

LAST_TOKEN_ONLY = Hint(
    look="Give three tokens to your head. How many rows has the output?",
    think=(
        "Every token asks its own question and gets its own answer. Whose questions "
        "are answered in yours?"
    ),
    nearly=(
        "Look for an index or a slice on the queries or on the result, such as -1. A "
        "whole sentence goes in, and as many rows come out."
    ),
)

INIT_ARGUMENTS = Hint(
    look=(
        "Build your module with empty parentheses and read the last line of the "
        "error. What does it miss?"
    ),
    think=(
        "Whoever builds the module calls the class. What does the statement say that "
        "is handed over then?"
    ),
    nearly=(
        "Look at the parentheses behind `__init__`, where it is defined: they need a "
        "name for the object itself, and no other."
    ),
)

NOT_CONTIGUOUS = Hint(
    look=(
        "Hand over `X.mT.contiguous().mT`, which holds the same numbers as X in "
        "another order of memory. Which line fails, and what does the error advise?"
    ),
    think=(
        "A `view` only looks anew at numbers as they lie in memory. Must they lie as you expect?"
    ),
    nearly=(
        "Look for `view` in your `forward`. `reshape` copies where it has to, and "
        "many products need neither."
    ),
)

ONE_SENTENCE_ONLY = Hint(
    look=(
        "Try a single sentence (two dimensions) and then a batch (three). Which of "
        "them fails, and which line does the error name?"
    ),
    think=(
        "The dots in the shapes stand for any number of dimensions in front. Which "
        "of your steps relies on there being none?"
    ),
    nearly=(
        "Look for a step that names every dimension or accepts two only. The "
        "ordinary matrix product serves all cases."
    ),
)

ONE_TENSOR_FOR_TWO = Hint(
    look=(
        "Change one entry of `W_q` inside `torch.no_grad()`, then print `W_k`. Has it changed too?"
    ),
    think=(
        "An assignment in Python makes no copy: it gives one tensor a second name, "
        "and a parameter made from a tensor keeps its memory. Can queries and keys "
        "learn different things in this way?"
    ),
    nearly=(
        "Look at the line in `__init__` where `W_k` comes into being. It should get "
        "a tensor of its own, made like that of `W_q`."
    ),
)

MATRICES_OVERWRITTEN = Hint(
    look=(
        "Change one entry of `W_q` inside `torch.no_grad()`, call your module, and print `W_q` "
        "and the queries. Is the change still there, and does it show? Then the same with `W_k` "
        "and the keys."
    ),
    think=(
        "Training changes the matrices a little after each call. What becomes of "
        "that in your next call?"
    ),
    nearly=(
        "Look at what `forward` multiplies by: the two parameters as they are, ones, or nothing "
        "at all? The matrices start as ones, once; where is the place for that?"
    ),
)

ZERO_IS_A_SCORE = Hint(
    look=(
        "Print the scores of the worked example and what goes into your softmax. "
        "What has become of the score 0?"
    ),
    think=(
        "A score of 0 says that query and key are at right angles, not that the key "
        "is missing. Which weight does it get by the statement?"
    ),
    nearly=(
        "Look for a comparison with 0. Where there is a mask, one may ask whether it is 0; here "
        "there is none. What is compared in yours?"
    ),
)

SCORES_CUT_OFF = Hint(
    look=(
        "Try the query `[100, 60, 0, 0]` with the keys and values of the worked "
        "example. The first key fits far better, so the output should be 10; what is "
        "yours?"
    ),
    think=(
        "A limit makes all scores beyond it equal. Can the softmax still tell which key fits best?"
    ),
    nearly=(
        "Look for the step that cuts large scores off, such as `clamp`. PyTorch's "
        "softmax copes with large scores by itself."
    ),
)

REPLACED_AT_EVERY_CALL = Hint(
    look=(
        "Call your module twice with the same input, and print "
        "`qkv_mechanism.value.weight` before, between and after. Does it stay what "
        "it was?"
    ),
    think=(
        "Training changes the numbers of a part a little after each call. What "
        "becomes of these changes if the next call puts a new part in its place?"
    ),
    nearly=(
        "Look for the place where `qkv_mechanism` is made. It needs to be made once, "
        "and used in every call."
    ),
)

BATCH_FOR_TOKENS = Hint(
    look=(
        "Take a batch of two sentences and change a token of the second one. Does "
        "the output of the first sentence change?"
    ),
    think=(
        "Tokens look at the tokens of their own sentence and know nothing of other "
        "sentences. Which dimension do your queries and keys meet along?"
    ),
    nearly=(
        "Look for a `transpose` or `permute` that brings the batch to the place of the tokens. X "
        "comes as (..., T, dim_h), and that is what the product needs."
    ),
)

TOKENS_NOT_ALONE = Hint(
    look=(
        "Put in a few tokens, change one of them, and put them in again. Which rows "
        "of the output have changed?"
    ),
    think=(
        "Every token is to pass alone, so nobody else's result may depend on it. "
        "Which of your steps looks at several tokens?"
    ),
    nearly=(
        "Look for a mean, sum or norm in `forward`, and for the dimension along "
        "which it runs. The statement has none."
    ),
)

INPUT_NORMALISED_HERE = Hint(
    look=(
        "Print what goes into the activation and into `secondlayer`, for random "
        "tokens. Is its mean 0, or its size the same, for every token?"
    ),
    think=(
        "A token with larger features should be able to give larger results here. "
        "Which step makes the tokens alike?"
    ),
    nearly=(
        "The statement names three steps: widen, bend, narrow. Which fourth one is "
        "there in yours, and whose task is it in the last exercise?"
    ),
)

CLASS_NOT_OBJECT = Hint(
    look=(
        "Read the last line of the error: which method of `GELU` complains about its arguments, "
        "`forward` or `__init__`?"
    ),
    think=(
        "A class is a plan; the object that computes is made by calling it. What "
        "does a call of the class do with your features?"
    ),
    nearly=(
        "Look at every place where `nn.GELU` stands, sign by sign: is an object made of it in "
        "`__init__`, as of the two layers, and is it this object that `forward` calls?"
    ),
)

MISCONCEPTIONS: list[Misconception] = [
    Misconception(
        "returns_string",
        "TestModule",
        "hands the text back to the caller and prints nothing",
        (('print("Hello World")', 'return "Hello World"'),),
        hint=Hint(
            look=(
                "Write `answer = TestModule()()` in a cell of its own and run it. Does anything "
                "appear? Now look at `answer`."
            ),
            think=(
                "To return a text hands it to whoever called; to print it writes it on the "
                "screen. Which of the two does the statement ask for?"
            ),
            nearly=(
                "Look at what `forward` does with the text. Something should show it, and "
                "nothing needs to be handed back."
            ),
        ),
    ),
    Misconception(
        "dunder_forward",
        "TestModule",
        "has no method of the name forward, the one that PyTorch calls",
        (("def forward", "def __forward__"),),
        hint=Hint(
            look=(
                "Call your module and read the last line of the error. Which method does PyTorch "
                "miss?"
            ),
            think=(
                "PyTorch finds a method by its exact name. Some names have two underscores on "
                "either side, others have none: which kind is the one that it looks for?"
            ),
            nearly=(
                "Compare the names of your methods with the names in the statement, sign by "
                "sign. And are they all methods: does each stand inside the class, indented as "
                "far as `__init__`?"
            ),
        ),
    ),
    Misconception(
        "overrides_call",
        "TestModule",
        "has a __call__ of its own in the place of nn.Module's",
        (("def forward", "def __call__"),),
        hint=PAST_THE_CALL,
    ),
    Misconception(
        "no_super",
        "TestModule",
        "never lets nn.Module prepare itself",
        (("super().__init__()", "pass"),),
        hint=MODULE_NOT_PREPARED,
    ),
    Misconception(
        "prints_in_init",
        "TestModule",
        "prints the greeting when the module is built",
        (
            ('print("Hello World")', "pass"),
            ("super().__init__()", 'super().__init__()\n        print("Hello World")'),
        ),
        hint=PRINTS_WHEN_BUILT,
    ),
    Misconception(
        "not_a_module",
        "TestModule",
        "an ordinary class that can be called, not an nn.Module",
        (("(nn.Module)", ""), ("def forward", "def __call__")),
        hint=PAST_THE_CALL,
    ),
    Misconception(
        "prints_in_both",
        "TestModule",
        "prints the greeting when the module is built",
        (("super().__init__()", "super().__init__()\n        self()"),),
        hint=PRINTS_WHEN_BUILT,
    ),
    Misconception(
        "other_text",
        "TestModule",
        "prints the greeting with punctuation of its own",
        (('"Hello World"', '"Hello, World!"'),),
        hint=Hint(
            look=(
                "Copy the text from the statement and write yours below it. Are they equal, "
                "character by character? The one in the statement has 11 characters."
            ),
            think=(
                "When a program compares two texts, a comma or a capital letter counts as much as "
                "a word. Is there a sign in yours that nobody asked for, or one missing?"
            ),
            nearly="Everything is right but the text between the quotation marks.",
        ),
    ),
    Misconception(
        "takes_argument",
        "TestModule",
        "forward insists on an input",
        (("forward(self)", "forward(self, x: Tensor)"),),
        hint=FORWARD_ARGUMENTS,
    ),
    Misconception(
        "forgot_self",
        "TestModule",
        "forward is defined without self",
        (("forward(self)", "forward()"),),
        hint=FORWARD_ARGUMENTS,
    ),
    Misconception(
        "init_argument",
        "TestModule",
        "wants an argument when it is built",
        (("def __init__(self)", "def __init__(self, name: str)"),),
        hint=INIT_ARGUMENTS,
    ),
    Misconception(
        "super_not_called",
        "TestModule",
        "writes super without parentheses, so that nn.Module is not prepared",
        (("super().__init__()", "super.__init__()"),),
        hint=MODULE_NOT_PREPARED,
    ),
    Misconception(
        "plain_tensor",
        "QueryKeyValue",
        "W_q and W_k are tensors that are not registered as parameters",
        (
            ("W_q = nn.Parameter(torch.ones(dim_h, dim_k))", "W_q = torch.ones(dim_h, dim_k)"),
            ("W_k = nn.Parameter(torch.ones(dim_h, dim_k))", "W_k = torch.ones(dim_h, dim_k)"),
        ),
        hint=NOT_A_PARAMETER,
    ),
    Misconception(
        "buffer",
        "QueryKeyValue",
        "W_q and W_k are buffers: saved, but never trained",
        (
            ("self.W_q = nn.Parameter(", 'self.register_buffer("W_q", '),
            ("self.W_k = nn.Parameter(", 'self.register_buffer("W_k", '),
        ),
        hint=NOT_A_PARAMETER,
    ),
    Misconception(
        "one_buffer",
        "QueryKeyValue",
        "W_q is a buffer: saved, but never trained",
        (
            (
                "self.W_q = nn.Parameter(torch.ones(dim_h, dim_k))",
                'self.register_buffer("W_q", torch.ones(dim_h, dim_k))',
            ),
        ),
        hint=NOT_A_PARAMETER,
    ),
    Misconception(
        "only_wq",
        "QueryKeyValue",
        "W_q is a parameter, W_k only a tensor that is not registered as one",
        (("W_k = nn.Parameter(torch.ones(dim_h, dim_k))", "W_k = torch.ones(dim_h, dim_k)"),),
        hint=NOT_A_PARAMETER,
    ),
    Misconception(
        "only_wk",
        "QueryKeyValue",
        "W_k is a parameter, W_q only a tensor that is not registered as one",
        (("W_q = nn.Parameter(torch.ones(dim_h, dim_k))", "W_q = torch.ones(dim_h, dim_k)"),),
        hint=NOT_A_PARAMETER,
    ),
    Misconception(
        "tensors_with_gradient",
        "QueryKeyValue",
        "W_q and W_k are tensors that are not registered as parameters",
        (
            (
                "W_q = nn.Parameter(torch.ones(dim_h, dim_k))",
                "W_q = torch.ones(dim_h, dim_k, requires_grad=True)",
            ),
            (
                "W_k = nn.Parameter(torch.ones(dim_h, dim_k))",
                "W_k = torch.ones(dim_h, dim_k, requires_grad=True)",
            ),
        ),
        hint=NOT_A_PARAMETER,
    ),
    Misconception(
        "tied",
        "QueryKeyValue",
        "W_q and W_k are one and the same parameter",
        (("W_k = nn.Parameter(torch.ones(dim_h, dim_k))", "W_k = self.W_q"),),
        hint=ONE_TENSOR_FOR_TWO,
    ),
    Misconception(
        "order_kqv",
        "QueryKeyValue",
        "the first result is X W_k and the second X W_q",
        (("return queries, keys, values", "return keys, queries, values"),),
        hint=ORDER_OF_RESULTS,
    ),
    Misconception(
        "order_qvk",
        "QueryKeyValue",
        "gives the values before the keys",
        (("return queries, keys, values", "return queries, values, keys"),),
        hint=ORDER_OF_RESULTS,
    ),
    Misconception(
        "order_vkq",
        "QueryKeyValue",
        "gives the values first and the queries last",
        (("return queries, keys, values", "return values, keys, queries"),),
        hint=ORDER_OF_RESULTS,
    ),
    Misconception(
        "keys_use_wq",
        "QueryKeyValue",
        "makes the keys with W_q, like the queries",
        (("X @ self.W_k", "X @ self.W_q"),),
        hint=WRONG_MATRIX,
    ),
    Misconception(
        "values_of_keys",
        "QueryKeyValue",
        "feeds the keys into the value layer in place of X",
        (("self.value(X)", "self.value(keys)"),),
        hint=VALUES_NOT_OF_X,
    ),
    Misconception(
        "transposed_shape",
        "QueryKeyValue",
        "keeps W_q and W_k as nn.Linear does, (dim_k, dim_h), and multiplies by the transposes",
        (
            (
                "W_q = nn.Parameter(torch.ones(dim_h, dim_k",
                "W_q = nn.Parameter(torch.ones(dim_k, dim_h",
            ),
            (
                "W_k = nn.Parameter(torch.ones(dim_h, dim_k",
                "W_k = nn.Parameter(torch.ones(dim_k, dim_h",
            ),
            ("X @ self.W_q", "X @ self.W_q.T"),
            ("X @ self.W_k", "X @ self.W_k.T"),
        ),
        hint=SHAPE_OF_THE_MATRICES,
    ),
    Misconception(
        "no_bias",
        "QueryKeyValue",
        "the value layer has no bias",
        (("nn.Linear(dim_h, dim_k)", "nn.Linear(dim_h, dim_k, bias=False)"),),
        hint=BIAS_MISSING,
    ),
    Misconception(
        "bias_unused",
        "QueryKeyValue",
        "makes the values without the bias of the value layer",
        (("self.value(X)", "X @ self.value.weight.T"),),
        hint=VALUE_BIAS_UNUSED,
    ),
    Misconception(
        "relu_on_values",
        "QueryKeyValue",
        "sets negative numbers among the values to 0",
        (("self.value(X)", "torch.relu(self.value(X))"),),
        hint=VALUES_BENT,
    ),
    Misconception(
        "elementwise",
        "QueryKeyValue",
        "multiplies each feature by a row sum of the matrix, and adds no features up",
        (
            ("X @ self.W_q", "X * self.W_q.sum(dim=1)"),
            ("X @ self.W_k", "X * self.W_k.sum(dim=1)"),
        ),
        hint=NO_MATRIX_PRODUCT,
    ),
    Misconception(
        "detached",
        "QueryKeyValue",
        "cuts the queries off from the gradient",
        (("X @ self.W_q", "(X @ self.W_q).detach()"),),
        hint=GRADIENT_CUT,
    ),
    Misconception(
        "values_detached",
        "QueryKeyValue",
        "cuts the values off from the gradient",
        (("self.value(X)", "self.value(X).detach()"),),
        hint=GRADIENT_CUT,
    ),
    Misconception(
        "keys_detached",
        "QueryKeyValue",
        "cuts the keys off from the gradient",
        (("X @ self.W_k", "(X @ self.W_k).detach()"),),
        hint=GRADIENT_CUT,
    ),
    Misconception(
        "all_linear",
        "QueryKeyValue",
        "lets nn.Linear make all three projections",
        (
            ("W_q = nn.Parameter(torch.ones(dim_h, dim_k))", "W_q = nn.Linear(dim_h, dim_k)"),
            ("W_k = nn.Parameter(torch.ones(dim_h, dim_k))", "W_k = nn.Linear(dim_h, dim_k)"),
            ("X @ self.W_q", "self.W_q(X)"),
            ("X @ self.W_k", "self.W_k(X)"),
        ),
        hint=Hint(
            look=(
                "Print the names in `named_parameters()` and the query of `[1, 2, 3, 4, 5]`. "
                "Compare both with the statement."
            ),
            think=(
                "`nn.Linear` starts with random numbers and adds a bias. The statement wants two "
                "of the three matrices made by hand, so that you see what it does for you. Which "
                "two?"
            ),
            nearly=(
                "Look at how `__init__` makes the first two: they need to be bare parameters, "
                "filled with ones, and `forward` then has to do the multiplying itself."
            ),
        ),
    ),
    Misconception(
        "queries_use_wk",
        "QueryKeyValue",
        "makes the queries with W_k, like the keys",
        (("X @ self.W_q", "X @ self.W_k"),),
        hint=WRONG_MATRIX,
    ),
    Misconception(
        "values_use_wk",
        "QueryKeyValue",
        "the values are the keys; the value layer lies idle",
        (("self.value(X)", "X @ self.W_k"),),
        hint=VALUES_NOT_OF_X,
    ),
    Misconception(
        "values_use_wk_and_bias",
        "QueryKeyValue",
        "makes the values with W_k and takes only the bias of the value layer",
        (("self.value(X)", "X @ self.W_k + self.value.bias"),),
        hint=VALUES_NOT_OF_X,
    ),
    Misconception(
        "values_use_wq_and_bias",
        "QueryKeyValue",
        "makes the values with W_q and takes only the bias of the value layer",
        (("self.value(X)", "X @ self.W_q + self.value.bias"),),
        hint=VALUES_NOT_OF_X,
    ),
    Misconception(
        "sums_features",
        "QueryKeyValue",
        "multiplies the sum of the features by the first row of the matrix: right for all ones",
        (
            ("X @ self.W_q", "X.sum(dim=-1, keepdim=True) * self.W_q[0]"),
            ("X @ self.W_k", "X.sum(dim=-1, keepdim=True) * self.W_k[0]"),
        ),
        hint=NO_MATRIX_PRODUCT,
    ),
    Misconception(
        "random_init",
        "QueryKeyValue",
        "W_q and W_k start as random numbers",
        (
            ("W_q = nn.Parameter(torch.ones", "W_q = nn.Parameter(torch.randn"),
            ("W_k = nn.Parameter(torch.ones", "W_k = nn.Parameter(torch.randn"),
        ),
        hint=START_VALUES,
    ),
    Misconception(
        "zeros_init",
        "QueryKeyValue",
        "W_q and W_k start as zeros",
        (
            ("W_q = nn.Parameter(torch.ones", "W_q = nn.Parameter(torch.zeros"),
            ("W_k = nn.Parameter(torch.ones", "W_k = nn.Parameter(torch.zeros"),
        ),
        hint=START_VALUES,
    ),
    Misconception(
        "dims_swapped",
        "QueryKeyValue",
        "W_q and W_k are of shape (dim_k, dim_h), and not transposed for the product",
        (
            (
                "W_q = nn.Parameter(torch.ones(dim_h, dim_k",
                "W_q = nn.Parameter(torch.ones(dim_k, dim_h",
            ),
            (
                "W_k = nn.Parameter(torch.ones(dim_h, dim_k",
                "W_k = nn.Parameter(torch.ones(dim_k, dim_h",
            ),
        ),
        hint=SHAPE_OF_THE_MATRICES,
    ),
    Misconception(
        "value_dims_swapped",
        "QueryKeyValue",
        "the value layer leads from dim_k to dim_h",
        (("nn.Linear(dim_h, dim_k)", "nn.Linear(dim_k, dim_h)"),),
        hint=SIZES_EXCHANGED,
    ),
    Misconception(
        "hard_coded",
        "QueryKeyValue",
        "takes the sizes of the worked example for granted",
        (
            (
                "W_q = nn.Parameter(torch.ones(dim_h, dim_k))",
                "W_q = nn.Parameter(torch.ones(5, 3))",
            ),
            (
                "W_k = nn.Parameter(torch.ones(dim_h, dim_k))",
                "W_k = nn.Parameter(torch.ones(5, 3))",
            ),
            ("nn.Linear(dim_h, dim_k)", "nn.Linear(5, 3)"),
        ),
        hint=Hint(
            look=(
                "Build `QueryKeyValue(2, 4)` and print the shapes of its parameters. Where do the "
                "numbers that you see come from?"
            ),
            think=(
                "The worked example is one case among many. Who decides how large the matrices "
                "are: you, or the person who builds the module?"
            ),
            nearly=(
                "Look for plain numbers in your `__init__`. Which names from its list of "
                "arguments should stand there?"
            ),
        ),
    ),
    Misconception(
        "frozen",
        "QueryKeyValue",
        "W_q and W_k are parameters that ask for no gradient",
        (
            (
                "W_q = nn.Parameter(torch.ones(dim_h, dim_k))",
                "W_q = nn.Parameter(torch.ones(dim_h, dim_k), requires_grad=False)",
            ),
            (
                "W_k = nn.Parameter(torch.ones(dim_h, dim_k))",
                "W_k = nn.Parameter(torch.ones(dim_h, dim_k), requires_grad=False)",
            ),
        ),
        hint=GRADIENT_CUT,
    ),
    Misconception(
        "no_super",
        "QueryKeyValue",
        "assigns parameters to self before nn.Module has prepared itself, if it ever does",
        (("        super().__init__()\n", ""),),
        hint=MODULE_NOT_PREPARED,
    ),
    Misconception(
        "parameter_data",
        "QueryKeyValue",
        "cuts W_q and W_k off from the gradient",
        (("X @ self.W_q", "X @ self.W_q.data"), ("X @ self.W_k", "X @ self.W_k.data")),
        hint=GRADIENT_CUT,
    ),
    Misconception(
        "value_in_forward",
        "QueryKeyValue",
        "the value layer is not registered as a part of the module",
        (
            ("self.value = nn.Linear(dim_h, dim_k)", "self.dim_h, self.dim_k = dim_h, dim_k"),
            ("self.value(X)", "nn.Linear(self.dim_h, self.dim_k)(X)"),
        ),
        hint=MADE_AT_EVERY_CALL,
    ),
    Misconception(
        "value_in_list",
        "QueryKeyValue",
        "the value layer is not registered as a part of the module",
        (
            ("self.value = nn.Linear(dim_h, dim_k)", "self.layers = [nn.Linear(dim_h, dim_k)]"),
            ("self.value(X)", "self.layers[0](X)"),
        ),
        hint=MADE_AT_EVERY_CALL,
    ),
    Misconception(
        "other_names",
        "QueryKeyValue",
        "calls the matrices w_query and w_key",
        (
            ("self.W_q = ", "self.w_query = "),
            ("self.W_k = ", "self.w_key = "),
            ("X @ self.W_q", "X @ self.w_query"),
            ("X @ self.W_k", "X @ self.w_key"),
        ),
        hint=OTHER_NAMES,
    ),
    Misconception(
        "unsqueezed",
        "QueryKeyValue",
        "queries and keys of a single sentence come back with a batch dimension",
        (
            ("X @ self.W_q", "X @ self.W_q.unsqueeze(0)"),
            ("X @ self.W_k", "X @ self.W_k.unsqueeze(0)"),
        ),
        hint=DIMENSION_ADDED,
    ),
    Misconception(
        "einsum_batch_only",
        "QueryKeyValue",
        "an einsum that knows three dimensions and no others",
        (
            ("X @ self.W_q", 'torch.einsum("bth,hk->btk", X, self.W_q)'),
            ("X @ self.W_k", 'torch.einsum("bth,hk->btk", X, self.W_k)'),
        ),
        hint=BATCH_ONLY,
    ),
    Misconception(
        "squeezed",
        "QueryKeyValue",
        "loses dimensions of size 1",
        (("queries = X", "X = X.squeeze()\n        queries = X"),),
        hint=DIMENSION_LOST,
    ),
    Misconception(
        "scaled",
        "QueryKeyValue",
        "divides the queries by the root of dim_k, which nobody asked for yet",
        (("X @ self.W_q", "X @ self.W_q / math.sqrt(self.W_q.shape[1])"),),
        hint=Hint(
            look=(
                "With dim_k = 4 and all-ones matrices the query of `[1, 2, 3, 4, 5]` should be "
                "15, four times. What is yours, and by which factor is it off?"
            ),
            think=(
                "That factor depends on dim_k. Does the statement of this exercise mention it, or "
                "does it belong to the next one?"
            ),
            nearly=(
                "Look at the line of the queries and compare it with that of the keys: what is "
                "there besides the product?"
            ),
        ),
    ),
    Misconception(
        "concatenated",
        "QueryKeyValue",
        "returns one long tensor where three were wanted",
        (("return queries, keys, values", "return torch.cat((queries, keys, values), dim=-1)"),),
        hint=Hint(
            look=(
                "Print the type and the shape of what `QueryKeyValue(5, 3)` returns for 2 tokens. "
                "The statement promises three tensors of shape (2, 3)."
            ),
            think=(
                "The next module needs queries, keys and values one by one. How should it know "
                "where in your tensor one ends and the next begins?"
            ),
            nearly=(
                "Look at your last line. Python lets a function return several things at once, so "
                "nothing has to be glued together."
            ),
        ),
    ),
    Misconception(
        "order_vqk",
        "QueryKeyValue",
        "gives the values first",
        (("return queries, keys, values", "return values, queries, keys"),),
        hint=ORDER_OF_RESULTS,
    ),
    Misconception(
        "order_kvq",
        "QueryKeyValue",
        "gives the keys first and the queries last",
        (("return queries, keys, values", "return keys, values, queries"),),
        hint=ORDER_OF_RESULTS,
    ),
    Misconception(
        "bmm",
        "QueryKeyValue",
        "uses torch.bmm or the like, which accepts three dimensions only",
        (
            ("X @ self.W_q", "torch.bmm(X, self.W_q.expand(X.shape[0], -1, -1))"),
            ("X @ self.W_k", "torch.bmm(X, self.W_k.expand(X.shape[0], -1, -1))"),
        ),
        hint=BATCH_ONLY,
    ),
    Misconception(
        "mm",
        "QueryKeyValue",
        "uses torch.mm, which accepts a single sentence only",
        (
            ("X @ self.W_q", "torch.mm(X, self.W_q)"),
            ("X @ self.W_k", "torch.mm(X, self.W_k)"),
        ),
        hint=ONE_SENTENCE_ONLY,
    ),
    Misconception(
        "einsum_sentence_only",
        "QueryKeyValue",
        "an einsum that knows two dimensions and no others",
        (
            ("X @ self.W_q", 'torch.einsum("th,hk->tk", X, self.W_q)'),
            ("X @ self.W_k", 'torch.einsum("th,hk->tk", X, self.W_k)'),
        ),
        hint=ONE_SENTENCE_ONLY,
    ),
    Misconception(
        "multiplied_by_transpose",
        "QueryKeyValue",
        "multiplies by the transposes of W_q and W_k",
        (
            ("X @ self.W_q", "X @ self.W_q.T"),
            ("X @ self.W_k", "X @ self.W_k.T"),
        ),
        hint=SHAPE_OF_THE_MATRICES,
    ),
    Misconception(
        "einsum_by_transpose",
        "QueryKeyValue",
        "an einsum that multiplies by the transpose of W_k",
        (("X @ self.W_k", 'torch.einsum("...h,kh->...k", X, self.W_k)'),),
        hint=SHAPE_OF_THE_MATRICES,
    ),
    Misconception(
        "number_by_number",
        "QueryKeyValue",
        "multiplies X and the matrix number by number",
        (
            ("X @ self.W_q", "X * self.W_q"),
            ("X @ self.W_k", "X * self.W_k"),
        ),
        hint=NO_MATRIX_PRODUCT,
    ),
    Misconception(
        "averaged_products",
        "QueryKeyValue",
        "the keys are means of the products, not their sums",
        (("X @ self.W_k", "(X[..., None] * self.W_k).mean(-2)"),),
        hint=NO_MATRIX_PRODUCT,
    ),
    Misconception(
        "sum_by_mean",
        "QueryKeyValue",
        "makes queries of the sum of the features and the column means of W_q: right for all ones",
        (("X @ self.W_q", "X.sum(dim=-1, keepdim=True) * self.W_q.mean(0)"),),
        hint=NO_MATRIX_PRODUCT,
    ),
    Misconception(
        "shared_memory",
        "QueryKeyValue",
        "W_q and W_k share one memory: a change of one changes the other",
        (
            (
                "self.W_k = nn.Parameter(torch.ones(dim_h, dim_k))",
                "self.W_k = nn.Parameter(self.W_q.data)",
            ),
        ),
        hint=ONE_TENSOR_FOR_TWO,
    ),
    Misconception(
        "ones_in_forward",
        "QueryKeyValue",
        "computes with ones in every call, not with W_q and W_k",
        (
            ("X @ self.W_q", "X @ torch.ones_like(self.W_q)"),
            ("X @ self.W_k", "X @ torch.ones_like(self.W_k)"),
        ),
        hint=MATRICES_OVERWRITTEN,
    ),
    Misconception(
        "parameters_in_forward",
        "QueryKeyValue",
        "sets W_q and W_k to ones again in every call",
        (
            (
                "        queries = X",
                (
                    "        self.W_q = nn.Parameter(torch.ones_like(self.W_q))\n"
                    "        self.W_k = nn.Parameter(torch.ones_like(self.W_k))\n"
                    "        queries = X"
                ),
            ),
        ),
        hint=MATRICES_OVERWRITTEN,
    ),
    Misconception(
        "filled_in_training",
        "QueryKeyValue",
        "sets W_q and W_k to ones again in every call in training",
        (
            (
                "        queries = X",
                (
                    "        if self.training:\n"
                    "            with torch.no_grad():\n"
                    "                self.W_q.fill_(1.0)\n"
                    "                self.W_k.fill_(1.0)\n"
                    "        queries = X"
                ),
            ),
        ),
        hint=MATRICES_OVERWRITTEN,
    ),
    Misconception(
        "bias_twice",
        "QueryKeyValue",
        "adds the bias of the value layer twice",
        (("self.value(X)", "self.value(X) + self.value.bias"),),
        hint=BIAS_NOT_ONCE,
    ),
    Misconception(
        "values_of_queries",
        "QueryKeyValue",
        "feeds the queries into the value layer in place of X",
        (("self.value(X)", "self.value(queries)"),),
        hint=VALUES_NOT_OF_X,
    ),
    Misconception(
        "values_of_resized_queries",
        "QueryKeyValue",
        "feeds queries or keys into a value layer made to fit them",
        (
            ("nn.Linear(dim_h, dim_k)", "nn.Linear(dim_k, dim_k)"),
            ("self.value(X)", "self.value(queries)"),
        ),
        hint=VALUES_NOT_OF_X,
    ),
    Misconception(
        "values_use_wq",
        "QueryKeyValue",
        "the values are the queries; the value layer lies idle",
        (("self.value(X)", "X @ self.W_q"),),
        hint=VALUES_NOT_OF_X,
    ),
    Misconception(
        "wq_data",
        "QueryKeyValue",
        "cuts W_q off from the gradient",
        (("X @ self.W_q", "X @ self.W_q.data"),),
        hint=GRADIENT_CUT,
    ),
    Misconception(
        "wk_data",
        "QueryKeyValue",
        "cuts W_k off from the gradient",
        (("X @ self.W_k", "X @ self.W_k.data"),),
        hint=GRADIENT_CUT,
    ),
    Misconception(
        "wk_frozen",
        "QueryKeyValue",
        "W_k is a parameter that asks for no gradient",
        (
            (
                "self.W_k = nn.Parameter(torch.ones(dim_h, dim_k))",
                "self.W_k = nn.Parameter(torch.ones(dim_h, dim_k), requires_grad=False)",
            ),
        ),
        hint=GRADIENT_CUT,
    ),
    Misconception(
        "view_of_input",
        "QueryKeyValue",
        "a view of X, which fails where its numbers lie in another order",
        (("X @ self.W_q", "(X.view(-1, X.shape[-1]) @ self.W_q).view(*X.shape[:-1], -1)"),),
        hint=NOT_CONTIGUOUS,
    ),
    Misconception(
        "no_return",
        "QueryKeyValue",
        "gives back None, not the queries, keys and values",
        (("        return queries, keys, values\n", ""),),
        hint=NOTHING_RETURNED,
    ),
    Misconception(
        "wq_in_forward",
        "QueryKeyValue",
        "computes the queries with ones in every call, not with W_q",
        (("X @ self.W_q", "X @ torch.ones_like(self.W_q)"),),
        hint=MATRICES_OVERWRITTEN,
    ),
    Misconception(
        "wk_in_forward",
        "QueryKeyValue",
        "computes the keys with ones in every call, not with W_k",
        (("X @ self.W_k", "X @ torch.ones_like(self.W_k)"),),
        hint=MATRICES_OVERWRITTEN,
    ),
    Misconception(
        "wq_parameter_in_forward",
        "QueryKeyValue",
        "sets W_q to ones again in every call",
        (
            (
                "        queries = X",
                ("        self.W_q = nn.Parameter(torch.ones_like(self.W_q))\n        queries = X"),
            ),
        ),
        hint=MATRICES_OVERWRITTEN,
    ),
    Misconception(
        "sqrt_2dk",
        "ScaledDotProduct",
        "the divisor is the root of 2 d_k, the notebook's slip",
        (("Q.shape[-1]", "2 * Q.shape[-1]"),),
        hint=WRONG_FACTOR,
    ),
    Misconception(
        "no_scale",
        "ScaledDotProduct",
        "does not divide the scores by the root of d_k",
        ((" / math.sqrt(Q.shape[-1])", ""),),
        hint=WRONG_FACTOR,
    ),
    Misconception(
        "no_sqrt",
        "ScaledDotProduct",
        "divides by d_k in all, not by its root",
        (("math.sqrt(Q.shape[-1])", "Q.shape[-1]"),),
        hint=WRONG_FACTOR,
    ),
    Misconception(
        "half_outside",
        "ScaledDotProduct",
        "divides by twice d_k, as `/ d_k ** 1 / 2` does",
        (("/ math.sqrt(Q.shape[-1])", "/ Q.shape[-1] ** 1 / 2"),),
        hint=EXPONENT_CUT_IN_TWO,
    ),
    Misconception(
        "half_as_factor",
        "ScaledDotProduct",
        "divides by half of d_k, as `/ (d_k ** 1 / 2)` does",
        (("/ math.sqrt(Q.shape[-1])", "/ (Q.shape[-1] ** 1 / 2)"),),
        hint=EXPONENT_CUT_IN_TWO,
    ),
    Misconception(
        "scale_in_int",
        "ScaledDotProduct",
        "rounds the root down to a whole number",
        (("math.sqrt(Q.shape[-1])", "math.isqrt(Q.shape[-1])"),),
        hint=ROOT_CUT_TO_A_WHOLE,
    ),
    Misconception(
        "multiplied",
        "ScaledDotProduct",
        "multiplies by the root of d_k where it should divide",
        (("/ math", "* math"),),
        hint=WRONG_FACTOR,
    ),
    Misconception(
        "scale_T",
        "ScaledDotProduct",
        "takes the root of the number of queries",
        (("Q.shape[-1]", "Q.shape[-2]"),),
        hint=ROOT_OF_ANOTHER_SIZE,
    ),
    Misconception(
        "scale_S",
        "ScaledDotProduct",
        "takes the root of the number of keys",
        (("Q.shape[-1]", "K.shape[-2]"),),
        hint=ROOT_OF_ANOTHER_SIZE,
    ),
    Misconception(
        "d_k_of_the_example",
        "ScaledDotProduct",
        "divides by 2 whatever d_k is, right for the worked example's 4 only",
        (("math.sqrt(Q.shape[-1])", "2.0"),),
        hint=ROOT_CUT_TO_A_WHOLE,
    ),
    Misconception(
        "softmax_dim0",
        "ScaledDotProduct",
        "the softmax runs over dimension 0, in a batch from sequence to sequence",
        (("dim=-1", "dim=0"),),
        hint=SOFTMAX_WRONG_DIMENSION,
    ),
    Misconception(
        "softmax_default",
        "ScaledDotProduct",
        "leaves it to PyTorch to guess the dimension of the softmax",
        (("torch.softmax(", "nn.Softmax()("), (", dim=-1", "")),
        hint=SOFTMAX_WRONG_DIMENSION,
    ),
    Misconception(
        "scale_after",
        "ScaledDotProduct",
        "divides by the root of d_k after the softmax, not before",
        (("scores / math.sqrt(Q.shape[-1]), dim=-1)", "scores, dim=-1) / math.sqrt(Q.shape[-1])"),),
        hint=Hint(
            look=(
                "In the worked example, make both values 1. An average of ones is 1, if the "
                "weights add up to 1. What is your output?"
            ),
            think=(
                "Dividing before the softmax makes the shares more alike. What does dividing do "
                "to shares that already add up to 1?"
            ),
            nearly=(
                "Two of your steps stand in the wrong order. Which numbers does the root belong "
                "to, the scores or the weights?"
            ),
        ),
    ),
    Misconception(
        "swapped",
        "ScaledDotProduct",
        "has a row of scores for each key, not for each query",
        (("Q @ K.transpose", "K @ Q.transpose"),),
        hint=ROWS_AND_COLUMNS,
    ),
    Misconception(
        "bmm",
        "ScaledDotProduct",
        "uses torch.bmm or the like, which accepts three dimensions only",
        (
            ("Q @ K.transpose(-2, -1)", "torch.bmm(Q, K.transpose(-2, -1))"),
            ("weights @ V", "torch.bmm(weights, V)"),
        ),
        hint=BATCH_ONLY,
    ),
    Misconception(
        "returns_weights",
        "ScaledDotProduct",
        "stops at the weights, without the values",
        (("weights @ V", "weights"),),
        hint=VALUES_UNUSED,
    ),
    Misconception(
        "elementwise_v",
        "ScaledDotProduct",
        "multiplies each value by the sum of a row of weights",
        (("weights @ V", "weights.sum(dim=-1, keepdim=True) * V"),),
        hint=Hint(
            look=(
                "Take the worked example, which has one query. How many rows has your output, and "
                "where have you seen its numbers before?"
            ),
            think=(
                "All values flow into the one output of a query, each with its own weight. The "
                "weights of a row add up to 1; what do you still know about them after adding "
                "them up?"
            ),
            nearly=(
                "Look at your last step. A matrix product of weights and values adds up over the "
                "keys by itself; what stands in its place?"
            ),
        ),
    ),
    Misconception(
        "naive_exp",
        "ScaledDotProduct",
        "a softmax by hand that overflows for large scores",
        (
            ("torch.softmax(", "torch.exp("),
            (", dim=-1", ""),
            ("return weights", "return weights / weights.sum(dim=-1, keepdim=True)"),
        ),
        hint=SOFTMAX_BY_HAND,
    ),
    Misconception(
        "detached",
        "ScaledDotProduct",
        "cuts the weights off from the gradient",
        (("weights @ V", "weights.detach() @ V"),),
        hint=GRADIENT_CUT,
    ),
    Misconception(
        "values_detached",
        "ScaledDotProduct",
        "cuts the values off from the gradient",
        (("weights @ V", "weights @ V.detach()"),),
        hint=GRADIENT_CUT,
    ),
    Misconception(
        "keys_detached",
        "ScaledDotProduct",
        "cuts the keys off from the gradient",
        (("K.transpose", "K.detach().transpose"),),
        hint=GRADIENT_CUT,
    ),
    Misconception(
        "queries_detached",
        "ScaledDotProduct",
        "cuts the queries off from the gradient",
        (("Q @ K", "Q.detach() @ K"),),
        hint=GRADIENT_CUT,
    ),
    Misconception(
        "inplace",
        "ScaledDotProduct",
        "changes the Q that it is given",
        (
            ("scores / math.sqrt(Q.shape[-1])", "scores"),
            ("scores = ", "Q /= math.sqrt(Q.shape[-1])\n        scores = "),
        ),
        hint=INPUT_CHANGED,
    ),
    Misconception(
        "softmax_queries",
        "ScaledDotProduct",
        "the softmax runs over the queries: columns add up to 1",
        (("dim=-1", "dim=-2"),),
        hint=SOFTMAX_WRONG_DIMENSION,
    ),
    Misconception(
        "softmax_dim1",
        "ScaledDotProduct",
        "the softmax runs over dimension 1, which is right for one sentence only",
        (("dim=-1", "dim=1"),),
        hint=SOFTMAX_WRONG_DIMENSION,
    ),
    Misconception(
        "softmax_matrix",
        "ScaledDotProduct",
        "one softmax for the whole matrix of scores",
        (
            ("scores / math", "scores.flatten(-2) / math"),
            ("weights @ V", "weights.reshape(scores.shape) @ V"),
        ),
        hint=Hint(
            look=(
                "Take 2 queries and 2 keys. Add up each row of your weights, then the whole "
                "matrix. Which sum is 1?"
            ),
            think=(
                "Every query has a whole of its own to share out. Should it get less because "
                "there are other queries in the sentence?"
            ),
            nearly=(
                "Look at the shape of the scores on their way into the softmax, or at the sum by "
                "which you divide. Each row is to be shared out by itself."
            ),
        ),
    ),
    Misconception(
        "softmax_twice",
        "ScaledDotProduct",
        "applies a second softmax to the weights",
        (("weights @ V", "torch.softmax(weights, dim=-1) @ V"),),
        hint=Hint(
            look=(
                "In the worked example the weights are 0.7311 and 0.2689. By which numbers are "
                "your values multiplied? Make the query 1000 times as long: does the larger "
                "weight come close to 1?"
            ),
            think=(
                "The numbers that a softmax gives all lie between 0 and 1, so they are close "
                "together. What does another softmax make of such numbers?"
            ),
            nearly=(
                "Follow the scores on their way to the values, and count how often a softmax is "
                "applied to them."
            ),
        ),
    ),
    Misconception(
        "no_softmax",
        "ScaledDotProduct",
        "uses the scaled scores themselves as weights",
        (("torch.softmax(", ""), (", dim=-1)", "")),
        hint=NO_SHARES,
    ),
    Misconception(
        "log_softmax",
        "ScaledDotProduct",
        "takes the logarithms of the weights for the weights",
        (("torch.softmax", "torch.log_softmax"),),
        hint=NO_SHARES,
    ),
    Misconception(
        "scale_shape_1",
        "ScaledDotProduct",
        "reads d_k from dimension 1, where a batch has its tokens",
        (("Q.shape[-1]", "Q.shape[1]"),),
        hint=COUNTED_FROM_THE_FRONT,
    ),
    Misconception(
        "scale_dv",
        "ScaledDotProduct",
        "takes the root of the size of a value",
        (("Q.shape[-1]", "V.shape[-1]"),),
        hint=ROOT_OF_ANOTHER_SIZE,
    ),
    Misconception(
        "reversed_dims",
        "ScaledDotProduct",
        "turns around all dimensions of the keys, also those of a batch, as .T does",
        (("K.transpose(-2, -1)", "K.T"),),
        hint=COUNTED_FROM_THE_FRONT,
    ),
    Misconception(
        "transpose_1_2",
        "ScaledDotProduct",
        "exchanges dimensions 1 and 2 of the keys, counted from the front",
        (("(-2, -1)", "(1, 2)"),),
        hint=BATCH_ONLY,
    ),
    Misconception(
        "weights_transposed",
        "ScaledDotProduct",
        "mixes the values by the columns of the weights",
        (("weights @ V", "weights.transpose(-2, -1) @ V"),),
        hint=ROWS_AND_COLUMNS,
    ),
    Misconception(
        "mixes_keys",
        "ScaledDotProduct",
        "averages the keys where the values belong",
        (("weights @ V", "weights @ K"),),
        hint=VALUES_UNUSED,
    ),
    Misconception(
        "relu_on_values",
        "ScaledDotProduct",
        "sets negative numbers among the values to 0",
        (("weights @ V", "weights @ torch.relu(V)"),),
        hint=VALUES_BENT,
    ),
    Misconception(
        "causal",
        "ScaledDotProduct",
        "hides later keys from a query, which nobody asked for",
        (
            (
                "weights = ",
                (
                    "future = torch.ones_like(scores, dtype=torch.bool).triu(1)\n"
                    '        scores = scores.masked_fill(future, float("-inf"))\n'
                    "        weights = "
                ),
            ),
        ),
        hint=LATER_HIDDEN,
    ),
    Misconception(
        "causal_square",
        "ScaledDotProduct",
        "hides later keys from a query, which nobody asked for",
        (
            (
                "weights = ",
                (
                    "L = Q.shape[-2]\n        future = torch.ones(L, L, dtype=torch.bool, "
                    "device=Q.device).triu(1)\n        scores = scores.masked_fill(future, "
                    'float("-inf"))\n        weights = '
                ),
            ),
        ),
        hint=LATER_HIDDEN,
    ),
    Misconception(
        "dropout",
        "ScaledDotProduct",
        "drops weights at random",
        (("weights @ V", "nn.functional.dropout(weights, 0.1) @ V"),),
        hint=DROPOUT,
    ),
    Misconception(
        "dropout_half",
        "ScaledDotProduct",
        "drops weights at random",
        (
            ("super().__init__()", "super().__init__()\n        self.dropout = nn.Dropout(0.5)"),
            ("weights @ V", "self.dropout(weights) @ V"),
        ),
        hint=DROPOUT,
    ),
    Misconception(
        "dropout_fifth",
        "ScaledDotProduct",
        "drops weights at random",
        (
            ("super().__init__()", "super().__init__()\n        self.dropout = nn.Dropout(0.2)"),
            ("weights @ V", "self.dropout(weights) @ V"),
        ),
        hint=DROPOUT,
    ),
    Misconception(
        "dropout_module",
        "ScaledDotProduct",
        "drops weights at random",
        (
            ("super().__init__()", "super().__init__()\n        self.dropout = nn.Dropout(0.1)"),
            ("weights @ V", "self.dropout(weights) @ V"),
        ),
        hint=DROPOUT,
    ),
    Misconception(
        "global_max",
        "ScaledDotProduct",
        "a softmax by hand that subtracts one maximum from all rows, so that some vanish",
        (
            (
                "torch.softmax(scores / math.sqrt(Q.shape[-1]), dim=-1)",
                "torch.exp(scores - scores.max())",
            ),
            ("weights = ", "scores = scores / math.sqrt(Q.shape[-1])\n        weights = "),
            ("return weights", "return weights / weights.sum(dim=-1, keepdim=True)"),
        ),
        hint=SOFTMAX_BY_HAND,
    ),
    Misconception(
        "clamped",
        "ScaledDotProduct",
        "cuts the scores off at a limit",
        (("scores / math", "scores.clamp(-50, 50) / math"),),
        hint=SCORES_CUT_OFF,
    ),
    Misconception(
        "squeezed",
        "ScaledDotProduct",
        "loses dimensions of size 1 in the result",
        (("return weights @ V", "return (weights @ V).squeeze()"),),
        hint=DIMENSION_LOST,
    ),
    Misconception(
        "cosine",
        "ScaledDotProduct",
        "takes the cosine of query and key for their dot product",
        (
            (
                "Q @ K.transpose",
                (
                    "nn.functional.normalize(Q, dim=-1) "
                    "@ nn.functional.normalize(K, dim=-1).transpose"
                ),
            ),
        ),
        hint=SCORES_CHANGED,
    ),
    Misconception(
        "relu_scores",
        "ScaledDotProduct",
        "sets negative scores to 0 before the softmax",
        (("torch.softmax(scores /", "torch.softmax(torch.relu(scores) /"),),
        hint=SCORES_CHANGED,
    ),
    Misconception(
        "returns_both",
        "ScaledDotProduct",
        "returns the weights along with the output",
        (("return weights @ V", "return weights @ V, weights"),),
        hint=Hint(
            look="Print the type of what your module returns. How many things are in it?",
            think=(
                "The next module takes the result and goes on computing with it. Can it do that "
                "with a pair?"
            ),
            nearly=(
                "The first part of your result is right. Look at what stands behind `return`: "
                "what does the statement ask for besides the output?"
            ),
        ),
    ),
    Misconception(
        "zero_scores_hidden",
        "ScaledDotProduct",
        "hides scores that are 0, as if 0 marked a hidden place",
        (
            (
                "torch.softmax(scores / math",
                "torch.softmax(scores.masked_fill(scores == 0, -1e9) / math",
            ),
        ),
        hint=ZERO_IS_A_SCORE,
    ),
    Misconception(
        "keys_reshaped",
        "ScaledDotProduct",
        "reshapes the keys where it should transpose them",
        (("K.transpose(-2, -1)", "K.reshape(*K.shape[:-2], K.shape[-1], K.shape[-2])"),),
        hint=RESHAPED_NOT_TRANSPOSED,
    ),
    Misconception(
        "keys_not_transposed",
        "ScaledDotProduct",
        "multiplies by the keys without transposing them",
        (("K.transpose(-2, -1)", "K"),),
        hint=ROWS_AND_COLUMNS,
    ),
    Misconception(
        "root_kept",
        "ScaledDotProduct",
        "keeps d_k of the first call for all later ones",
        (
            ("super().__init__()", ("super().__init__()\n        self.root = 0.0")),
            (
                "        scores = Q",
                ("        self.root = self.root or math.sqrt(Q.shape[-1])\n        scores = Q"),
            ),
            ("scores / math.sqrt(Q.shape[-1])", "scores / self.root"),
        ),
        hint=KEPT_FROM_ONE_CALL,
    ),
    Misconception(
        "root_of_64",
        "ScaledDotProduct",
        "divides by 8 whatever d_k is, right for a d_k of 64 only",
        (("math.sqrt(Q.shape[-1])", "8"),),
        hint=ROOT_CUT_TO_A_WHOLE,
    ),
    Misconception(
        "sigmoid",
        "ScaledDotProduct",
        "a sigmoid in place of the softmax",
        (
            (
                "torch.softmax(scores / math.sqrt(Q.shape[-1]), dim=-1)",
                "torch.sigmoid(scores / math.sqrt(Q.shape[-1]))",
            ),
        ),
        hint=NO_SHARES,
    ),
    Misconception(
        "divided_by_sum",
        "ScaledDotProduct",
        "divides the scores by their sum, with no exponential",
        (
            (
                "torch.softmax(scores / math.sqrt(Q.shape[-1]), dim=-1)",
                "scores / scores.sum(dim=-1, keepdim=True)",
            ),
        ),
        hint=NO_SHARES,
    ),
    Misconception(
        "one_added",
        "ScaledDotProduct",
        "a softmax by hand that adds one to the sum, so that rows do not add up to 1",
        (
            (
                "torch.softmax(scores / math.sqrt(Q.shape[-1]), dim=-1)",
                "torch.exp(scores - scores.amax(-1, keepdim=True))",
            ),
            ("weights = ", ("scores = scores / math.sqrt(Q.shape[-1])\n        weights = ")),
            ("return weights", "return weights / (1 + weights.sum(dim=-1, keepdim=True))"),
        ),
        hint=NO_SHARES,
    ),
    Misconception(
        "softmax_dim2",
        "ScaledDotProduct",
        "the softmax runs over dimension 2, which one sentence does not have",
        (("dim=-1", "dim=2"),),
        hint=SOFTMAX_WRONG_DIMENSION,
    ),
    Misconception(
        "einsum_batch_only",
        "ScaledDotProduct",
        "an einsum that knows three dimensions and no others",
        (("Q @ K.transpose(-2, -1)", 'torch.einsum("bld,bsd->bls", Q, K)'),),
        hint=COUNTED_FROM_THE_FRONT,
    ),
    Misconception(
        "permute_three",
        "ScaledDotProduct",
        "permutes three dimensions by number",
        (("K.transpose(-2, -1)", "K.permute(0, 2, 1)"),),
        hint=COUNTED_FROM_THE_FRONT,
    ),
    Misconception(
        "transpose_0_1",
        "ScaledDotProduct",
        "exchanges dimensions 0 and 1, which is right for one sentence only",
        (("K.transpose(-2, -1)", "K.transpose(0, 1)"),),
        hint=COUNTED_FROM_THE_FRONT,
    ),
    Misconception(
        "scale_shape_0",
        "ScaledDotProduct",
        "reads d_k from dimension 0",
        (("math.sqrt(Q.shape[-1])", "math.sqrt(Q.shape[0])"),),
        hint=COUNTED_FROM_THE_FRONT,
    ),
    Misconception(
        "weights_transposed_einsum",
        "ScaledDotProduct",
        "mixes the values by the columns of the weights",
        (("return weights @ V", 'return torch.einsum("...ls,...lv->...sv", weights, V)'),),
        hint=ROWS_AND_COLUMNS,
    ),
    Misconception(
        "weights_transposed_in_einsum",
        "ScaledDotProduct",
        "mixes the values by the columns of the weights",
        (("return weights @ V", 'return torch.einsum("...sl,...sv->...lv", weights, V)'),),
        hint=ROWS_AND_COLUMNS,
    ),
    Misconception(
        "inplace_no_grad",
        "ScaledDotProduct",
        "changes the Q that it is given, out of the gradient's sight",
        (
            ("scores / math.sqrt(Q.shape[-1])", "scores"),
            (
                "scores = ",
                (
                    "with torch.no_grad():\n"
                    "            Q.div_(math.sqrt(Q.shape[-1]))\n"
                    "        scores = "
                ),
            ),
        ),
        hint=INPUT_CHANGED,
    ),
    Misconception(
        "clamped_low",
        "ScaledDotProduct",
        "cuts the scores off at a limit",
        (("scores / math.sqrt(Q.shape[-1])", "(scores / math.sqrt(Q.shape[-1])).clamp(-10, 10)"),),
        hint=SCORES_CUT_OFF,
    ),
    Misconception(
        "sequences_laid_flat",
        "ScaledDotProduct",
        "lets queries see the keys of all sequences of a batch, as if they were one",
        (
            (
                "        scores = Q",
                (
                    "        shape, Q, K, V = Q.shape, Q.flatten(0, -2), K.flatten(0, "
                    "-2), V.flatten(0, -2)\n"
                    "        scores = Q"
                ),
            ),
            ("return weights @ V", "return (weights @ V).reshape(*shape[:-1], V.shape[-1])"),
        ),
        hint=BATCH_LAID_FLAT,
    ),
    Misconception(
        "no_super",
        "ScaledDotProduct",
        "never lets nn.Module prepare itself",
        (("super().__init__()", "pass"),),
        hint=MODULE_NOT_PREPARED,
    ),
    Misconception(
        "no_return",
        "ScaledDotProduct",
        "gives back None, not the output",
        (("return weights @ V", "weights @ V"),),
        hint=NOTHING_RETURNED,
    ),
    Misconception(
        "values_by_weights",
        "ScaledDotProduct",
        "multiplies the values by the weights: the factors in the wrong order",
        (("weights @ V", "V @ weights"),),
        hint=ROWS_AND_COLUMNS,
    ),
    Misconception(
        "order_kqv",
        "AttentionHead",
        "W_q makes the keys and W_k the queries: another layout of the weights",
        (("(queries, keys, values)", "(keys, queries, values)"),),
        hint=HANDED_OVER_IN_DISORDER,
    ),
    Misconception(
        "values_X",
        "AttentionHead",
        "averages the raw input and leaves the values unused",
        (("(queries, keys, values)", "(queries, keys, X)"),),
        hint=PROJECTION_UNUSED,
    ),
    Misconception(
        "no_return",
        "AttentionHead",
        "gives back None, not the output",
        (("return self.", "self."),),
        hint=Hint(
            look="Print what your head gives back for the two tokens of the worked example.",
            think=(
                "A function in Python that does not say what it hands back hands back None, "
                "however much it has computed."
            ),
            nearly=(
                "Look at the end of `forward`: does a `return` stand there, and the result "
                "behind it?"
            ),
        ),
    ),
    Misconception(
        "new_in_forward",
        "AttentionHead",
        "QueryKeyValue is not registered as a part of the module",
        (
            ("self.qkv_mechanism = QueryKeyValue(dim_h, dim_k)", "self.sizes = dim_h, dim_k"),
            ("self.qkv_mechanism(X)", "QueryKeyValue(*self.sizes)(X)"),
        ),
        hint=MADE_AT_EVERY_CALL,
    ),
    Misconception(
        "part_in_list",
        "AttentionHead",
        "QueryKeyValue is not registered as a part of the module",
        (
            (
                "self.qkv_mechanism = QueryKeyValue(dim_h, dim_k)",
                "self.parts = [QueryKeyValue(dim_h, dim_k)]",
            ),
            ("self.qkv_mechanism(X)", "self.parts[0](X)"),
        ),
        hint=MADE_AT_EVERY_CALL,
    ),
    Misconception(
        "keys_twice",
        "AttentionHead",
        "compares the keys with each other; the queries are not used",
        (("(queries, keys, values)", "(keys, keys, values)"),),
        hint=PROJECTION_UNUSED,
    ),
    Misconception(
        "causal",
        "AttentionHead",
        "hides later tokens, which nobody asked for",
        (
            (
                "return self.scaled_dot_product(queries, keys, values)",
                (
                    "scores = queries @ keys.mT / keys.shape[-1] ** 0.5\n        later = "
                    "torch.ones_like(scores, dtype=torch.bool).triu(1)\n        return "
                    "scores.masked_fill(later, -torch.inf).softmax(-1) @ values"
                ),
            ),
        ),
        hint=LATER_TOKENS_HIDDEN,
    ),
    Misconception(
        "dims_swapped",
        "AttentionHead",
        "builds QueryKeyValue with dim_k and dim_h exchanged",
        (("QueryKeyValue(dim_h, dim_k)", "QueryKeyValue(dim_k, dim_h)"),),
        hint=SIZES_EXCHANGED,
    ),
    Misconception(
        "residual",
        "AttentionHead",
        "adds X to the result where the shapes allow it",
        (
            ("return self.", "attended = self."),
            (
                "(queries, keys, values)",
                (
                    "(queries, keys, values)\n"
                    "        return X + attended if attended.shape == X.shape else attended"
                ),
            ),
        ),
        hint=EXTRA_SKIP,
    ),
    Misconception(
        "applied_twice",
        "AttentionHead",
        "lets the result attend to itself once more",
        (
            ("return self.", "attended = self."),
            (
                "(queries, keys, values)",
                (
                    "(queries, keys, values)\n"
                    "        return self.scaled_dot_product(attended, attended, attended)"
                ),
            ),
        ),
        hint=MORE_THAN_ONE_PASS,
    ),
    Misconception(
        "other_names",
        "AttentionHead",
        "calls the two parts attention and qkv",
        (
            ("self.scaled_dot_product = ", "self.attention = "),
            ("self.qkv_mechanism = ", "self.qkv = "),
            ("self.qkv_mechanism(", "self.qkv("),
            ("self.scaled_dot_product(", "self.attention("),
        ),
        hint=OTHER_NAMES,
    ),
    Misconception(
        "no_super",
        "AttentionHead",
        "assigns a part to self before nn.Module has prepared itself, if it ever does",
        (("        super().__init__()\n", ""),),
        hint=MODULE_NOT_PREPARED,
    ),
    Misconception(
        "order_qvk",
        "AttentionHead",
        "the values serve as keys, and the keys as values",
        (("(queries, keys, values)", "(queries, values, keys)"),),
        hint=HANDED_OVER_IN_DISORDER,
    ),
    Misconception(
        "queries_as_keys",
        "AttentionHead",
        "compares the queries with each other; the keys are not used",
        (("(queries, keys, values)", "(queries, queries, values)"),),
        hint=PROJECTION_UNUSED,
    ),
    Misconception(
        "keys_as_values",
        "AttentionHead",
        "averages the keys; the values are not used",
        (("(queries, keys, values)", "(queries, keys, keys)"),),
        hint=PROJECTION_UNUSED,
    ),
    Misconception(
        "scores_of_input",
        "AttentionHead",
        "compares the raw tokens and projects only the values",
        (("(queries, keys, values)", "(X, X, values)"),),
        hint=PROJECTION_UNUSED,
    ),
    Misconception(
        "dim_h_twice",
        "AttentionHead",
        "projects to dim_h features, not to dim_k",
        (("QueryKeyValue(dim_h, dim_k)", "QueryKeyValue(dim_h, dim_h)"),),
        hint=Hint(
            look=(
                "Give two tokens to `AttentionHead(5, 3)`. Which shape has the output, and which "
                "does the statement promise?"
            ),
            think=(
                "One of the two sizes says how many features come in, the other how long queries, "
                "keys and values are. Which of them does your head never use?"
            ),
            nearly="Look at the sizes that you hand to `QueryKeyValue` in `__init__`.",
        ),
    ),
    Misconception(
        "scaled_twice",
        "AttentionHead",
        "divides the scores twice by the root of dim_k",
        (("(queries, keys, values)", "(queries / math.sqrt(queries.shape[-1]), keys, values)"),),
        hint=MORE_THAN_ONE_PASS,
    ),
    Misconception(
        "output_linear",
        "AttentionHead",
        "sends the result through a linear layer of its own",
        (
            ("dim_h, dim_k)\n", "dim_h, dim_k)\n        self.output = nn.Linear(dim_k, dim_k)\n"),
            ("return self.scaled_dot_product(", "return self.output(self.scaled_dot_product("),
            ("(queries, keys, values)", "(queries, keys, values))"),
        ),
        hint=MORE_THAN_ONE_PASS,
    ),
    Misconception(
        "class_not_object",
        "AttentionHead",
        "calls the class ScaledDotProduct itself, where an object of it is needed",
        (("ScaledDotProduct()", "ScaledDotProduct"),),
        hint=Hint(
            look=(
                "Read the last line of the error: which method of `ScaledDotProduct` complains "
                "about its arguments, `forward` or `__init__`?"
            ),
            think=(
                "A class is a plan for building, an object is what has been built. Which of them "
                "can attend?"
            ),
            nearly=(
                "Look at every place where `ScaledDotProduct` stands in your class: is an object "
                "made of it, with parentheses of its own, and is it this object that gets "
                "queries, keys and values?"
            ),
        ),
    ),
    Misconception(
        "no_grad",
        "AttentionHead",
        "cuts the result off from the gradient",
        (
            (
                "queries, keys, values =",
                "with torch.no_grad():\n            queries, keys, values =",
            ),
        ),
        hint=GRADIENT_CUT,
    ),
    Misconception(
        "batch_loop",
        "AttentionHead",
        "takes the first dimension for the batch, which a single sentence does not have",
        (
            ("return self.", "return torch.stack([self."),
            ("(queries, keys, values)", "(*qkv) for qkv in zip(queries, keys, values)])"),
        ),
        hint=BATCH_ONLY,
    ),
    Misconception(
        "adds_batch",
        "AttentionHead",
        "gives a single sentence back as a batch of one",
        (
            (
                "queries, keys, values = ",
                "X = X[None] if X.dim() == 2 else X\n        queries, keys, values = ",
            ),
        ),
        hint=DIMENSION_ADDED,
    ),
    Misconception(
        "squeezed",
        "AttentionHead",
        "loses dimensions of size 1 in the result",
        (("(queries, keys, values)", "(queries, keys, values).squeeze()"),),
        hint=DIMENSION_LOST,
    ),
    Misconception(
        "pooled",
        "AttentionHead",
        "averages the tokens to one vector for the whole sentence",
        (("(queries, keys, values)", "(queries, keys, values).mean(dim=-2)"),),
        hint=Hint(
            look="Give two tokens to your head. How many rows has the output?",
            think=(
                "Every token asks its own question and gets its own answer. Where do the answers "
                "become one?"
            ),
            nearly=(
                "`ScaledDotProduct` averages already, for each query by itself. What do you do "
                "with its result before you hand it back?"
            ),
        ),
    ),
    Misconception(
        "out_proj",
        "AttentionHead",
        "has one more linear layer behind the attention",
        (
            (
                "        self.qkv_mechanism = QueryKeyValue(dim_h, dim_k)\n",
                "        self.qkv_mechanism = QueryKeyValue(dim_h, dim_k)\n"
                "        self.out_proj = nn.Linear(dim_k, dim_k)\n",
            ),
            (
                "return self.scaled_dot_product(queries, keys, values)",
                "return self.out_proj(self.scaled_dot_product(queries, keys, values))",
            ),
        ),
        hint=LAYER_BEHIND_THE_HEAD,
    ),
    Misconception(
        "squeezed_in_front",
        "AttentionHead",
        "removes a dimension in front if its size is 1",
        (
            (
                "return self.scaled_dot_product(queries, keys, values)",
                "return self.scaled_dot_product(queries, keys, values).squeeze(0)",
            ),
        ),
        hint=DIMENSION_LOST,
    ),
    Misconception(
        "sizes_exchanged",
        "AttentionHead",
        "builds QueryKeyValue with dim_k and dim_h exchanged",
        (("QueryKeyValue(dim_h, dim_k)", "QueryKeyValue(dim_k, dim_h)"),),
        hint=SIZES_EXCHANGED,
    ),
    Misconception(
        "order_vkq",
        "AttentionHead",
        "the values serve as queries, and the queries as values",
        (
            (
                "return self.scaled_dot_product(queries, keys, values)",
                "return self.scaled_dot_product(values, keys, queries)",
            ),
        ),
        hint=HANDED_OVER_IN_DISORDER,
    ),
    Misconception(
        "order_vqk",
        "AttentionHead",
        "the values serve as queries, the queries as keys, the keys as values",
        (
            (
                "return self.scaled_dot_product(queries, keys, values)",
                "return self.scaled_dot_product(values, queries, keys)",
            ),
        ),
        hint=HANDED_OVER_IN_DISORDER,
    ),
    Misconception(
        "order_kvq",
        "AttentionHead",
        "the keys serve as queries, the values as keys, the queries as values",
        (
            (
                "return self.scaled_dot_product(queries, keys, values)",
                "return self.scaled_dot_product(keys, values, queries)",
            ),
        ),
        hint=HANDED_OVER_IN_DISORDER,
    ),
    Misconception(
        "remade_in_forward",
        "AttentionHead",
        "replaces QueryKeyValue by a fresh one in every call",
        (
            ("self.qkv_mechanism = QueryKeyValue(dim_h, dim_k)", "self.sizes = dim_h, dim_k"),
            (
                "        queries, keys",
                ("        self.qkv_mechanism = QueryKeyValue(*self.sizes)\n        queries, keys"),
            ),
        ),
        hint=MADE_AT_EVERY_CALL,
    ),
    Misconception(
        "replaced_in_forward",
        "AttentionHead",
        "replaces QueryKeyValue by a fresh one in every call",
        (
            (
                "        self.qkv_mechanism",
                ("        self.sizes = dim_h, dim_k\n        self.qkv_mechanism"),
            ),
            (
                "        queries, keys",
                (
                    "        self.qkv_mechanism = QueryKeyValue(*self.sizes).to(X)\n"
                    "        queries, keys"
                ),
            ),
        ),
        hint=REPLACED_AT_EVERY_CALL,
    ),
    Misconception(
        "replaced_in_float32",
        "AttentionHead",
        "replaces QueryKeyValue by a fresh one in every call",
        (
            (
                "        self.qkv_mechanism",
                ("        self.sizes = dim_h, dim_k\n        self.qkv_mechanism"),
            ),
            (
                "        queries, keys",
                ("        self.qkv_mechanism = QueryKeyValue(*self.sizes)\n        queries, keys"),
            ),
        ),
        hint=REPLACED_AT_EVERY_CALL,
    ),
    Misconception(
        "out_proj_first",
        "AttentionHead",
        "has one more linear layer behind the attention",
        (
            (
                "        self.scaled_dot_product = ",
                (
                    "        self.out_proj = nn.Linear(dim_k, dim_k)\n"
                    "        self.scaled_dot_product = "
                ),
            ),
            (
                "return self.scaled_dot_product(queries, keys, values)",
                "return self.out_proj(self.scaled_dot_product(queries, keys, values))",
            ),
        ),
        hint=LAYER_BEHIND_THE_HEAD,
    ),
    Misconception(
        "out",
        "AttentionHead",
        "has one more linear layer behind the attention",
        (
            (
                "        self.qkv_mechanism = QueryKeyValue(dim_h, dim_k)\n",
                (
                    "        self.qkv_mechanism = QueryKeyValue(dim_h, dim_k)\n"
                    "        self.out = nn.Linear(dim_k, dim_k)\n"
                ),
            ),
            (
                "return self.scaled_dot_product(queries, keys, values)",
                "return self.out(self.scaled_dot_product(queries, keys, values))",
            ),
        ),
        hint=LAYER_BEHIND_THE_HEAD,
    ),
    Misconception(
        "dropout",
        "AttentionHead",
        "a dropout on the result, which nobody asked for",
        (
            (
                "return self.scaled_dot_product(queries, keys, values)",
                (
                    "found = self.scaled_dot_product(queries, keys, values)\n"
                    "        return nn.functional.dropout(found, 0.1, self.training)"
                ),
            ),
        ),
        hint=DROPOUT,
    ),
    Misconception(
        "dropout_fifth",
        "AttentionHead",
        "a dropout on the result, which nobody asked for",
        (
            (
                "return self.scaled_dot_product(queries, keys, values)",
                (
                    "found = self.scaled_dot_product(queries, keys, values)\n"
                    "        return nn.functional.dropout(found, 0.2, self.training)"
                ),
            ),
        ),
        hint=DROPOUT,
    ),
    Misconception(
        "norm_before",
        "AttentionHead",
        "normalises its input, which is the task of the layer around it",
        (
            (
                "self.qkv_mechanism(X)",
                "self.qkv_mechanism(nn.functional.layer_norm(X, X.shape[-1:]))",
            ),
        ),
        hint=INPUT_NORMALISED,
    ),
    Misconception(
        "last_token",
        "AttentionHead",
        "gives the result of the last token only",
        (
            (
                "return self.scaled_dot_product(queries, keys, values)",
                "return self.scaled_dot_product(queries[..., -1:, :], keys, values)",
            ),
        ),
        hint=LAST_TOKEN_ONLY,
    ),
    Misconception(
        "batch_second",
        "AttentionHead",
        "takes the batch for the tokens, as nn.MultiheadAttention does by default",
        (
            ("self.qkv_mechanism(X)", "self.qkv_mechanism(X.transpose(0, -2))"),
            (
                "return self.scaled_dot_product(queries, keys, values)",
                "return self.scaled_dot_product(queries, keys, values).transpose(0, -2)",
            ),
        ),
        hint=BATCH_FOR_TOKENS,
    ),
    Misconception(
        "sequences_laid_flat",
        "AttentionHead",
        "lets tokens see those of all sequences of a batch, as if they were one",
        (
            ("self.qkv_mechanism(X)", "self.qkv_mechanism(X.reshape(-1, X.shape[-1]))"),
            (
                "return self.scaled_dot_product(queries, keys, values)",
                (
                    "found = self.scaled_dot_product(queries, keys, values)\n"
                    "        return found.reshape(*X.shape[:-1], -1)"
                ),
            ),
        ),
        hint=BATCH_LAID_FLAT,
    ),
    Misconception(
        "values_detached",
        "AttentionHead",
        "cuts the values off from the gradient",
        (
            (
                "return self.scaled_dot_product(queries, keys, values)",
                "return self.scaled_dot_product(queries, keys, values.detach())",
            ),
        ),
        hint=GRADIENT_CUT,
    ),
    Misconception(
        "queries_detached",
        "AttentionHead",
        "cuts the queries off from the gradient",
        (
            (
                "return self.scaled_dot_product(queries, keys, values)",
                "return self.scaled_dot_product(queries.detach(), keys, values)",
            ),
        ),
        hint=GRADIENT_CUT,
    ),
    Misconception(
        "keys_detached",
        "AttentionHead",
        "cuts the keys off from the gradient",
        (
            (
                "return self.scaled_dot_product(queries, keys, values)",
                "return self.scaled_dot_product(queries, keys.detach(), values)",
            ),
        ),
        hint=GRADIENT_CUT,
    ),
    Misconception(
        "attends_to_input",
        "AttentionHead",
        "lets X attend to itself and uses no projection",
        (
            (
                "return self.scaled_dot_product(queries, keys, values)",
                "return self.scaled_dot_product(X, X, X)",
            ),
        ),
        hint=PROJECTION_UNUSED,
    ),
    Misconception(
        "no_activation",
        "FeedForwardLayer",
        "nothing bends between the two linear layers",
        (("        x = self.activation(x)\n", ""),),
        hint=ACTIVATION_OUT_OF_PLACE,
    ),
    Misconception(
        "gelu_tanh",
        "FeedForwardLayer",
        "GELU's tanh approximation",
        (("nn.GELU()", 'nn.GELU(approximate="tanh")'),),
        hint=OTHER_ACTIVATION,
    ),
    Misconception(
        "act_after",
        "FeedForwardLayer",
        "bends the result of the second layer, not of the first",
        (
            ("        x = self.activation(x)\n", ""),
            ("self.secondlayer(x)", "self.activation(self.secondlayer(x))"),
        ),
        hint=ACTIVATION_OUT_OF_PLACE,
    ),
    Misconception(
        "no_bias",
        "FeedForwardLayer",
        "neither linear layer has a bias",
        (
            ("dim_h, dim_expanded)", "dim_h, dim_expanded, bias=False)"),
            ("dim_expanded, dim_h)", "dim_expanded, dim_h, bias=False)"),
        ),
        hint=BIAS_MISSING,
    ),
    Misconception(
        "first_only",
        "FeedForwardLayer",
        "stops before the second layer, in the wide features",
        (("return self.secondlayer(x)", "return x"),),
        hint=Hint(
            look=(
                "Give an input of shape (2, 3, 5) to `FeedForwardLayer(5, 7)`. What is the last "
                "size of the output?"
            ),
            think=(
                "The features are widened for a while only. Which layer brings them back, so that "
                "the output fits the input?"
            ),
            nearly="You make three parts in `__init__`. How many of them does `forward` use?",
        ),
    ),
    Misconception(
        "softmax_act",
        "FeedForwardLayer",
        "a softmax as activation",
        (("nn.GELU()", "nn.Softmax(dim=-1)"),),
        hint=OTHER_ACTIVATION,
    ),
    Misconception(
        "flatten",
        "FeedForwardLayer",
        "mixes features of several tokens, as a reshape in the wrong order does",
        (("self.firstlayer(x)", "self.firstlayer(x.transpose(-2, -1).reshape(x.shape))"),),
        hint=Hint(
            look=(
                "Put in a few tokens, change one of them, and put them in again. Which rows of "
                "the output have changed?"
            ),
            think=(
                "Every token is to pass alone, so nobody else's result may depend on it. Where "
                "could features of different tokens get mixed?"
            ),
            nearly=(
                "Look for a `reshape` or `transpose` on the way into the first layer. A linear "
                "layer works on the last dimension and leaves the others alone, so what is it "
                "for?"
            ),
        ),
    ),
    Misconception(
        "tied",
        "FeedForwardLayer",
        "narrows with the first layer's weight, transposed, and not with the second's",
        (
            (
                "return self.secondlayer(x)",
                "return x @ self.firstlayer.weight + self.secondlayer.bias",
            ),
        ),
        hint=Hint(
            look="Fill `secondlayer.weight` with other numbers. Does the output change?",
            think=(
                "Widening and narrowing are two steps that are to be learned apart. Whose numbers "
                "do the narrowing in yours?"
            ),
            nearly=(
                "Look at the product that narrows: which layer does its weight come from, and "
                "which layer is there to do this work?"
            ),
        ),
    ),
    Misconception(
        "relu",
        "FeedForwardLayer",
        "a ReLU as activation",
        (("nn.GELU()", "nn.ReLU()"),),
        hint=OTHER_ACTIVATION,
    ),
    Misconception(
        "silu",
        "FeedForwardLayer",
        "a SiLU, x times its sigmoid, as activation",
        (("nn.GELU()", "nn.SiLU()"),),
        hint=OTHER_ACTIVATION,
    ),
    Misconception(
        "first_detached",
        "FeedForwardLayer",
        "cuts the first layer off from the gradient",
        (("x = self.firstlayer(x)", "x = self.firstlayer(x).detach()"),),
        hint=GRADIENT_CUT,
    ),
    Misconception(
        "erf_without_root",
        "FeedForwardLayer",
        "a GELU without the root of 2 under x",
        (("x = self.activation(x)", "x = 0.5 * x * (1 + torch.erf(x))"),),
        hint=OTHER_ACTIVATION,
    ),
    Misconception(
        "quick_gelu",
        "FeedForwardLayer",
        "GELU's approximation by a sigmoid",
        (("self.activation(x)", "x * torch.sigmoid(1.702 * x)"),),
        hint=OTHER_ACTIVATION,
    ),
    Misconception(
        "act_first",
        "FeedForwardLayer",
        "bends the input, before the first layer",
        (
            ("        x = self.activation(x)\n", ""),
            ("self.firstlayer(x)", "self.firstlayer(self.activation(x))"),
        ),
        hint=ACTIVATION_OUT_OF_PLACE,
    ),
    Misconception(
        "act_twice",
        "FeedForwardLayer",
        "bends after both layers",
        (("self.secondlayer(x)", "self.activation(self.secondlayer(x))"),),
        hint=ACTIVATION_OUT_OF_PLACE,
    ),
    Misconception(
        "residual",
        "FeedForwardLayer",
        "adds the input, which is the task of the layer around it",
        (
            ("x = self.firstlayer", "skip = x\n        x = self.firstlayer"),
            ("return ", "return skip + "),
        ),
        hint=EXTRA_SKIP,
    ),
    Misconception(
        "dropout",
        "FeedForwardLayer",
        "a dropout after the activation, which nobody asked for",
        (
            ("nn.GELU()", "nn.GELU()\n        self.dropout = nn.Dropout(0.1)"),
            ("self.activation(x)", "self.dropout(self.activation(x))"),
        ),
        hint=DROPOUT,
    ),
    Misconception(
        "dropout_tenth_at_the_end",
        "FeedForwardLayer",
        "a dropout after the second layer, which nobody asked for",
        (
            ("nn.GELU()", "nn.GELU()\n        self.dropout = nn.Dropout(0.1)"),
            ("return self.secondlayer(x)", "return self.dropout(self.secondlayer(x))"),
        ),
        hint=DROPOUT,
    ),
    Misconception(
        "dropout_fifth_inside",
        "FeedForwardLayer",
        "a dropout after the activation, which nobody asked for",
        (
            ("nn.GELU()", "nn.GELU()\n        self.dropout = nn.Dropout(0.2)"),
            ("self.activation(x)", "self.dropout(self.activation(x))"),
        ),
        hint=DROPOUT,
    ),
    Misconception(
        "dropout_fifth",
        "FeedForwardLayer",
        "a dropout after the second layer, which nobody asked for",
        (
            ("nn.GELU()", "nn.GELU()\n        self.dropout = nn.Dropout(0.2)"),
            ("return self.secondlayer(x)", "return self.dropout(self.secondlayer(x))"),
        ),
        hint=DROPOUT,
    ),
    Misconception(
        "norm_inside",
        "FeedForwardLayer",
        "normalises its input with a LayerNorm of its own",
        (
            ("nn.GELU()", "nn.GELU()\n        self.norm = nn.LayerNorm(dim_h)"),
            ("self.firstlayer(x)", "self.firstlayer(self.norm(x))"),
        ),
        hint=Hint(
            look=(
                "With dim_h = 5, put in a token, and then three times this token plus 7. Are the "
                "two outputs (nearly) the same? Print the names of the parameters too."
            ),
            think=(
                "A token with larger features should be able to give another result here. Which "
                "step makes the two tokens alike?"
            ),
            nearly=(
                "The statement names three parts. Which fourth one have you made, and whose task "
                "is it in the last exercise?"
            ),
        ),
    ),
    Misconception(
        "dims_swapped",
        "FeedForwardLayer",
        "exchanges the sizes of both layers",
        (
            (
                "firstlayer = nn.Linear(dim_h, dim_expanded)",
                "firstlayer = nn.Linear(dim_expanded, dim_h)",
            ),
            (
                "secondlayer = nn.Linear(dim_expanded, dim_h)",
                "secondlayer = nn.Linear(dim_h, dim_expanded)",
            ),
        ),
        hint=SIZES_EXCHANGED,
    ),
    Misconception(
        "not_expanded",
        "FeedForwardLayer",
        "both layers keep dim_h features",
        (
            ("nn.Linear(dim_h, dim_expanded)", "nn.Linear(dim_h, dim_h)"),
            ("nn.Linear(dim_expanded, dim_h)", "nn.Linear(dim_h, dim_h)"),
        ),
        hint=WIDTH_IGNORED,
    ),
    Misconception(
        "four_times",
        "FeedForwardLayer",
        "widens to four times dim_h, whatever dim_expanded says",
        (("super().__init__()", "super().__init__()\n        dim_expanded = 4 * dim_h"),),
        hint=WIDTH_IGNORED,
    ),
    Misconception(
        "new_in_forward",
        "FeedForwardLayer",
        "the second layer is not registered as a part of the module",
        (
            (
                "self.secondlayer = nn.Linear(dim_expanded, dim_h)",
                "self.sizes = dim_expanded, dim_h",
            ),
            ("self.secondlayer(x)", "nn.Linear(*self.sizes)(x)"),
        ),
        hint=MADE_AT_EVERY_CALL,
    ),
    Misconception(
        "layer_in_list",
        "FeedForwardLayer",
        "the second layer is not registered as a part of the module",
        (
            (
                "self.secondlayer = nn.Linear(dim_expanded, dim_h)",
                "self.layers = [nn.Linear(dim_expanded, dim_h)]",
            ),
            ("self.secondlayer(x)", "self.layers[0](x)"),
        ),
        hint=MADE_AT_EVERY_CALL,
    ),
    Misconception(
        "layers_in_list",
        "FeedForwardLayer",
        "neither linear layer is registered as a part of the module",
        (
            (
                "self.firstlayer = nn.Linear(dim_h, dim_expanded)",
                "self.layers = [nn.Linear(dim_h, dim_expanded)]",
            ),
            (
                "self.secondlayer = nn.Linear(dim_expanded, dim_h)",
                "self.layers.append(nn.Linear(dim_expanded, dim_h))",
            ),
            ("self.secondlayer(x)", "self.layers[1](x)"),
            ("self.firstlayer(x)", "self.layers[0](x)"),
        ),
        hint=MADE_AT_EVERY_CALL,
    ),
    Misconception(
        "no_super",
        "FeedForwardLayer",
        "assigns a part to self before nn.Module has prepared itself, if it ever does",
        (("        super().__init__()\n", ""),),
        hint=MODULE_NOT_PREPARED,
    ),
    Misconception(
        "other_names",
        "FeedForwardLayer",
        "calls the linear layers fc1 and fc2",
        (
            ("self.firstlayer = ", "self.fc1 = "),
            ("self.secondlayer = ", "self.fc2 = "),
            ("self.firstlayer(", "self.fc1("),
            ("self.secondlayer(", "self.fc2("),
        ),
        hint=OTHER_NAMES,
    ),
    Misconception(
        "sigmoid",
        "FeedForwardLayer",
        "a sigmoid as activation",
        (("nn.GELU()", "nn.Sigmoid()"),),
        hint=OTHER_ACTIVATION,
    ),
    Misconception(
        "tanh",
        "FeedForwardLayer",
        "a tanh as activation",
        (("nn.GELU()", "nn.Tanh()"),),
        hint=OTHER_ACTIVATION,
    ),
    Misconception(
        "leaky_relu",
        "FeedForwardLayer",
        "a leaky ReLU as activation",
        (("nn.GELU()", "nn.LeakyReLU()"),),
        hint=OTHER_ACTIVATION,
    ),
    Misconception(
        "elu",
        "FeedForwardLayer",
        "an ELU as activation",
        (("nn.GELU()", "nn.ELU()"),),
        hint=OTHER_ACTIVATION,
    ),
    Misconception(
        "phi_only",
        "FeedForwardLayer",
        "takes the normal distribution itself as activation, not x times it",
        (("self.activation(x)", "0.5 * (1 + torch.erf(x / math.sqrt(2)))"),),
        hint=OTHER_ACTIVATION,
    ),
    Misconception(
        "first_no_bias",
        "FeedForwardLayer",
        "the first linear layer has no bias",
        (("dim_h, dim_expanded)\n", "dim_h, dim_expanded, bias=False)\n"),),
        hint=BIAS_MISSING,
    ),
    Misconception(
        "second_no_bias",
        "FeedForwardLayer",
        "the second linear layer has no bias",
        (("nn.Linear(dim_expanded, dim_h)", "nn.Linear(dim_expanded, dim_h, bias=False)"),),
        hint=BIAS_MISSING,
    ),
    Misconception(
        "first_bias_unused",
        "FeedForwardLayer",
        "never adds the bias of the first layer",
        (("self.firstlayer(x)", "x @ self.firstlayer.weight.T"),),
        hint=BIAS_NOT_ONCE,
    ),
    Misconception(
        "second_bias_unused",
        "FeedForwardLayer",
        "never adds the bias of the second layer",
        (("self.secondlayer(x)", "x @ self.secondlayer.weight.T"),),
        hint=BIAS_NOT_ONCE,
    ),
    Misconception(
        "norm_wide",
        "FeedForwardLayer",
        "normalises the widened features",
        (("self.activation(x)", "self.activation(nn.functional.layer_norm(x, x.shape[-1:]))"),),
        hint=INPUT_NORMALISED_HERE,
    ),
    Misconception(
        "norm_after_activation",
        "FeedForwardLayer",
        "normalises the bent features",
        (("self.secondlayer(x)", "self.secondlayer(nn.functional.layer_norm(x, x.shape[-1:]))"),),
        hint=INPUT_NORMALISED_HERE,
    ),
    Misconception(
        "tokens_centred",
        "FeedForwardLayer",
        "takes the mean over the tokens off the widened features",
        (("x = self.activation(x)", "x = self.activation(x - x.mean(dim=-2, keepdim=True))"),),
        hint=TOKENS_NOT_ALONE,
    ),
    Misconception(
        "squeezed",
        "FeedForwardLayer",
        "loses dimensions of size 1 in the result",
        (("self.secondlayer(x)", "self.secondlayer(x).squeeze()"),),
        hint=DIMENSION_LOST,
    ),
    Misconception(
        "tokens_flattened",
        "FeedForwardLayer",
        "joins batch and tokens and does not take them apart again",
        (("self.firstlayer(x)", "self.firstlayer(x.reshape(-1, x.shape[-1]))"),),
        hint=BATCH_LAID_FLAT,
    ),
    Misconception(
        "factor",
        "FeedForwardLayer",
        "widens to dim_h times dim_expanded",
        (
            (
                "super().__init__()",
                ("super().__init__()\n        dim_expanded = dim_h * dim_expanded"),
            ),
        ),
        hint=WIDTH_IGNORED,
    ),
    Misconception(
        "dropout_half",
        "FeedForwardLayer",
        "a dropout after the activation, which nobody asked for",
        (("self.activation(x)", "nn.functional.dropout(self.activation(x), 0.5, self.training)"),),
        hint=DROPOUT,
    ),
    Misconception(
        "no_grad",
        "FeedForwardLayer",
        "cuts the result off from the gradient",
        (("return self.secondlayer(x)", "return self.secondlayer(x).detach()"),),
        hint=GRADIENT_CUT,
    ),
    Misconception(
        "no_return",
        "FeedForwardLayer",
        "gives back None, not the result",
        (("return self.secondlayer(x)", "self.secondlayer(x)"),),
        hint=NOTHING_RETURNED,
    ),
    Misconception(
        "activation_class",
        "FeedForwardLayer",
        "calls the class nn.GELU itself, where an object of it is needed",
        (("nn.GELU()", "nn.GELU"),),
        hint=CLASS_NOT_OBJECT,
    ),
    Misconception(
        "post_norm",
        "SimpleAttentionLayer",
        "post-norm: each norm stands after its sum, on the main path",
        (
            ("self.layernorm1(x)", "x"),
            ("self.layernorm2(y)", "y"),
            ("x + self.aggregation_step(h)", "self.layernorm1(x + self.aggregation_step(h))"),
            ("return y + self.ffl(h)", "return self.layernorm2(y + self.ffl(h))"),
        ),
        hint=MAIN_PATH_NORMALISED,
    ),
    Misconception(
        "skip_from_norm",
        "SimpleAttentionLayer",
        "adds the attention branch to the normed x, not to x",
        (("h = self.layernorm1(x)", "x = self.layernorm1(x)"), ("self.qkv(h)", "self.qkv(x)")),
        hint=MAIN_PATH_NORMALISED,
    ),
    Misconception(
        "skip2_from_norm",
        "SimpleAttentionLayer",
        "adds the feed-forward branch to the normed y, not to y",
        (("h = self.layernorm2(y)", "y = self.layernorm2(y)"), ("self.ffl(h)", "self.ffl(y)")),
        hint=MAIN_PATH_NORMALISED,
    ),
    Misconception(
        "no_skip1",
        "SimpleAttentionLayer",
        "does not add x to the attention branch",
        (("y = x + self", "y = self"),),
        hint=SKIP_MISSING,
    ),
    Misconception(
        "no_skip2",
        "SimpleAttentionLayer",
        "does not add y to the feed-forward branch",
        (("return y + self", "return self"),),
        hint=SKIP_MISSING,
    ),
    Misconception(
        "no_aggregation",
        "SimpleAttentionLayer",
        "leaves the aggregation out where dim_k happens to be dim_h",
        (
            (
                "y = x + self.aggregation_step(h)",
                "y = x + (h if h.shape == x.shape else self.aggregation_step(h))",
            ),
        ),
        hint=AGGREGATION_NOT_ALWAYS,
    ),
    Misconception(
        "agg_after_skip",
        "SimpleAttentionLayer",
        "sends the sum with x through the aggregation where dim_k happens to be dim_h",
        (
            (
                "y = x + self.aggregation_step(h)",
                (
                    "if h.shape == x.shape:\n"
                    "            y = self.aggregation_step(x + h)\n"
                    "        else:\n"
                    "            y = x + self.aggregation_step(h)"
                ),
            ),
        ),
        hint=AGGREGATION_NOT_ALWAYS,
    ),
    Misconception(
        "ffn_first",
        "SimpleAttentionLayer",
        "the feed-forward branch comes first, attention second",
        (
            ("        h = self.layernorm2(y)\n        return y + self.ffl(h)", "        return y"),
            (
                "h = self.layernorm1",
                "x = x + self.ffl(self.layernorm2(x))\n        h = self.layernorm1",
            ),
        ),
        hint=SECOND_BRANCH,
    ),
    Misconception(
        "inplace_skip",
        "SimpleAttentionLayer",
        "changes the x that it is given",
        (
            ("y = x + self", "x += self"),
            ("self.layernorm2(y)", "self.layernorm2(x)"),
            ("return y", "return x"),
        ),
        hint=INPUT_CHANGED,
    ),
    Misconception(
        "qkv_from_x",
        "SimpleAttentionLayer",
        "attention reads the raw x past the first norm",
        (("self.qkv(h)", "self.qkv(x)"),),
        hint=BRANCH_WITHOUT_ITS_NORM,
    ),
    Misconception(
        "module_of_sum",
        "SimpleAttentionLayer",
        "attention reads the sum of x and its norm",
        (("self.layernorm1(x)", "self.layernorm1(x) + x"),),
        hint=BRANCH_WITHOUT_ITS_NORM,
    ),
    Misconception(
        "ln_over_time",
        "SimpleAttentionLayer",
        "the first norm runs over the tokens, not over the features",
        (
            (
                "h = self.layernorm1(x)",
                (
                    "h = nn.functional.layer_norm(x.mT, x.shape[-2:-1]).mT\n"
                    "        h = h * self.layernorm1.weight + self.layernorm1.bias"
                ),
            ),
        ),
        hint=Hint(
            look=(
                "Print what your first norm gives for 4 random tokens, and take its mean along "
                "the features and along the tokens. Which of the means are 0?"
            ),
            think=(
                "A token is to be normalised by its own features. Should it matter for this which "
                "other tokens stand in the sentence?"
            ),
            nearly=(
                "Look at the dimension along which your norm works. `nn.LayerNorm` takes the last "
                "one by itself; do you turn something round before it?"
            ),
        ),
    ),
    Misconception(
        "skip_inside",
        "SimpleAttentionLayer",
        "adds the main path at the beginning of each branch and not at its end",
        (
            ("self.layernorm1(x)", "x + self.layernorm1(x)"),
            ("y = x + self", "y = self"),
            ("self.layernorm2(y)", "y + self.layernorm2(y)"),
            ("return y + self", "return self"),
        ),
        hint=SKIP_MISSING,
    ),
    Misconception(
        "ffl_from_y",
        "SimpleAttentionLayer",
        "the feed-forward branch reads y past the second norm",
        (("self.ffl(h)", "self.ffl(y)"),),
        hint=BRANCH_WITHOUT_ITS_NORM,
    ),
    Misconception(
        "ffl_from_x",
        "SimpleAttentionLayer",
        "both branches leave from x, side by side",
        (("self.layernorm2(y)", "self.layernorm2(x)"),),
        hint=SECOND_BRANCH,
    ),
    Misconception(
        "ffl_from_branch",
        "SimpleAttentionLayer",
        "the feed-forward branch reads what attention found, without the main path",
        (
            ("y = x + self.aggregation_step(h)", "h = self.aggregation_step(h)\n        y = x + h"),
            ("self.layernorm2(y)", "self.layernorm2(h)"),
        ),
        hint=SECOND_BRANCH,
    ),
    Misconception(
        "skip2_from_x",
        "SimpleAttentionLayer",
        "adds the feed-forward branch to x, not to y",
        (("return y", "return x"),),
        hint=SECOND_BRANCH,
    ),
    Misconception(
        "x_added_twice",
        "SimpleAttentionLayer",
        "adds x once more at the end",
        (("return y", "return x + y"),),
        hint=Hint(
            look=(
                "Set all parameters of `aggregation_step` and of `ffl.secondlayer` to 0, and "
                "divide your result by the input. Which number do you get everywhere?"
            ),
            think=(
                "Both branches are silent, so only the main path is left. How often does it arrive?"
            ),
            nearly=(
                "Look at your last sum. What is contained in y already, and need not be added "
                "again?"
            ),
        ),
    ),
    Misconception(
        "final_norm",
        "SimpleAttentionLayer",
        "normalises the result again with the second norm",
        (("return y + self.ffl(h)", "return self.layernorm2(y + self.ffl(h))"),),
        hint=MAIN_PATH_NORMALISED,
    ),
    Misconception(
        "one_norm",
        "SimpleAttentionLayer",
        "uses the first norm in both branches",
        (("self.layernorm2(y)", "self.layernorm1(y)"),),
        hint=WRONG_NORM,
    ),
    Misconception(
        "y_detached",
        "SimpleAttentionLayer",
        "cuts the first branch and the input off from the gradient",
        (("h = self.layernorm2(y)", "y = y.detach()\n        h = self.layernorm2(y)"),),
        hint=GRADIENT_CUT,
    ),
    Misconception(
        "ffl_twice",
        "SimpleAttentionLayer",
        "passes the feed-forward part twice",
        (("return y + self.ffl(h)", "return y + self.ffl(self.ffl(h))"),),
        hint=SECOND_BRANCH,
    ),
    Misconception(
        "tied_norms",
        "SimpleAttentionLayer",
        "layernorm1 and layernorm2 have weight and bias in common",
        (("self.layernorm2 = nn.LayerNorm(dim_h)", "self.layernorm2 = self.layernorm1"),),
        hint=ONE_NORM_FOR_TWO,
    ),
    Misconception(
        "norms_exchanged",
        "SimpleAttentionLayer",
        "layernorm2 stands in the first branch, layernorm1 in the second",
        (
            ("self.layernorm1(x)", "self.layernorm2(x)"),
            ("self.layernorm2(y)", "self.layernorm1(y)"),
        ),
        hint=WRONG_NORM,
    ),
    Misconception(
        "no_affine",
        "SimpleAttentionLayer",
        "the norms have no weight and no bias",
        (
            (
                "layernorm1 = nn.LayerNorm(dim_h",
                "layernorm1 = nn.LayerNorm(dim_h, elementwise_affine=False",
            ),
            (
                "layernorm2 = nn.LayerNorm(dim_h",
                "layernorm2 = nn.LayerNorm(dim_h, elementwise_affine=False",
            ),
        ),
        hint=Hint(
            look=(
                "Print the names in `named_parameters()`. The worked check wants 170 numbers in "
                "`SimpleAttentionLayer(5, 3, 7)`; how many have you, and which part has none?"
            ),
            think=(
                "After normalising, a norm multiplies each feature by a weight and adds a bias, "
                "and learns both. Can yours?"
            ),
            nearly=(
                "Look at how you make the two norms, and compare it with the statement. What "
                "keeps them from having numbers of their own?"
            ),
        ),
    ),
    Misconception(
        "order_kqv",
        "SimpleAttentionLayer",
        "W_q makes the keys and W_k the queries: another layout of the weights",
        (("queries, keys, values = ", "keys, queries, values = "),),
        hint=HANDED_OVER_IN_DISORDER,
    ),
    Misconception(
        "ffl_width",
        "SimpleAttentionLayer",
        "builds the feed-forward part without widening",
        (("FeedForwardLayer(dim_h, dim_expanded)", "FeedForwardLayer(dim_h, dim_h)"),),
        hint=WIDTH_IGNORED,
    ),
    Misconception(
        "agg_no_bias",
        "SimpleAttentionLayer",
        "the aggregation has no bias",
        (("nn.Linear(dim_k, dim_h)", "nn.Linear(dim_k, dim_h, bias=False)"),),
        hint=BIAS_MISSING,
    ),
    Misconception(
        "dropout",
        "SimpleAttentionLayer",
        "a dropout on the attention branch, which nobody asked for",
        (
            ("x + self.aggregation_step(h)", "x + self.dropout(self.aggregation_step(h))"),
            ("self.ffl = ", "self.dropout = nn.Dropout(0.1)\n        self.ffl = "),
        ),
        hint=DROPOUT,
    ),
    Misconception(
        "qkv_in_list",
        "SimpleAttentionLayer",
        "QueryKeyValue is not registered as a part of the module",
        (
            (
                "self.qkv = QueryKeyValue(dim_h, dim_k)",
                "self.parts = [QueryKeyValue(dim_h, dim_k)]",
            ),
            ("self.qkv(h)", "self.parts[0](h)"),
        ),
        hint=MADE_AT_EVERY_CALL,
    ),
    Misconception(
        "no_skips",
        "SimpleAttentionLayer",
        "has neither of the two skips",
        (
            ("y = x + self.aggregation_step(h)", "y = self.aggregation_step(h)"),
            ("return y + self.ffl(h)", "return self.ffl(h)"),
        ),
        hint=SKIP_MISSING,
    ),
    Misconception(
        "causal",
        "SimpleAttentionLayer",
        "hides later tokens, which nobody asked for",
        (
            (
                "h = self.dot_product_attn(queries, keys, values)",
                (
                    "scores = queries @ keys.mT / keys.shape[-1] ** 0.5\n        later = "
                    "torch.ones_like(scores, dtype=torch.bool).triu(1)\n        h = "
                    "scores.masked_fill(later, -torch.inf).softmax(-1) @ values"
                ),
            ),
        ),
        hint=LATER_TOKENS_HIDDEN,
    ),
    Misconception(
        "no_super",
        "SimpleAttentionLayer",
        "assigns a part to self before nn.Module has prepared itself, if it ever does",
        (("        super().__init__()\n", ""),),
        hint=MODULE_NOT_PREPARED,
    ),
    Misconception(
        "four_times",
        "SimpleAttentionLayer",
        "widens to four times dim_h, whatever dim_expanded says",
        (("FeedForwardLayer(dim_h, dim_expanded)", "FeedForwardLayer(dim_h, 4 * dim_h)"),),
        hint=WIDTH_IGNORED,
    ),
    Misconception(
        "eps_thousandth",
        "SimpleAttentionLayer",
        "the norms have another eps than the usual 1e-5",
        (
            (
                "self.layernorm1 = nn.LayerNorm(dim_h)",
                "self.layernorm1 = nn.LayerNorm(dim_h, eps=1e-3)",
            ),
            (
                "self.layernorm2 = nn.LayerNorm(dim_h)",
                "self.layernorm2 = nn.LayerNorm(dim_h, eps=1e-3)",
            ),
        ),
        hint=NORM_WITH_OTHER_NUMBERS,
    ),
    Misconception(
        "eps_hundredth",
        "SimpleAttentionLayer",
        "the norms have another eps than the usual 1e-5",
        (
            (
                "self.layernorm1 = nn.LayerNorm(dim_h)",
                "self.layernorm1 = nn.LayerNorm(dim_h, eps=1e-2)",
            ),
            (
                "self.layernorm2 = nn.LayerNorm(dim_h)",
                "self.layernorm2 = nn.LayerNorm(dim_h, eps=1e-2)",
            ),
        ),
        hint=NORM_WITH_OTHER_NUMBERS,
    ),
    Misconception(
        "unbiased",
        "SimpleAttentionLayer",
        "the first norm divides by a standard deviation over n - 1, not over n",
        (
            (
                "h = self.layernorm1(x)",
                (
                    "h = (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + 1e-5)\n"
                    "        h = h * self.layernorm1.weight + self.layernorm1.bias"
                ),
            ),
        ),
        hint=NORM_WITH_OTHER_NUMBERS,
    ),
    Misconception(
        "norm_over_both",
        "SimpleAttentionLayer",
        "the first norm runs over tokens and features together",
        (
            (
                "h = self.layernorm1(x)",
                (
                    "h = nn.functional.layer_norm(x, x.shape[-2:])\n"
                    "        h = h * self.layernorm1.weight + self.layernorm1.bias"
                ),
            ),
        ),
        hint=NORM_WITH_OTHER_NUMBERS,
    ),
    Misconception(
        "first_sum_halved",
        "SimpleAttentionLayer",
        "divides the first sum by 2",
        (("y = x + self.aggregation_step(h)", "y = (x + self.aggregation_step(h)) / 2"),),
        hint=MAIN_PATH_SCALED,
    ),
    Misconception(
        "sums_halved",
        "SimpleAttentionLayer",
        "divides both sums by 2",
        (
            ("y = x + self.aggregation_step(h)", "y = (x + self.aggregation_step(h)) / 2"),
            ("return y + self.ffl(h)", "return (y + self.ffl(h)) / 2"),
        ),
        hint=MAIN_PATH_SCALED,
    ),
    Misconception(
        "sums_by_root",
        "SimpleAttentionLayer",
        "multiplies both sums by the root of one half",
        (
            (
                "y = x + self.aggregation_step(h)",
                "y = (x + self.aggregation_step(h)) * math.sqrt(0.5)",
            ),
            ("return y + self.ffl(h)", "return (y + self.ffl(h)) * math.sqrt(0.5)"),
        ),
        hint=MAIN_PATH_SCALED,
    ),
    Misconception(
        "aggregation_bent",
        "SimpleAttentionLayer",
        "a GELU after the aggregation",
        (("x + self.aggregation_step(h)", "x + nn.functional.gelu(self.aggregation_step(h))"),),
        hint=BRANCH_BENT,
    ),
    Misconception(
        "aggregation_relu",
        "SimpleAttentionLayer",
        "a ReLU after the aggregation",
        (("x + self.aggregation_step(h)", "x + torch.relu(self.aggregation_step(h))"),),
        hint=BRANCH_BENT,
    ),
    Misconception(
        "no_ffl",
        "SimpleAttentionLayer",
        "leaves the feed-forward branch out",
        ((("        h = self.layernorm2(y)\n        return y + self.ffl(h)"), "        return y"),),
        hint=BRANCH_FORGOTTEN,
    ),
    Misconception(
        "branch_post_norm",
        "SimpleAttentionLayer",
        "each norm stands at the end of its branch",
        (
            ("self.layernorm1(x)", "x"),
            ("self.layernorm2(y)", "y"),
            ("x + self.aggregation_step(h)", "x + self.layernorm1(self.aggregation_step(h))"),
            ("return y + self.ffl(h)", "return y + self.layernorm2(self.ffl(h))"),
        ),
        hint=NORM_AT_THE_END,
    ),
    Misconception(
        "post_norm_1",
        "SimpleAttentionLayer",
        "post-norm in the first branch only: its norm stands after the sum",
        (
            ("self.layernorm1(x)", "x"),
            ("x + self.aggregation_step(h)", "self.layernorm1(x + self.aggregation_step(h))"),
        ),
        hint=MAIN_PATH_NORMALISED,
    ),
    Misconception(
        "post_norm_2",
        "SimpleAttentionLayer",
        "post-norm in the second branch only: its norm stands after the sum",
        (
            ("self.layernorm2(y)", "y"),
            ("return y + self.ffl(h)", "return self.layernorm2(y + self.ffl(h))"),
        ),
        hint=MAIN_PATH_NORMALISED,
    ),
    Misconception(
        "values_raw",
        "SimpleAttentionLayer",
        "makes the values from the raw x, past the first norm",
        (
            (
                "queries, keys, values = self.qkv(h)",
                ("queries, keys, _ = self.qkv(h)\n        values = self.qkv(x)[2]"),
            ),
        ),
        hint=BRANCH_WITHOUT_ITS_NORM,
    ),
    Misconception(
        "keys_values_raw",
        "SimpleAttentionLayer",
        "makes keys and values from the raw x, past the first norm",
        (
            (
                "queries, keys, values = self.qkv(h)",
                ("queries = self.qkv(h)[0]\n        _, keys, values = self.qkv(x)"),
            ),
        ),
        hint=BRANCH_WITHOUT_ITS_NORM,
    ),
    Misconception(
        "queries_raw",
        "SimpleAttentionLayer",
        "makes the queries from the raw x, past the first norm",
        (
            (
                "queries, keys, values = self.qkv(h)",
                ("queries = self.qkv(x)[0]\n        _, keys, values = self.qkv(h)"),
            ),
        ),
        hint=BRANCH_WITHOUT_ITS_NORM,
    ),
    Misconception(
        "queries_keys_raw",
        "SimpleAttentionLayer",
        "makes queries and keys from the raw x, past the first norm",
        (
            (
                "queries, keys, values = self.qkv(h)",
                ("queries, keys, _ = self.qkv(x)\n        values = self.qkv(h)[2]"),
            ),
        ),
        hint=BRANCH_WITHOUT_ITS_NORM,
    ),
    Misconception(
        "dropout_both",
        "SimpleAttentionLayer",
        "a dropout on both branches, which nobody asked for",
        (
            (
                "x + self.aggregation_step(h)",
                "x + nn.functional.dropout(self.aggregation_step(h), 0.1, self.training)",
            ),
            ("y + self.ffl(h)", "y + nn.functional.dropout(self.ffl(h), 0.1, self.training)"),
        ),
        hint=DROPOUT,
    ),
    Misconception(
        "dropout_both_fifth",
        "SimpleAttentionLayer",
        "a dropout on both branches, which nobody asked for",
        (
            (
                "x + self.aggregation_step(h)",
                "x + nn.functional.dropout(self.aggregation_step(h), 0.2, self.training)",
            ),
            ("y + self.ffl(h)", "y + nn.functional.dropout(self.ffl(h), 0.2, self.training)"),
        ),
        hint=DROPOUT,
    ),
    Misconception(
        "both_norms",
        "SimpleAttentionLayer",
        "the second branch passes both norms",
        (("self.layernorm2(y)", "self.layernorm2(self.layernorm1(y))"),),
        hint=WRONG_NORM,
    ),
    Misconception(
        "ffl_dim_k",
        "SimpleAttentionLayer",
        "widens to dim_k, not to dim_expanded",
        (("FeedForwardLayer(dim_h, dim_expanded)", "FeedForwardLayer(dim_h, dim_k)"),),
        hint=WIDTH_IGNORED,
    ),
    Misconception(
        "inplace_data",
        "SimpleAttentionLayer",
        "changes the x that it is given, and cuts attention off from the gradient",
        (
            (
                "y = x + self.aggregation_step(h)",
                ("y = x\n        y.data += self.aggregation_step(h)"),
            ),
        ),
        hint=INPUT_CHANGED,
    ),
    Misconception(
        "branch_detached",
        "SimpleAttentionLayer",
        "cuts the attention branch off from the gradient",
        (("x + self.aggregation_step(h)", "x + self.aggregation_step(h).detach()"),),
        hint=GRADIENT_CUT,
    ),
    Misconception(
        "no_return",
        "SimpleAttentionLayer",
        "gives back None, not the result",
        (("return y + self.ffl(h)", "y + self.ffl(h)"),),
        hint=NOTHING_RETURNED,
    ),
    Misconception(
        "second_sum_halved",
        "SimpleAttentionLayer",
        "divides the second sum by 2",
        (("return y + self.ffl(h)", "return (y + self.ffl(h)) / 2"),),
        hint=MAIN_PATH_SCALED,
    ),
    Misconception(
        "second_sum_by_root",
        "SimpleAttentionLayer",
        "multiplies the second sum by the root of one half",
        (("return y + self.ffl(h)", "return (y + self.ffl(h)) * math.sqrt(0.5)"),),
        hint=MAIN_PATH_SCALED,
    ),
    Misconception(
        "dropout_ffl",
        "SimpleAttentionLayer",
        "a dropout on the feed-forward branch, which nobody asked for",
        (("y + self.ffl(h)", "y + nn.functional.dropout(self.ffl(h), 0.1, self.training)"),),
        hint=DROPOUT,
    ),
]
