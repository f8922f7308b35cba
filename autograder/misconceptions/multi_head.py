"""Wrong solutions of multi_head, as students write them."""

from autograder.misconceptions import Hint, Misconception

SAME_HEAD = Hint(
    look=(
        "Make MultiHeadList(5, 3, 2) and count the numbers in its parameters. Then ask "
        "Python whether layer.heads[0] is layer.heads[1], or whether their parts are "
        "the same."
    ),
    think=(
        "The list has two places, but how many heads stand behind them? Two heads can learn to "
        "look for different things if each has numbers of its own."
    ),
    nearly=(
        "Multiplying a Python list repeats the same object, and so does a part that is "
        "made once and handed to all. How often does your __init__ make a new "
        "AttentionHead, with parts of its own?"
    ),
)

ROWS_OF_OTHER_TOKENS = Hint(
    look=(
        "With two heads, print what you hand to aggregation_step for token 0. Compare its second "
        "half with layer.heads[1](x) at token 0, and with layer.heads[0](x) at token 1. Which of "
        "the two is it?"
    ),
    think=(
        "reshape cuts the numbers anew in the order in which they lie in memory, and does not "
        "know which of them belong together. Whose features should stand in the row of token 0?"
    ),
    nearly=(
        "Join the heads so that no reshape is needed afterwards. In the statement's shapes, a "
        "single size grows on the way from one head to all side by side: along which axis does "
        "it lie?"
    ),
)

PLACES_OF_THE_FEATURES = Hint(
    look=(
        "For one token, print what head 0 gives, what head 1 gives, and what you hand to "
        "aggregation_step. At which places of the last do the features of head 0 stand?"
    ),
    think=(
        "aggregation_step has a column of numbers for each place, so the order of the places is "
        "a part of the layer. Which order does the statement ask for?"
    ),
    nearly=(
        "Look at the step that joins the heads' results. It should keep the features of a head "
        "together as one block, and put the blocks in the order of the heads."
    ),
)

CHAINED_HEADS = Hint(
    look=(
        "Print in your forward what goes into head 0 and what goes into head 1. Are these the "
        "same numbers?"
    ),
    think=(
        "Heads work beside each other, each looking at the words in its own way. How much of the "
        "words can a head still see when it reads what another head has made of them?"
    ),
    nearly=(
        "In your forward, a head's result is handed on to the next head. What does the "
        "statement give to every head?"
    ),
)

FIRST_HEAD_ONLY = Hint(
    look=(
        "Set all parameters of head 1 to 0 and call your layer again with the same x. Does the "
        "output change?"
    ),
    think=(
        "A head that is never asked finds nothing and learns nothing. How many different heads "
        "does your forward ask?"
    ),
    nearly=(
        "There is one place for each head in what you hand to aggregation_step. Which "
        "head do you ask for each of these places?"
    ),
)

HEADS_ADDED_UP = Hint(
    look=(
        "Let the heads change places: layer.heads = nn.ModuleList(reversed(layer.heads)). Call "
        "the layer with the same x before and after. Does the output change, apart from "
        "rounding?"
    ),
    think=(
        "A sum or an average does not remember which head a number came from. How could the last "
        "layer then listen to head 0 for one thing and to head 1 for another?"
    ),
    nearly=(
        "Are the heads' results added or averaged somewhere? Each head needs places of "
        "its own in front of aggregation_step, which has to be as wide as all of them "
        "together."
    ),
)

INPUT_ADDED = Hint(
    look=(
        "Set the weight and the bias of the last linear layer, aggregation_step or to_out, to 0 "
        "and call the module. What comes out, and where have you seen these numbers before?"
    ),
    think=(
        "When the last layer gives nothing but zeros, nothing should be left. By which second "
        "way does x reach your output?"
    ),
    nearly=(
        "Look at what your return adds to the last layer's result. Adding the input is a good "
        "idea, but it belongs to the block around this module, which comes in a later "
        "assignment."
    ),
)

HEADS_IN_PLAIN_LIST = Hint(
    look=(
        "Make MultiHeadList(5, 3, 2) and print the names in named_parameters(). Which parts of "
        "your layer are missing there?"
    ),
    think=(
        "An optimizer trains what parameters() hands to it, and nothing else. How does PyTorch "
        "come to know of modules that stand in a list?"
    ),
    nearly=(
        "Your heads compute the right thing, but nn.Module does not look into a Python list. "
        "Which container in the statement does it look into?"
    ),
)

HEADS_MADE_IN_FORWARD = Hint(
    look="Call your layer twice with the same x. Do both calls give the same numbers?",
    think=(
        "Training changes the numbers in a head a little after each call. What becomes of these "
        "changes when the head is thrown away at the end of forward?"
    ),
    nearly=(
        "Look at where you call AttentionHead. What is to last from one call to the next is made "
        "in __init__ and kept in self, under the name that the statement gives."
    ),
)

DIM_COUNTED_FROM_FRONT = Hint(
    look=(
        "Call your layer with one sentence, x of shape (4, 5), and with a batch, x of shape (2, "
        "4, 5). Which of the two works? Print the shape of one head's result in both cases."
    ),
    think=(
        "The features should come to lie side by side, however many axes stand in front of them. "
        "Which number has their axis in (T, dim_k), and which in (B, T, dim_k)?"
    ),
    nearly=(
        "Look at the dim along which you join the heads, and at every other number of an axis. "
        "Counted from the front or from the end: which way gives the features the same number in "
        "both cases?"
    ),
)

HEAD_SIZE_DIVIDED = Hint(
    look=(
        "Make your layer for 6 input features with 2 heads of 4 features each, and print the "
        "shapes of its parameters. How many features does each head have?"
    ),
    think=(
        "Some layers share out a given width among their heads. Here the size of one head is an "
        "argument of its own, dim_k or dim_head. How wide are two heads of 4 side by side?"
    ),
    nearly=(
        "Look for a division by nr_heads in __init__. Which argument does it change, and does "
        "anything in the statement ask for it?"
    ),
)

HEAD_SIZES_SWAPPED = Hint(
    look=(
        "Call MultiHeadList(5, 3, 2) with x of shape (4, 5) and read the two shapes in the error "
        "message. The first is that of x. Which number in the second should fit the 5 features "
        "of x?"
    ),
    think=(
        "A head takes the features of a token and gives dim_k features for it. Which size goes "
        "in, and which comes out?"
    ),
    nearly=(
        "Look up the order of the arguments of AttentionHead in your own assignment, and compare "
        "it with the order in which you hand them over."
    ),
)

LAST_LAYER_NOT_CALLED = Hint(
    look=(
        "Set all parameters of the last linear layer, aggregation_step or to_out, to 0 and call "
        "the module again with the same x. Does the output change?"
    ),
    think=(
        "To make a layer in __init__ is not yet to use it. Which step combines what the heads "
        "found and brings it back to the width of x?"
    ),
    nearly=(
        "Look at what forward returns now: the heads' features side by side. The statement's "
        "formula has one more step around them."
    ),
)

OUTPUT_NOT_AS_WIDE_AS_X = Hint(
    look=(
        "Call MultiHeadList(5, 3, 2) with x of shape (4, 5) and print the shape of the output. "
        "Which of your sizes is its last number?"
    ),
    think=(
        "Layers like this one are often stacked, each fed by the one before. How wide must the "
        "output be, so that the next layer can take it?"
    ),
    nearly=(
        "nn.Linear takes two sizes, what comes in and what goes out. In aggregation_step the "
        "first is right; compare the second with the shapes in the statement."
    ),
)

BIAS_MISSING = Hint(
    look=(
        "Print the names and shapes in named_parameters(). What belongs to the last linear "
        "layer, aggregation_step or to_out?"
    ),
    think=(
        "When all its inputs are 0, a layer made of products alone can give nothing but 0. What "
        "lets a linear layer give something else, and does the statement ask for it here?"
    ),
    nearly=(
        "nn.Linear has a bias unless it is told otherwise. Look at the arguments with which you "
        "make the last layer."
    ),
)

BENT_BETWEEN = Hint(
    look=(
        "In MultiHeadList(5, 3, 2) copy torch.eye(5, 6) into aggregation_step.weight and set its "
        "bias to 0. Compare the first three output features with layer.heads[0](x), the negative "
        "ones first. Are they equal?"
    ),
    think=(
        "With these parameters the last layer passes its input on as it is. What else happens to "
        "the numbers on their way, and is there such a step in the statement's formula?"
    ),
    nearly=(
        "Look at what stands between the heads side by side and aggregation_step. A bend has its "
        "place in a feed-forward layer; here the heads are combined without one."
    ),
)

NO_SUPER = Hint(
    look=(
        "Make your module and read the last line of the error message. Before which call, does "
        "it say, did you assign something?"
    ),
    think=(
        "nn.Module keeps a list of all layers and parameters that you put into self. Who has to "
        "set up this list before the first entry can be made?"
    ),
    nearly=(
        "Compare the first line of your __init__ with that of the modules you wrote before. "
        "Before anything else, the parent class is asked to prepare itself, by way of super."
    ),
)

FEATURES_ALTERNATE = Hint(
    look=(
        "Send torch.arange(12.).reshape(1, 2, 6) through your split into 2 heads, and the result "
        "through your merge. Are 0, 1 and 2 together in head 0 of token 0, and side by side "
        "again at the end?"
    ),
    think=(
        "All features of head 0 come first, then those of head 1. When you step from one feature "
        "to the next, what changes first: the head, or the place within the head?"
    ),
    nearly=(
        "In a pattern of rearrange, the letter on the right in the brackets counts fastest (in a "
        "view, the size on the right). Compare yours with the statement's, on the way in and on "
        "the way out."
    ),
)

AXES_NOT_SWAPPED = Hint(
    look=(
        "torch.arange(12.).reshape(1, 2, 6) is two tokens: 0 to 5 belong to token 0, 6 to 11 to "
        "token 1. Send it through your split into 2 heads, and the result through your merge. At "
        "which token is the 6 after each step?"
    ),
    think=(
        "reshape cuts the numbers anew in the order in which they lie in memory; it never lets "
        "two axes change places. Which two axes differ in their order between (B, T, H, d) and "
        "(B, H, T, d)?"
    ),
    nearly=(
        "One of your two steps, split or merge, is a reshape and nothing more. Which axes should "
        "also change places there? rearrange can do both at once."
    ),
)

THIRDS_MISNAMED = Hint(
    look=(
        "Take 2 heads of 3 features and a single token. Print the 18 numbers that to_qkv gives "
        "for it, then your q, k and v. At which places of the 18 do the numbers of each stand?"
    ),
    think=(
        "Whoever writes numbers into to_qkv.weight has to know which rows make the queries. "
        "Which third of the features has which name in the statement?"
    ),
    nearly=(
        "Look at the names on the left of the line that takes the thirds apart. Is their order "
        "the one in which the thirds come?"
    ),
)

PACKED_OTHERWISE = Hint(
    look=(
        "Take 2 heads of 3 features and a single token. Print the 18 numbers that to_qkv gives "
        "for it, then your q. At which places of the 18 do the numbers of q stand?"
    ),
    think=(
        "Walk along the 18 features in your mind. What changes slowest in the way you unpack "
        "them: the kind (query, key, value), the head, or the place within the head? And in the "
        "statement?"
    ),
    nearly=(
        "Look at the brackets, or the sizes of the view, with which you take the features apart: "
        "what changes slowest stands on the left. What must stand there, so that all queries "
        "come before all keys?"
    ),
)

SCALED_BY_ANOTHER_SIZE = Hint(
    look=(
        "Make MultiHeadAttention(6, nr_heads=2, dim_head=4) and print the number by which you "
        "multiply the scores. By hand it is 0.5."
    ),
    think=(
        "A score is a sum of products, one for each feature of a query and its key. How many "
        "products are added up for one score in one head?"
    ),
    nearly=(
        "The number is a power of a size, and the exponent is right. Which size did you take, "
        "and which one counts the features of one query in one head?"
    ),
)

SCALE_FACTOR_WITHOUT_EFFECT = Hint(
    look=(
        "Make one layer with scale_factor=0.5 and one with 1.0, copy the parameters of the first "
        "into the second by load_state_dict, and give both the same x. Do the outputs differ?"
    ),
    think=(
        "An argument that is used nowhere can change nothing. On which way should scale_factor "
        "come to act on the scores?"
    ),
    nearly=(
        "Follow scale_factor through your code. Does it enter the scale in __init__, and does "
        "the scale meet the scores before the softmax? One of these two is missing."
    ),
)

SCALE_GROWS = Hint(
    look=(
        "With dim_head=4, print the number by which you multiply the scores, first for "
        "scale_factor=0.5, then for 1.0. By hand it goes from 0.5 to 0.25. Does yours shrink "
        "too?"
    ),
    think=(
        "Long queries and keys give large scores, and then the softmax looks at hardly more than "
        "one token. Should the scale of larger heads be larger or smaller?"
    ),
    nearly=(
        "In the statement scale_factor stands in the exponent of a power. What is the base of "
        "that power, and what does the minus sign do?"
    ),
)

SCALED_AFTER_SOFTMAX = Hint(
    look=(
        "With dim_head=4, add up each row of the weights by which you mix the values. What is "
        "the sum, and what should the shares of one query add up to?"
    ),
    think=(
        "The scale keeps scores small, so that the softmax does not put nearly everything on one "
        "token. Can it still do so when the softmax has already run?"
    ),
    nearly=(
        "Your scale is the right number, but it meets the wrong tensor. What does the "
        "statement's formula multiply by it, and is that before or after the softmax?"
    ),
)

HEADS_FOLDED_INTO_BATCH = Hint(
    look=(
        "Give the module a batch of two sequences. Then change a token in sequence 1 and nothing "
        "else. Does the output of sequence 0 change?"
    ),
    think=(
        "Sequences and heads share one axis for a while. If they are folded into it in one order "
        "and taken out in another, whose features does a sequence get back?"
    ),
    nearly=(
        "At the folding, either the head or the sequence counts fastest. Compare that with your "
        "unfolding, or ask whether you need to fold at all."
    ),
)

LATER_TOKENS_HIDDEN = Hint(
    look=(
        "Change the last token of a sequence and nothing else. Does the output of token 0 change?"
    ),
    think=(
        "A word may well depend on one that comes later. Does the statement of this exercise "
        "hide any token from another?"
    ),
    nearly=(
        "Look at what happens to the scores between their product and the softmax. Some of them "
        "are made minus infinity, as in causal attention: is that asked for here?"
    ),
)

BATCH_TAKEN_FOR_TOKENS = Hint(
    look=(
        "Take a batch of two sequences. Does the output of token 0 in sequence 0 change when you "
        "change another token of its own sequence? And when you change token 0 of sequence 1?"
    ),
    think=(
        "Words look at the words of their own sequence and know nothing of other sequences. "
        "Along which axis do your queries meet the keys: tokens or batch?"
    ),
    nearly=(
        "x comes as (B, T, dim_input). Compare this order with the first two letters in your "
        "patterns, or the first two sizes in your views, on the way in and on the way out."
    ),
)

BIAS_IN_TO_QKV = Hint(
    look=(
        "Give to_qkv a token whose features are all 0. What comes out, and what should come out "
        "of products with 0?"
    ),
    think=(
        "Queries, keys and values are to be products of a token with a matrix. Which parameter "
        "of your to_qkv is added whatever the token is?"
    ),
    nearly=(
        "Compare your named_parameters() with what the statement says of to_qkv. nn.Linear has "
        "an argument that decides about the one too many."
    ),
)

SOFTMAX_NOT_OVER_KEYS = Hint(
    look=(
        "Take 2 heads and 4 tokens, and add up your weights, of shape (B, H, T, T), along each "
        "of the last three axes in turn. Which of the sums are all 1?"
    ),
    think=(
        "In each head, each query has one whole to share out. Among whom: the heads, the queries "
        "or the keys?"
    ),
    nearly=(
        "Softmax takes a dim. Which axis of your scores holds the keys, and along which one does "
        "your softmax run?"
    ),
)

NO_SOFTMAX = Hint(
    look=(
        "Print the weights of one head for a random x and add up each row. Are there negative "
        "ones among them, and what are the sums?"
    ),
    think=(
        "Weights are shares: none is below 0, and those of one query make up one whole. What "
        "turns arbitrary scores into such shares?"
    ),
    nearly=(
        "Compare the statement's formula with the step between your scaled scores and the "
        "dropout. Which function is missing there, and along which axis should it run?"
    ),
)

MIXED_BY_COLUMNS = Hint(
    look=(
        "Make token 0 all zeros. Its query is 0, so before to_out it should get the plain "
        "average of all values. Does it, in your module?"
    ),
    think=(
        "Row i of the weights says how much token i looks at each token. To mix the values for "
        "token i, do you go along its row or down its column?"
    ),
    nearly=(
        "Look at the product of weights and values. Are you adding up over the keys or over the "
        "queries? In an einsum it is the letter that is gone on the right."
    ),
)

DROPOUT_MISPLACED = Hint(
    look=(
        "Make MultiHeadAttention(6, nr_heads=2, dim_head=3, dropout_p=0.5), set to_out.weight to "
        "torch.eye(6) and its bias to 0. Call it a few times with one single token. Do the "
        "features of a head vanish all three together, one by one, or never?"
    ),
    think=(
        "A dropped weight is a token that is not looked at this time. A single token has one "
        "weight in each head: what should happen to the head's features when it is dropped?"
    ),
    nearly=(
        "With which p do you make your dropout, where does forward call it, and how often, if at "
        "all? Compare with the tensor on which the statement lets it fall, before or after the "
        "softmax."
    ),
)

DROPOUT_AFTER_EVAL = Hint(
    look=(
        "Make a layer with dropout_p=0.5, call its eval(), and give it the same x twice. Are the "
        "two outputs the same?"
    ),
    think=(
        "Dropout is for training; afterwards the layer should give the same answer each time. "
        "Who tells your dropout that training is over?"
    ),
    nearly=(
        "A dropout called as a function knows no more than what you hand to it. Which module, "
        "kept in self, hears of eval() by itself?"
    ),
)

DROPOUT_P_MISREAD = Hint(
    look="Make a layer with dropout_p=0.2 and print layer.dropout. Which p does it show?",
    think=(
        "dropout_p is the probability that a weight is dropped. With 0.2, how many of ten "
        "weights survive on average?"
    ),
    nearly=(
        "Look at what you hand to nn.Dropout in __init__, if anything. Does its p mean the share "
        "that is dropped or the share that is kept?"
    ),
)

NUMBER_OF_HEADS_FIXED = Hint(
    look=(
        "Take MultiHeadAttention(6, nr_heads=2, dim_head=4) and print the shape of q after the "
        "split. How many heads does it have?"
    ),
    think=(
        "A default is what holds when nobody asks for anything else. Where do you keep the "
        "number of heads that was asked for?"
    ),
    nearly=(
        "Look at the number of heads in the split in forward. A fixed number there knows nothing "
        "of the argument of __init__."
    ),
)

WEIGHTS_DETACHED = Hint(
    look=(
        "Call the module, call backward() on the sum of the output, and print "
        "to_qkv.weight.grad. In which third of the rows is it not 0?"
    ),
    think=(
        "Training moves a number if its gradient is not 0. Through which tensor do queries and "
        "keys act on the output?"
    ),
    nearly=(
        "Look at the way of the weights into the mixture. Something there, such as "
        "detach, data or no_grad, makes PyTorch forget how they were computed."
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

GRADIENT_CUT_OFF = Hint(
    look=(
        "Call `backward()` on the sum of all results, and look at the `grad` of everything that "
        "queries, keys and values are made with. Where is it None or 0, though it has a part in "
        "the result?"
    ),
    think=(
        "Training follows the gradient from the result back along queries, keys and values. "
        "Along which of the three does it not arrive?"
    ),
    nearly=(
        "The numbers are right. Look for a `detach`, `data` or `no_grad`, or a tensor "
        "made anew out of numbers, on the way of the queries, the keys or the values."
    ),
)

VALUES_UNUSED = Hint(
    look=(
        "Set the last third of the rows of to_qkv.weight to 0, and all of to_out.bias. Every "
        "result should then be 0. What do you get?"
    ),
    think=(
        "Queries and keys decide who is listened to; the values are what is said. What do the "
        "weights mix in your code?"
    ),
    nearly=(
        "Look at the product behind the softmax: which of the three parts of to_qkv's result "
        "meets the weights there?"
    ),
)

OTHER_DEFAULTS = Hint(
    look=(
        "Build the module with its first argument only and print it, and `inspect.signature` of "
        "the class. Which values do the other arguments have?"
    ),
    think=(
        "Whoever leaves an argument out relies on its default. Which defaults does the statement "
        "give?"
    ),
    nearly=(
        "Look at the head of your `__init__`, not at its body, and compare it with the "
        "statement, number by number and in its order."
    ),
)

BENT_BEFORE_THE_END = Hint(
    look=(
        "Print what goes into aggregation_step: the heads' outputs side by side. Are there "
        "negative numbers, as in the outputs of the single heads?"
    ),
    think=(
        "The last layer is to combine what the heads found, as they found it. Which of your "
        "steps takes something away?"
    ),
    nearly=(
        "Look between the heads and the last layer: the statement has a concatenation there, and "
        "nothing else."
    ),
)

SCALED_TWICE = Hint(
    look=(
        "Make MultiHeadAttention(6, nr_heads=2, dim_head=4) and print queries and keys just "
        "before their product. Are they what to_qkv gave?"
    ),
    think=(
        "The product of two numbers that are both scaled by s is scaled by s twice. How often "
        "should a score be?"
    ),
    nearly=(
        "Find every place where something is scaled, also within functions of PyTorch. "
        "Through how many of them does a score go?"
    ),
)

AGGREGATION_NOT_KEPT = Hint(
    look=(
        "Call your layer twice with the same x, and print `aggregation_step.weight` "
        "before, between and after. Does it stay what it was?"
    ),
    think=(
        "Training changes the numbers of a part a little after each call. What "
        "becomes of these changes if the next call puts a new part in its place?"
    ),
    nearly=(
        "Look for the place where aggregation_step is made. It needs to be made "
        "once, and used in every call."
    ),
)

DROPOUT_NOT_ASKED = Hint(
    look="Call your layer twice with the same x, in training. Are the two results equal?",
    think=(
        "The statement describes a computation without chance here: the same input "
        "gives the same output. Which of your steps throws dice?"
    ),
    nearly="Look for a dropout in `forward`. Another exercise has one; does this one ask for it?",
)

ARGUMENTS_IN_ORDER = Hint(
    look=(
        "Build MultiHeadAttention(6, 2, 3) and print the shape of q after the split. "
        "How many heads has it, and how many features has each?"
    ),
    think=(
        "A caller hands over the numbers by their places. What does the statement "
        "say about their order?"
    ),
    nearly="Compare the head of your `__init__` with that of the statement, argument by argument.",
)

HEADS_LOOK_AT_HEADS = Hint(
    look=(
        "Print the shape of your scores for 5 tokens and 2 heads. The statement has "
        "a 5 by 5 table for each head; what is yours?"
    ),
    think=(
        "Within each head, tokens look at tokens. Between what and what are your products taken?"
    ),
    nearly=(
        "The last two axes of q and k meet in the product. Which axis must stand "
        "beside the features then, the tokens or the heads?"
    ),
)

ONE_HEAD_SERVES_ALL = Hint(
    look=(
        "With two heads, set the rows of to_qkv.weight that make the keys of head 1 "
        "to 0, then those that make its values. Does the output change, each time?"
    ),
    think="Each head has queries, keys and values of its own. Do all of yours take part?",
    nearly=(
        "Look for an index or a slice that always takes head 0, or for an average "
        "over the heads, on the way to the scores and to the mixtures."
    ),
)

NOT_CONTIGUOUS = Hint(
    look=(
        "Hand over `x.mT.contiguous().mT`, which holds the same numbers as x in "
        "another order of memory. Which line fails, and what does the error advise?"
    ),
    think=(
        "A `view` only looks anew at numbers as they lie in memory. Must the input "
        "lie as you expect?"
    ),
    nearly=(
        "Look for the `view` of x in your `forward`. A linear layer needs none, and "
        "`reshape` copies where it has to."
    ),
)

QUERIES_AND_KEYS_EXCHANGED = Hint(
    look=(
        "Print the scores of two tokens in one head, then exchange the first two "
        "thirds of the rows of to_qkv.weight and print them again. In which of the "
        "two does row 0 hold the query of token 0 with both keys?"
    ),
    think=(
        "In the scores a row belongs to the token that asks and a column to the "
        "token that is asked. Which of q and k asks?"
    ),
    nearly=(
        "The roles can be exchanged in two places: where you give names to the "
        "thirds of to_qkv's result, and where you multiply queries by keys. Compare "
        "both with the statement."
    ),
)

INPUT_NORMALISED = Hint(
    look=(
        "Put in a sequence, and then three times this sequence plus 7. Are the two "
        "results (nearly) the same?"
    ),
    think=(
        "A token with larger features should be able to give another result here. "
        "Which step makes the two alike?"
    ),
    nearly=(
        "Look for a norm in your code. The statement of this exercise names none: a "
        "norm belongs to the block around this module."
    ),
)

NOTHING_RETURNED = Hint(
    look="Assign the result of a call to a name and print it. What is it?",
    think=(
        "A function without a `return` gives None, whatever it has computed. Where "
        "does your result go?"
    ),
    nearly=(
        "Look at the last line of `forward`, and at every other way out of it. Does "
        "each hand back the result?"
    ),
)

SCALE_CUT_TO_A_WHOLE = Hint(
    look=(
        "Make MultiHeadAttention(6, nr_heads=2, dim_head=7) and print the number by "
        "which a score is divided. By hand it is 2.6458; what is yours?"
    ),
    think=(
        "The power of a whole number is seldom a whole number. Does your scale keep all its digits?"
    ),
    nearly="Look for `int`, `//` or a rounding where the scale is made.",
)

GRADIENT_OF_THE_HEADS = Hint(
    look=(
        "Call backward() on the sum of the output, and print the `grad` of every "
        "parameter. Which are None?"
    ),
    think=(
        "Training follows the gradient from the result back through the last layer "
        "into each head. Where is the way cut?"
    ),
    nearly=(
        "The numbers are right. Look for a `detach`, `data` or `no_grad`, or a tensor "
        "made anew out of numbers, between the heads and the last layer."
    ),
)

BATCH_ONLY = Hint(
    look=(
        "Try a batch (three dimensions) and then a single sentence (two). Which of "
        "them fails, and which line does the error name?"
    ),
    think=(
        "The dots in the shapes stand for any number of dimensions in front, also "
        "for none. Which of your steps relies on there being exactly one?"
    ),
    nearly=(
        "Look for a pattern or a view that names every dimension. Three dots in a "
        "pattern, or an axis counted from the end, serve all cases."
    ),
)

BIAS_ONCE = Hint(
    look=(
        "Set all weights of aggregation_step to 0 and its bias to 1. The result "
        "should be 1 everywhere; what is it?"
    ),
    think=(
        "The bias belongs to the last layer as a whole, not to each head. How often "
        "does yours come in?"
    ),
    nearly=(
        "Look at how the heads reach aggregation_step. All of them together, side by "
        "side, pass it once."
    ),
)

DIM_COUNTED_FROM_FRONT_OR_TOKENS = Hint(
    look=(
        "Take two heads that give (3, 5, 4) each, and print the shape of what you "
        "make of the two. The statement asks for (3, 5, 8)."
    ),
    think=(
        "Each token is to keep its place and to get more features. Which of the axes "
        "grows in yours?"
    ),
    nearly=(
        "Look at the `dim` with which you join the heads, or whether you give one at "
        "all. The features lie along the last axis."
    ),
)

LAST_HEAD_ONLY = Hint(
    look=(
        "Set all parameters of head 0 to 0 and call your layer again with the same "
        "x. Does the output change?"
    ),
    think=(
        "A head whose result is thrown away learns nothing. How many different results "
        "are there in what you hand to aggregation_step?"
    ),
    nearly=(
        "If a loop gives each result the same name, the last one alone is left. Where "
        "are the earlier ones kept?"
    ),
)

PUT_INTO_A_SEQUENTIAL = Hint(
    look=(
        "Print the names in named_parameters(). Which of the names in the statement "
        "is missing, and which stands there in its place?"
    ),
    think=(
        "A part inside another has a longer name. Others load saved weights by name: "
        "where do they look for to_out.weight?"
    ),
    nearly=(
        "Look at what to_out is in your `__init__`. The statement asks for one "
        "linear layer, and for a dropout at one other place only."
    ),
)

MISCONCEPTIONS: list[Misconception] = [
    Misconception(
        "same_head",
        "MultiHeadList",
        "all heads are one: they have all their parameters in common",
        (
            (
                "[AttentionHead(dim_h, dim_k) for _ in range(nr_heads)]",
                "[AttentionHead(dim_h, dim_k)] * nr_heads",
            ),
        ),
        hint=SAME_HEAD,
    ),
    Misconception(
        "cat_time",
        "MultiHeadList",
        "reshapes (H, T, d) straight to (T, H d), which mixes tokens and heads",
        (("dim=-1)", "dim=-2).reshape(*x.shape[:-1], -1)"),),
        hint=ROWS_OF_OTHER_TOKENS,
    ),
    Misconception(
        "interleaved",
        "MultiHeadList",
        "features of different heads alternate: another layout of the weights",
        (("torch.cat", "torch.stack"), ("dim=-1)", "dim=-1).flatten(-2)")),
        hint=PLACES_OF_THE_FEATURES,
    ),
    Misconception(
        "chained",
        "MultiHeadList",
        "a head reads what the head before it gave, made as wide as x with zeros",
        (
            (
                "side_by_side = torch.cat([head(x) for head in self.heads], dim=-1)",
                (
                    "outputs, previous = [], x\n"
                    "        for head in self.heads:\n"
                    "            outputs.append(head(previous))\n"
                    "            missing = x.shape[-1] - outputs[-1].shape[-1]\n"
                    "            previous = nn.functional.pad(outputs[-1], (0, missing))\n"
                    "        side_by_side = torch.cat(outputs, dim=-1)"
                ),
            ),
        ),
        hint=CHAINED_HEADS,
    ),
    Misconception(
        "first_only",
        "MultiHeadList",
        "puts copies of what head 0 gives side by side",
        (("head(x) for head in self.heads", "self.heads[0](x) for _ in self.heads"),),
        hint=FIRST_HEAD_ONLY,
    ),
    Misconception(
        "per_token_mean",
        "MultiHeadList",
        "puts copies of the heads' average side by side",
        (
            (
                "side_by_side = torch.cat([head(x) for head in self.heads], dim=-1)",
                (
                    "mean = torch.stack([head(x) for head in self.heads]).mean(dim=0)\n"
                    "        side_by_side = torch.cat([mean] * len(self.heads), dim=-1)"
                ),
            ),
        ),
        hint=HEADS_ADDED_UP,
    ),
    Misconception(
        "skip",
        "MultiHeadList",
        "adds its input to the result",
        (("return self", "return x + self"),),
        hint=INPUT_ADDED,
    ),
    Misconception(
        "plain_list",
        "MultiHeadList",
        "PyTorch does not see the heads, as where a plain list holds them",
        (("nn.ModuleList([", "["), ("range(nr_heads)])", "range(nr_heads)]")),
        hint=HEADS_IN_PLAIN_LIST,
    ),
    Misconception(
        "new_in_forward",
        "MultiHeadList",
        "makes fresh heads in every call",
        (
            (
                "heads = nn.ModuleList([AttentionHead(dim_h, dim_k) for _ in range(nr_heads)])",
                "sizes, self.nr_heads = (dim_h, dim_k), nr_heads",
            ),
            (
                "head(x) for head in self.heads",
                "AttentionHead(*self.sizes)(x) for _ in range(self.nr_heads)",
            ),
        ),
        hint=HEADS_MADE_IN_FORWARD,
    ),
    Misconception(
        "stack_reshape",
        "MultiHeadList",
        "reshapes (H, B, T, d) straight to (B, T, H d), which mixes the sequences too",
        (("torch.cat", "torch.stack"), (", dim=-1)", ").reshape(*x.shape[:-1], -1)")),
        hint=ROWS_OF_OTHER_TOKENS,
    ),
    Misconception(
        "cat_dim1",
        "MultiHeadList",
        "concatenates along dimension 1, which fits one sentence only",
        (("dim=-1", "dim=1"),),
        hint=DIM_COUNTED_FROM_FRONT,
    ),
    Misconception(
        "cat_dim2",
        "MultiHeadList",
        "needs a dimension 2, which one sentence does not have",
        (("dim=-1", "dim=2"),),
        hint=DIM_COUNTED_FROM_FRONT,
    ),
    Misconception(
        "summed",
        "MultiHeadList",
        "adds the heads up and aggregates dim_k features",
        (
            ("nr_heads * dim_k", "dim_k"),
            (
                "torch.cat([head(x) for head in self.heads], dim=-1)",
                "sum(head(x) for head in self.heads)",
            ),
        ),
        hint=HEADS_ADDED_UP,
    ),
    Misconception(
        "aggregated_each",
        "MultiHeadList",
        "aggregates each head by the same small layer and adds up",
        (
            ("nr_heads * dim_k", "dim_k"),
            (
                "torch.cat([head(x) for head in self.heads], dim=-1)",
                "[self.aggregation_step(head(x)) for head in self.heads]",
            ),
            ("self.aggregation_step(side_by_side)", "sum(side_by_side)"),
        ),
        hint=HEADS_ADDED_UP,
    ),
    Misconception(
        "dim_k_divided",
        "MultiHeadList",
        "takes dim_k for the size of all heads together",
        (("super().__init__()", "super().__init__()\n        dim_k = dim_k // nr_heads"),),
        hint=HEAD_SIZE_DIVIDED,
    ),
    Misconception(
        "dims_swapped",
        "MultiHeadList",
        "hands dim_k and dim_h to the heads in the wrong order",
        (("AttentionHead(dim_h, dim_k)", "AttentionHead(dim_k, dim_h)"),),
        hint=HEAD_SIZES_SWAPPED,
    ),
    Misconception(
        "no_aggregation",
        "MultiHeadList",
        "returns the heads side by side as they are",
        (("self.aggregation_step(side_by_side)", "side_by_side"),),
        hint=LAST_LAYER_NOT_CALLED,
    ),
    Misconception(
        "to_dim_k",
        "MultiHeadList",
        "the aggregation leads to dim_k features, not back to dim_h",
        (("nn.Linear(nr_heads * dim_k, dim_h)", "nn.Linear(nr_heads * dim_k, dim_k)"),),
        hint=OUTPUT_NOT_AS_WIDE_AS_X,
    ),
    Misconception(
        "no_bias",
        "MultiHeadList",
        "the aggregation has no bias",
        (("* dim_k, dim_h)", "* dim_k, dim_h, bias=False)"),),
        hint=BIAS_MISSING,
    ),
    Misconception(
        "reversed",
        "MultiHeadList",
        "puts the last head first: another layout of the weights",
        (
            (
                "side_by_side = torch.cat([head(x) for head in self.heads], dim=-1)",
                (
                    "side_by_side = self.heads[0](x)\n"
                    "        for head in self.heads[1:]:\n"
                    "            side_by_side = torch.cat([head(x), side_by_side], dim=-1)"
                ),
            ),
        ),
        hint=PLACES_OF_THE_FEATURES,
    ),
    Misconception(
        "activation",
        "MultiHeadList",
        "a GELU between the heads and the aggregation",
        (("(side_by_side)", "(nn.functional.gelu(side_by_side))"),),
        hint=BENT_BETWEEN,
    ),
    Misconception(
        "no_super",
        "MultiHeadList",
        "puts parts into self before nn.Module has prepared itself",
        (("        super().__init__()\n", ""),),
        hint=NO_SUPER,
    ),
    Misconception(
        "relu",
        "MultiHeadList",
        "sets what is negative to 0 before the aggregation, as a relu does",
        (
            (
                "self.aggregation_step(side_by_side)",
                "self.aggregation_step(torch.relu(side_by_side))",
            ),
        ),
        hint=BENT_BEFORE_THE_END,
    ),
    Misconception(
        "cat_dim_minus_2",
        "MultiHeadList",
        "concatenates along the tokens or along dimension 0, not along the features",
        (("dim=-1", "dim=-2"),),
        hint=DIM_COUNTED_FROM_FRONT_OR_TOKENS,
    ),
    Misconception(
        "cat_dim0",
        "MultiHeadList",
        "concatenates along the tokens or along dimension 0, not along the features",
        ((", dim=-1", ""),),
        hint=DIM_COUNTED_FROM_FRONT_OR_TOKENS,
    ),
    Misconception(
        "summed_repeated",
        "MultiHeadList",
        "puts copies of the heads' sum side by side",
        (
            (
                "side_by_side = torch.cat([head(x) for head in self.heads], dim=-1)",
                (
                    "total = sum(head(x) for head in self.heads)\n"
                    "        side_by_side = torch.cat([total] * len(self.heads), dim=-1)"
                ),
            ),
        ),
        hint=HEADS_ADDED_UP,
    ),
    Misconception(
        "last_only",
        "MultiHeadList",
        "puts copies of what the last head gives side by side",
        (
            (
                "side_by_side = torch.cat([head(x) for head in self.heads], dim=-1)",
                (
                    "for head in self.heads:\n"
                    "            found = head(x)\n"
                    "        side_by_side = torch.cat([found] * len(self.heads), dim=-1)"
                ),
            ),
        ),
        hint=LAST_HEAD_ONLY,
    ),
    Misconception(
        "aggregation_in_forward",
        "MultiHeadList",
        "makes aggregation_step in forward",
        (
            ("        self.aggregation_step = nn.Linear(nr_heads * dim_k, dim_h)\n", ""),
            (
                "        return self",
                (
                    "        self.aggregation_step = nn.Linear(side_by_side.shape[-1], "
                    "x.shape[-1])\n"
                    "        return self"
                ),
            ),
        ),
        hint=AGGREGATION_NOT_KEPT,
    ),
    Misconception(
        "aggregation_replaced",
        "MultiHeadList",
        "replaces aggregation_step by a fresh one in every call",
        (
            (
                "        return self",
                (
                    "        self.aggregation_step = nn.Linear(side_by_side.shape[-1], "
                    "x.shape[-1])\n"
                    "        return self"
                ),
            ),
        ),
        hint=AGGREGATION_NOT_KEPT,
    ),
    Misconception(
        "aggregation_dims_swapped",
        "MultiHeadList",
        "exchanges the sizes of the aggregation",
        (("nn.Linear(nr_heads * dim_k, dim_h)", "nn.Linear(dim_h, nr_heads * dim_k)"),),
        hint=HEAD_SIZES_SWAPPED,
    ),
    Misconception(
        "dim_h_divided",
        "MultiHeadList",
        "divides dim_h among the heads, whatever dim_k says",
        (("super().__init__()", ("super().__init__()\n        dim_k = dim_h // nr_heads")),),
        hint=HEAD_SIZE_DIVIDED,
    ),
    Misconception(
        "dropout_fifth",
        "MultiHeadList",
        "a dropout on the result, which nobody asked for",
        (
            (
                "return self.aggregation_step(side_by_side)",
                (
                    "return nn.functional.dropout(self.aggregation_step(side_by_side), "
                    "0.2, self.training)"
                ),
            ),
        ),
        hint=DROPOUT_NOT_ASKED,
    ),
    Misconception(
        "dropout_tenth",
        "MultiHeadList",
        "a dropout on the result, which nobody asked for",
        (
            (
                "return self.aggregation_step(side_by_side)",
                (
                    "return nn.functional.dropout(self.aggregation_step(side_by_side), "
                    "0.1, self.training)"
                ),
            ),
        ),
        hint=DROPOUT_NOT_ASKED,
    ),
    Misconception(
        "dropout_inside",
        "MultiHeadList",
        "a dropout before the aggregation, which nobody asked for",
        (
            (
                "return self",
                (
                    "side_by_side = nn.functional.dropout(side_by_side, 0.1, self.training)\n"
                    "        return self"
                ),
            ),
        ),
        hint=DROPOUT_NOT_ASKED,
    ),
    Misconception(
        "detached",
        "MultiHeadList",
        "cuts the heads off from the gradient",
        (("head(x) for", "head(x).detach() for"),),
        hint=GRADIENT_OF_THE_HEADS,
    ),
    Misconception(
        "pattern_of_three",
        "MultiHeadList",
        "a pattern that names three dimensions, which one sentence does not have",
        (
            (
                "side_by_side = torch.cat([head(x) for head in self.heads], dim=-1)",
                (
                    "side_by_side = rearrange(\n"
                    '            torch.stack([head(x) for head in self.heads]), "h b t d '
                    '-> b t (h d)"\n'
                    "        )"
                ),
            ),
        ),
        hint=BATCH_ONLY,
    ),
    Misconception(
        "bias_of_each",
        "MultiHeadList",
        "adds the bias of the aggregation once for each head",
        (
            (
                "return self.aggregation_step(side_by_side)",
                (
                    "extra = (len(self.heads) - 1) * self.aggregation_step.bias\n"
                    "        return self.aggregation_step(side_by_side) + extra"
                ),
            ),
        ),
        hint=BIAS_ONCE,
    ),
    Misconception(
        "no_return",
        "MultiHeadList",
        "forward returns no result, but None",
        (("return self", "self"),),
        hint=NOTHING_RETURNED,
    ),
    Misconception(
        "averaged",
        "MultiHeadList",
        "averages the heads and aggregates dim_k features",
        (
            ("nr_heads * dim_k", "dim_k"),
            (
                "torch.cat([head(x) for head in self.heads], dim=-1)",
                "torch.stack([head(x) for head in self.heads]).mean(dim=0)",
            ),
        ),
        hint=HEADS_ADDED_UP,
    ),
    Misconception(
        "merge_dh",
        "MultiHeadAttention",
        "merges the heads with their features alternating: another layout of the weights",
        (("-> b n (h d)", "-> b n (d h)"),),
        hint=FEATURES_ALTERNATE,
    ),
    Misconception(
        "split_merge_dh",
        "MultiHeadAttention",
        "lets the heads' features alternate throughout: another layout of the weights",
        (("b n (h d) ->", "b n (d h) ->"), ("-> b n (h d)", "-> b n (d h)")),
        hint=FEATURES_ALTERNATE,
    ),
    Misconception(
        "view_split",
        "MultiHeadAttention",
        "reshapes straight to (B, H, T, d), which mixes tokens and heads",
        (
            (
                'rearrange(t, "b n (h d) -> b h n d", h=self.nr_heads)',
                "t.reshape(x.shape[0], self.nr_heads, x.shape[1], -1)",
            ),
        ),
        hint=AXES_NOT_SWAPPED,
    ),
    Misconception(
        "order_kqv",
        "MultiHeadAttention",
        "exchanges queries and keys: another layout of the weights",
        (("q, k, v = (", "k, q, v = ("),),
        hint=QUERIES_AND_KEYS_EXCHANGED,
    ),
    Misconception(
        "order_vkq",
        "MultiHeadAttention",
        "takes the thirds for values, keys and queries: another layout of the weights",
        (("q, k, v = (", "v, k, q = ("),),
        hint=THIRDS_MISNAMED,
    ),
    Misconception(
        "order_qvk",
        "MultiHeadAttention",
        "takes the thirds for queries, values and keys: another layout of the weights",
        (("q, k, v = (", "q, v, k = ("),),
        hint=THIRDS_MISNAMED,
    ),
    Misconception(
        "per_head_chunk",
        "MultiHeadAttention",
        "takes each head's queries, keys and values in one run: another layout of the weights",
        (
            (
                "(h d) -> b h n d",
                "(h qkv d) -> qkv b h n d",
            ),
            ("rearrange(t, ", "rearrange(self.to_qkv(x), "),
            ("h=self.nr_heads)", "h=self.nr_heads, qkv=3)"),
            ("            for t in self.to_qkv(x).chunk(3, dim=-1)\n", ""),
        ),
        hint=PACKED_OTHERWISE,
    ),
    Misconception(
        "scale_dim_input",
        "MultiHeadAttention",
        "scales by the size of the input, not of a head",
        (("dim_head**-scale_factor", "dim_input**-scale_factor"),),
        hint=SCALED_BY_ANOTHER_SIZE,
    ),
    Misconception(
        "scale_ignored",
        "MultiHeadAttention",
        "always divides by the root, whatever scale_factor says",
        (("dim_head**-scale_factor", "dim_head**-0.5"),),
        hint=SCALE_FACTOR_WITHOUT_EFFECT,
    ),
    Misconception(
        "out_no_bias",
        "MultiHeadAttention",
        "to_out has no bias",
        (("dim_head, dim_input)", "dim_head, dim_input, bias=False)"),),
        hint=BIAS_MISSING,
    ),
    Misconception(
        "dropout_never",
        "MultiHeadAttention",
        "never drops a weight, whatever dropout_p says",
        (("self.dropout(scores.softmax(dim=-1))", "scores.softmax(dim=-1)"),),
        hint=DROPOUT_MISPLACED,
    ),
    Misconception(
        "batch_in_heads",
        "MultiHeadAttention",
        "folds the heads into the batch in one order and unfolds them in the other",
        (
            (
                'rearrange(out, "b h n d -> b n (h d)")',
                'rearrange(out.flatten(0, 1), "(h b) n d -> b n (h d)", h=self.nr_heads)',
            ),
        ),
        hint=HEADS_FOLDED_INTO_BATCH,
    ),
    Misconception(
        "causal",
        "MultiHeadAttention",
        "hides later tokens, which nobody asked for",
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
        hint=LATER_TOKENS_HIDDEN,
    ),
    Misconception(
        "split_dh",
        "MultiHeadAttention",
        "splits into heads with their features alternating: another layout of the weights",
        (("b n (h d) ->", "b n (d h) ->"),),
        hint=FEATURES_ALTERNATE,
    ),
    Misconception(
        "view_merge",
        "MultiHeadAttention",
        "reshapes straight back to (B, T, H d), which mixes tokens and heads",
        (('rearrange(out, "b h n d -> b n (h d)")', "out.reshape(*x.shape[:2], -1)"),),
        hint=AXES_NOT_SWAPPED,
    ),
    Misconception(
        "packed_dkh",
        "MultiHeadAttention",
        "unpacks to_qkv as (d qkv h), as a well-known tutorial does: another layout of the weights",
        (
            ("(h d) -> b h n d", "(d qkv h) -> qkv b h n d"),
            ("rearrange(t, ", "rearrange(self.to_qkv(x), "),
            ("h=self.nr_heads)", "h=self.nr_heads, qkv=3)"),
            ("            for t in self.to_qkv(x).chunk(3, dim=-1)\n", ""),
        ),
        hint=PACKED_OTHERWISE,
    ),
    Misconception(
        "token_first",
        "MultiHeadAttention",
        "takes the batch for the tokens, as nn.MultiheadAttention does by default",
        (("b n (h d) ->", "n b (h d) ->"), ("-> b n (h d)", "-> n b (h d)")),
        hint=BATCH_TAKEN_FOR_TOKENS,
    ),
    Misconception(
        "qkv_bias",
        "MultiHeadAttention",
        "to_qkv has a bias",
        ((", bias=False", ""),),
        hint=BIAS_IN_TO_QKV,
    ),
    Misconception(
        "no_scale",
        "MultiHeadAttention",
        "leaves the scores as large as they are",
        ((", q, k) * self.scale", ", q, k)"),),
        hint=SCALE_FACTOR_WITHOUT_EFFECT,
    ),
    Misconception(
        "scale_inverted",
        "MultiHeadAttention",
        "multiplies by the power by which it should divide",
        (("dim_head**-scale_factor", "dim_head**scale_factor"),),
        hint=SCALE_GROWS,
    ),
    Misconception(
        "scale_is_factor",
        "MultiHeadAttention",
        "multiplies the scores by scale_factor itself",
        (("dim_head**-scale_factor", "scale_factor"),),
        hint=SCALE_GROWS,
    ),
    Misconception(
        "scale_inner",
        "MultiHeadAttention",
        "scales by the size of all heads together",
        (("dim_head**-scale_factor", "(nr_heads * dim_head) ** -scale_factor"),),
        hint=SCALED_BY_ANOTHER_SIZE,
    ),
    Misconception(
        "scale_after",
        "MultiHeadAttention",
        "scales after the softmax, the weights or what they mix",
        (
            (", q, k) * self.scale", ", q, k)"),
            ("scores.softmax(dim=-1)", "scores.softmax(dim=-1) * self.scale"),
        ),
        hint=SCALED_AFTER_SOFTMAX,
    ),
    Misconception(
        "softmax_heads",
        "MultiHeadAttention",
        "the softmax runs over the heads",
        (("softmax(dim=-1)", "softmax(dim=1)"),),
        hint=SOFTMAX_NOT_OVER_KEYS,
    ),
    Misconception(
        "softmax_queries",
        "MultiHeadAttention",
        "the softmax runs over the queries: columns add up to 1",
        (("softmax(dim=-1)", "softmax(dim=-2)"),),
        hint=SOFTMAX_NOT_OVER_KEYS,
    ),
    Misconception(
        "no_softmax",
        "MultiHeadAttention",
        "uses the scaled scores themselves as weights",
        (("scores.softmax(dim=-1)", "scores"),),
        hint=NO_SOFTMAX,
    ),
    Misconception(
        "weights_transposed",
        "MultiHeadAttention",
        "mixes the values by the columns of the weights",
        (("b h i j, b h j d -> b h i d", "b h j i, b h j d -> b h i d"),),
        hint=MIXED_BY_COLUMNS,
    ),
    Misconception(
        "dropout_on_scores",
        "MultiHeadAttention",
        "the dropout falls on the scores, before the softmax",
        (("self.dropout(scores.softmax(dim=-1))", "self.dropout(scores).softmax(dim=-1)"),),
        hint=DROPOUT_MISPLACED,
    ),
    Misconception(
        "dropout_on_output",
        "MultiHeadAttention",
        "the dropout falls on the mixtures, not on the weights",
        (
            ("self.dropout(scores.softmax(dim=-1))", "scores.softmax(dim=-1)"),
            ("self.to_out(rearrange(out,", "self.to_out(rearrange(self.dropout(out),"),
        ),
        hint=DROPOUT_MISPLACED,
    ),
    Misconception(
        "dropout_twice",
        "MultiHeadAttention",
        "the dropout falls on the result of to_out as well as on the weights",
        (("return self.to_out(", "return self.dropout(self.to_out("), ('(h d)"))', '(h d)")))')),
        hint=DROPOUT_MISPLACED,
    ),
    Misconception(
        "dropout_in_eval",
        "MultiHeadAttention",
        "drops weights after eval() too",
        (
            ("self.dropout = nn.Dropout(dropout_p)", "self.dropout_p = dropout_p"),
            (
                "self.dropout(scores.softmax(dim=-1))",
                "nn.functional.dropout(scores.softmax(dim=-1), self.dropout_p)",
            ),
        ),
        hint=DROPOUT_AFTER_EVAL,
    ),
    Misconception(
        "dropout_default",
        "MultiHeadAttention",
        "drops half of the weights, whatever dropout_p says, as nn.Dropout() does",
        (("nn.Dropout(dropout_p)", "nn.Dropout()"),),
        hint=DROPOUT_P_MISREAD,
    ),
    Misconception(
        "dropout_keeps",
        "MultiHeadAttention",
        "takes dropout_p for the share that is kept",
        (("nn.Dropout(dropout_p)", "nn.Dropout(1 - dropout_p)"),),
        hint=DROPOUT_P_MISREAD,
    ),
    Misconception(
        "no_to_out",
        "MultiHeadAttention",
        "returns the heads side by side without to_out",
        (("self.to_out(rearrange", "rearrange"), ('(h d)"))', '(h d)")')),
        hint=LAST_LAYER_NOT_CALLED,
    ),
    Misconception(
        "skip",
        "MultiHeadAttention",
        "adds its input to the result",
        (("return self", "return x + self"),),
        hint=INPUT_ADDED,
    ),
    Misconception(
        "dim_head_ignored",
        "MultiHeadAttention",
        "divides dim_input among the heads, whatever dim_head says",
        (("super().__init__()", "super().__init__()\n        dim_head = dim_input // nr_heads"),),
        hint=HEAD_SIZE_DIVIDED,
    ),
    Misconception(
        "dim_head_in_scale_only",
        "MultiHeadAttention",
        "divides dim_input among the heads, and takes dim_head for the scale only",
        (
            (
                "nn.Linear(dim_input, 3 * nr_heads * dim_head, bias=False)",
                ("nn.Linear(dim_input, 3 * (dim_input // nr_heads) * nr_heads, bias=False)"),
            ),
            (
                "nn.Linear(nr_heads * dim_head, dim_input)",
                "nn.Linear(nr_heads * (dim_input // nr_heads), dim_input)",
            ),
        ),
        hint=HEAD_SIZE_DIVIDED,
    ),
    Misconception(
        "eight_heads",
        "MultiHeadAttention",
        "splits into 8 heads, whatever nr_heads says",
        (("h=self.nr_heads", "h=8"),),
        hint=NUMBER_OF_HEADS_FIXED,
    ),
    Misconception(
        "detached",
        "MultiHeadAttention",
        "cuts the weights off from the gradient",
        (("weights, v)", "weights.detach(), v)"),),
        hint=WEIGHTS_DETACHED,
    ),
    Misconception(
        "queries_detached",
        "MultiHeadAttention",
        "cuts the queries off from the gradient",
        (('b h i j", q, k)', 'b h i j", q.detach(), k)'),),
        hint=GRADIENT_CUT_OFF,
    ),
    Misconception(
        "values_are_keys",
        "MultiHeadAttention",
        "mixes the keys; the values lie idle",
        (("weights, v)", "weights, k)"),),
        hint=VALUES_UNUSED,
    ),
    Misconception(
        "relu_on_values",
        "MultiHeadAttention",
        "sets what is negative in the values to 0, as a relu does",
        (("weights, v)", "weights, v.relu())"),),
        hint=VALUES_BENT,
    ),
    Misconception(
        "values_detached",
        "MultiHeadAttention",
        "cuts the values off from the gradient",
        (("weights, v)", "weights, v.detach())"),),
        hint=GRADIENT_CUT_OFF,
    ),
    Misconception(
        "keys_detached",
        "MultiHeadAttention",
        "cuts the keys off from the gradient",
        (('b h i j", q, k)', 'b h i j", q, k.detach())'),),
        hint=GRADIENT_CUT_OFF,
    ),
    Misconception(
        "no_super",
        "MultiHeadAttention",
        "puts parts into self before nn.Module has prepared itself",
        (("        super().__init__()\n", ""),),
        hint=NO_SUPER,
    ),
    Misconception(
        "dropout_by_default",
        "MultiHeadAttention",
        "drops weights unless told otherwise",
        (("dropout_p: float = 0.0", "dropout_p: float = 0.1"),),
        hint=OTHER_DEFAULTS,
    ),
    Misconception(
        "dim_head_by_default",
        "MultiHeadAttention",
        "nr_heads or dim_head has another default: their product is not 128",
        (("dim_head: int = 16", "dim_head: int = 64"),),
        hint=OTHER_DEFAULTS,
    ),
    Misconception(
        "heads_by_default",
        "MultiHeadAttention",
        "nr_heads or dim_head has another default: their product is not 128",
        (("nr_heads: int = 8", "nr_heads: int = 4"),),
        hint=OTHER_DEFAULTS,
    ),
    Misconception(
        "scale_twice",
        "MultiHeadAttention",
        "scales the scores twice",
        (("q, k) * self.scale", "q, k) * self.scale**2"),),
        hint=SCALED_TWICE,
    ),
    Misconception(
        "arguments_exchanged",
        "MultiHeadAttention",
        "takes dim_head before nr_heads",
        (
            (
                ("        nr_heads: int = 8,\n        dim_head: int = 16,\n"),
                ("        dim_head: int = 16,\n        nr_heads: int = 8,\n"),
            ),
        ),
        hint=ARGUMENTS_IN_ORDER,
    ),
    Misconception(
        "over_heads",
        "MultiHeadAttention",
        "lets the heads of a token look at each other, and tokens not at all",
        (
            ("-> b h n d", "-> b n h d"),
            ("b h n d -> b n (h d)", "b n h d -> b n (h d)"),
        ),
        hint=HEADS_LOOK_AT_HEADS,
    ),
    Misconception(
        "keys_of_head_0",
        "MultiHeadAttention",
        "uses the keys of head 0 in all heads",
        ((", q, k) * self", ", q, k[:, :1].expand_as(k)) * self"),),
        hint=ONE_HEAD_SERVES_ALL,
    ),
    Misconception(
        "values_of_head_0",
        "MultiHeadAttention",
        "mixes the values of head 0 in all heads",
        (("weights, v)", "weights, v[:, :1].expand_as(v))"),),
        hint=ONE_HEAD_SERVES_ALL,
    ),
    Misconception(
        "scores_averaged",
        "MultiHeadAttention",
        "averages the scores over the heads",
        (
            (
                "weights = self.dropout(scores.softmax(dim=-1))",
                (
                    "scores = scores.mean(dim=1, keepdim=True).expand_as(scores)\n"
                    "        weights = self.dropout(scores.softmax(dim=-1))"
                ),
            ),
        ),
        hint=ONE_HEAD_SERVES_ALL,
    ),
    Misconception(
        "packed_hdk",
        "MultiHeadAttention",
        "unpacks to_qkv as (h d qkv): another layout of the weights",
        (
            ("(h d) -> b h n d", "(h d qkv) -> qkv b h n d"),
            ("rearrange(t, ", "rearrange(self.to_qkv(x), "),
            ("h=self.nr_heads)", "h=self.nr_heads, qkv=3)"),
            ("            for t in self.to_qkv(x).chunk(3, dim=-1)\n", ""),
        ),
        hint=PACKED_OTHERWISE,
    ),
    Misconception(
        "packed_dhk",
        "MultiHeadAttention",
        "unpacks to_qkv as (d h qkv): another layout of the weights",
        (
            ("(h d) -> b h n d", "(d h qkv) -> qkv b h n d"),
            ("rearrange(t, ", "rearrange(self.to_qkv(x), "),
            ("h=self.nr_heads)", "h=self.nr_heads, qkv=3)"),
            ("            for t in self.to_qkv(x).chunk(3, dim=-1)\n", ""),
        ),
        hint=PACKED_OTHERWISE,
    ),
    Misconception(
        "order_vqk",
        "MultiHeadAttention",
        "takes the thirds for values, queries and keys: another layout of the weights",
        (("q, k, v = (", "v, q, k = ("),),
        hint=THIRDS_MISNAMED,
    ),
    Misconception(
        "order_kvq",
        "MultiHeadAttention",
        "takes the thirds for keys, values and queries: another layout of the weights",
        (("q, k, v = (", "k, v, q = ("),),
        hint=THIRDS_MISNAMED,
    ),
    Misconception(
        "view_split_keys",
        "MultiHeadAttention",
        "reshapes the keys straight to (B, H, T, d), which mixes tokens and heads",
        (
            (
                "        scores = ",
                (
                    '        k = rearrange(k, "b h n d -> b n (h d)").reshape(k.shape)\n'
                    "        scores = "
                ),
            ),
        ),
        hint=AXES_NOT_SWAPPED,
    ),
    Misconception(
        "view_in_five",
        "MultiHeadAttention",
        "reshapes straight to (3, B, H, T, d), which mixes everything",
        (
            (
                (
                    '            rearrange(t, "b n (h d) -> b h n d", h=self.nr_heads)\n'
                    "            for t in self.to_qkv(x).chunk(3, dim=-1)\n"
                ),
                (
                    "            self.to_qkv(x).reshape(3, x.shape[0], self.nr_heads, "
                    "x.shape[1], -1)\n"
                ),
            ),
        ),
        hint=AXES_NOT_SWAPPED,
    ),
    Misconception(
        "merged_tokens_first",
        "MultiHeadAttention",
        "merges with the tokens in front of the sequences, so that they get mixed",
        (
            (
                'rearrange(out, "b h n d -> b n (h d)")',
                'rearrange(out, "b h n d -> n b (h d)").reshape(*x.shape[:2], -1)',
            ),
        ),
        hint=HEADS_FOLDED_INTO_BATCH,
    ),
    Misconception(
        "dropout_after_to_out",
        "MultiHeadAttention",
        "the dropout falls on the result of to_out",
        (
            ("self.dropout(scores.softmax(dim=-1))", "scores.softmax(dim=-1)"),
            ("return self.to_out(", "return self.dropout(self.to_out("),
            ('(h d)"))', '(h d)")))'),
        ),
        hint=DROPOUT_MISPLACED,
    ),
    Misconception(
        "dropout_on_values",
        "MultiHeadAttention",
        "the dropout falls on the values",
        (
            ("self.dropout(scores.softmax(dim=-1))", "scores.softmax(dim=-1)"),
            ("weights, v)", "weights, self.dropout(v))"),
        ),
        hint=DROPOUT_MISPLACED,
    ),
    Misconception(
        "norm_first",
        "MultiHeadAttention",
        "normalises its input, which is the task of the block around it",
        (("self.to_qkv(x)", "self.to_qkv(nn.functional.layer_norm(x, x.shape[-1:]))"),),
        hint=INPUT_NORMALISED,
    ),
    Misconception(
        "scale_in_int",
        "MultiHeadAttention",
        "cuts the number by which it divides to a whole one",
        (("self.scale = dim_head**-scale_factor", "self.scale = 1 / int(dim_head**scale_factor)"),),
        hint=SCALE_CUT_TO_A_WHOLE,
    ),
    Misconception(
        "view_of_input",
        "MultiHeadAttention",
        "takes a view, which fails where the numbers of x lie in another order",
        (("self.to_qkv(x)", "self.to_qkv(x.view(-1, x.shape[-1])).view(*x.shape[:2], -1)"),),
        hint=NOT_CONTIGUOUS,
    ),
    Misconception(
        "no_return",
        "MultiHeadAttention",
        "forward returns no result, but None",
        (("return self", "self"),),
        hint=NOTHING_RETURNED,
    ),
    Misconception(
        "out_sequential",
        "MultiHeadAttention",
        "makes to_out a Sequential of a linear layer and a dropout",
        (
            (
                "nn.Linear(nr_heads * dim_head, dim_input)",
                (
                    "nn.Sequential(\n"
                    "            nn.Linear(nr_heads * dim_head, dim_input), "
                    "nn.Dropout(dropout_p)\n"
                    "        )"
                ),
            ),
        ),
        hint=PUT_INTO_A_SEQUENTIAL,
    ),
    Misconception(
        "scale_power_turned",
        "MultiHeadAttention",
        "raises scale_factor to the power of dim_head, not the other way round",
        (("dim_head**-scale_factor", "scale_factor**-dim_head"),),
        hint=SCALED_BY_ANOTHER_SIZE,
    ),
    Misconception(
        "softmax_batch",
        "MultiHeadAttention",
        "the softmax runs over the sequences of the batch",
        (("softmax(dim=-1)", "softmax(dim=0)"),),
        hint=SOFTMAX_NOT_OVER_KEYS,
    ),
    Misconception(
        "dropout_keeps_if_any",
        "MultiHeadAttention",
        "takes dropout_p for the share that is kept, unless it is 0",
        (("nn.Dropout(dropout_p)", "nn.Dropout(1 - dropout_p if dropout_p else 0.0)"),),
        hint=DROPOUT_P_MISREAD,
    ),
    Misconception(
        "dropout_but_head_0",
        "MultiHeadAttention",
        "drops no weight of head 0",
        (
            (
                "weights = self.dropout(scores.softmax(dim=-1))",
                "weights = scores.softmax(dim=-1)\n        "
                "weights = torch.cat([weights[:, :1], self.dropout(weights[:, 1:])], dim=1)",
            ),
        ),
        hint=Hint(
            look=(
                "Build the module with three heads and a dropout of 0.7. In training, print the "
                "weights of each head after the dropout and count the zeros. Which head has none?"
            ),
            think=(
                "Dropout keeps every head from leaning on single tokens. Is there a head for which "
                "that should not hold?"
            ),
            nearly=(
                "Look at what goes into the dropout: the weights of all heads, or only of some? A "
                "condition on the number of a head, or a slice, leaves one out."
            ),
        ),
    ),
]
