"""Wrong solutions of self_attention, as students write them."""

from autograder.misconceptions import Hint, Misconception

WEIGHTS_ARE_NO_SHARES = Hint(
    look=(
        "Print the weights with which you mix for one query, and add them up. Are all of them "
        "positive, and is their sum 1?"
    ),
    think=(
        "One query shares out one portion of attention among all tokens; nothing is left over, and "
        "no share is negative. Which function makes such shares out of any numbers?"
    ),
    nearly=(
        "Look at the step between the scores and the mixture. Compare what you apply there, if you "
        "apply anything, with the function that the statement names, letter by letter."
    ),
)

WRONG_QUERY = Hint(
    look=(
        "Take the three tokens of the check by hand and i = 0. Your scores are 1, 1, 2: with which "
        "of the three tokens have all of them been multiplied?"
    ),
    think=(
        "The query is the token that the caller asks for. Which number does Python give to the "
        "first row of a table?"
    ),
    nearly=(
        "Look at the line that picks the query out of the table. Which row does it read when i is "
        "0, and which when i is 1?"
    ),
)

PRODUCT_OF_SUMS = Hint(
    look=(
        "Print the score of the tokens [1, 0] and [0, 1]. The statement promises 0 for tokens that "
        "are orthogonal; what do you get?"
    ),
    think=(
        "Two tokens fit when they are large in the same places. Once you have added up all "
        "features of a token, can you still tell in which place it was large?"
    ),
    nearly=(
        "Look at how you compute the scores: first each feature meets the same feature of the "
        "other token, and only then is added up. A matrix product does both in this order."
    ),
)

SCALED_TOO_EARLY = Hint(
    look=(
        "Print the scores of token 0 in the check by hand. The statement has 1, 0, 1; by which "
        "number has its 1 been divided in yours?"
    ),
    think=(
        "Which exercise is the first in which scores are divided by something? Compare the "
        "formulas of the statement."
    ),
    nearly=(
        "In this exercise a score is the bare dot product. Look at the line of the scores for a "
        "step that belongs to exercise 3."
    ),
)

WITHOUT_SELF = Hint(
    look=(
        "Try a sentence of one single token, which can only look at itself, with weight 1. What is "
        "its context vector in your code?"
    ),
    think=(
        "Does a token take part in its own context? The statement of exercise 1 says so in one "
        "sentence."
    ),
    nearly=(
        "Your weights are fine, but on the way into the mixture the token's own share gets lost. "
        "Look at what you take away there."
    ),
)

EXP_OVERFLOWS = Hint(
    look="Multiply all tokens by 1000 and call your code again. Do you find nan in the result?",
    think=(
        "To a computer exp(1000) is infinite and exp(-1000) is 0; what are inf / inf and 0 / 0? "
        "The weights of a query stay the same when one number is taken away from all its scores: "
        "which number would help?"
    ),
    nearly=(
        "Look at the place where you take exp yourself. PyTorch has a function for the whole "
        "step, which takes care of the largest score of every row."
    ),
)

CONTEXT_IN_SOFTMAX = Hint(
    look=(
        "Add up the features of each of your context vectors, for other tokens too. Why is it "
        "always the same number?"
    ),
    think=(
        "A softmax makes shares that are together 1. Is a context vector a set of shares, or is it "
        "a description of a token, like those in the table?"
    ),
    nearly=(
        "There is one softmax in this exercise, and it works on the scores. Look at what you do "
        "after the mixture."
    ),
)

FLOAT32 = Hint(
    look=(
        "Call your function with a table of type float64, and print the `dtype` of every tensor on "
        "the way. At which step does it change?"
    ),
    think=(
        "What you compute has the type of the input. Which type does PyTorch choose when you make "
        "a new tensor without naming one, and what does a conversion do to the digits?"
    ),
    nearly=(
        "Look at the step where a float32 tensor comes in, whether you made it new or converted "
        "it. Where could it take its type from?"
    ),
)

DIVIDED_BY_SUM = Hint(
    look=(
        "Try the two tokens [1] and [-1]. Print the scores of token 0, their sum, and the weights."
    ),
    think=(
        "Scores can be negative, and their sum can be 0. What has to happen to each score first, "
        "so that it is certainly positive before it is turned into a share?"
    ),
    nearly=(
        "Look at the line that makes weights of the scores. The statement says that dividing by "
        "the sum is no substitute, and for what."
    ),
)

WRONG_RETURN = Hint(
    look=(
        "Call your code with the tokens of the check by hand and print everything that comes back: "
        "what kind of thing is it, how many tensors, and which numbers stand in each?"
    ),
    think=(
        "Whoever calls your code knows the parts by their place only. How many does the statement "
        "ask for here, and in which order?"
    ),
    nearly=(
        "What you compute is fine; it is handed back in another form. Compare your return line "
        "with the sentence in the docstring that begins with Returns."
    ),
)

LATER_TOKENS_HIDDEN = Hint(
    look=(
        "Change the last token of a sentence and look at the context vector of token 0. Does it "
        "change?"
    ),
    think=(
        "Which tokens may a query look at in this exercise: those before it, or all of the "
        "sentence? Look at which tokens the sum in the statement goes over."
    ),
    nearly=(
        "Somewhere you cut off or hide what comes after the query. That idea belongs to a later "
        "assignment; here nothing is hidden."
    ),
)

COSINE = Hint(
    look=(
        "Make one token twice as long and print its score with another token, before and after. "
        "Did the score change?"
    ),
    think=(
        "In a dot product length counts as well as direction: [1, 0] and [1, 1] have the score 1. "
        "Why do yours have 0.7071?"
    ),
    nearly=(
        "In the step that makes the scores you bring the tokens to length 1, on your own or "
        "through a function that does so inside. Is that asked for?"
    ),
)

SOFTMAX_TWICE = Hint(
    look=(
        "Print the weights with which you really mix for token 0 of the check by hand. Are they "
        "0.42, 0.16, 0.42, or the more even 0.36, 0.28, 0.36?"
    ),
    think=(
        "After a softmax the numbers are shares already. What happens to the differences between "
        "them when they go through another one?"
    ),
    nearly=(
        "Follow the numbers from the scores to the mixture and count how often they meet a softmax."
    ),
)

BEST_ONLY = Hint(
    look="Compare your context vector with the rows of the table. Is it exactly one of them?",
    think=(
        "A context vector is a mixture of all tokens, in which those that fit well count more. "
        "What becomes of the smaller weights in your code?"
    ),
    nearly=(
        "Look at the last step. You ask where the largest weight is; what is asked for is a sum in "
        "which each token counts by its weight."
    ),
)

MIXES_WITH_SCORES = Hint(
    look=(
        "In the check by hand your context for token 0 is [2, 1]. It is to be an average of the "
        "three tokens; can an average be larger than all of them?"
    ),
    think=(
        "You have made weights that add up to 1. Which numbers say how much of each token comes "
        "into the mixture?"
    ),
    nearly=(
        "Look at the line of the context: by which of your variables are the tokens multiplied "
        "there?"
    ),
)

CHANGES_THE_INPUT = Hint(
    look=(
        "Print the table of tokens before and after you call your function. Is it still the same?"
    ),
    think=(
        "The tensor that you are given belongs to the caller, who may still need it. Which "
        "operations make a new tensor, and which write into the old one?"
    ),
    nearly=(
        "Look for an assignment with an operator in it, such as `*=` or `-=`, an assignment into "
        "a piece of the table, or a method whose name ends in an underscore. Is this step part of "
        "the formula at all?"
    ),
)

GRADIENT_CUT = Hint(
    look=(
        "Give a function tokens that ask for a gradient (in a module the weights already do), and "
        "print `requires_grad` of each step: query, scores, weights and, in a module, queries, "
        "keys, values. Which says False?"
    ),
    think=(
        "A gradient runs back through every operation that PyTorch has watched. Which operations "
        "hand on the number but not the way it came about?"
    ),
    nearly=(
        "Look at how that result is made. A call or an attribute such as `item`, `detach` or "
        "`data` takes the bare numbers out; is it needed?"
    ),
)

SIZES_OF_THE_EXAMPLE = Hint(
    look=(
        "Use sizes that the example does not have: 3 or 8 tokens of 4 features, and for a module 4 "
        "inputs and 5 outputs. What do you see, and in which line?"
    ),
    think=(
        "The sentence of six tokens with three features is one example among many. Where can your "
        "code learn the sizes that it meets this time?"
    ),
    nearly=(
        "Look for the numbers that you have written into the code yourself. Each of them is "
        "already known as an argument, or can be read from the shape of one."
    ),
)

SUMS_ALONG_COLUMNS = Hint(
    look=(
        "Print `inputs.shape`, the shape of your sums, and the sum of every row of the weights. "
        "Is each of these sums 1?"
    ),
    think=(
        "Row i is to be divided by its own sum. When (T, T) is divided by (T,), along which of the "
        "two dimensions does PyTorch lay the T numbers?"
    ),
    nearly=(
        "Number j of your sums divides column j. Have the sums lost a dimension? `sum` has an "
        "argument that keeps it; the numbers then stand below each other."
    ),
)

MIXED_BY_COLUMNS = Hint(
    look=(
        "Without a bias, make token 0 all zeros. Its query is 0, so it should get the plain "
        "average of all values. Does it, in your module?"
    ),
    think=(
        "Row i of the weights says how much token i looks at each token. To mix the values for "
        "token i, do you go along its row or down its column?"
    ),
    nearly=(
        "Look at the product of weights and values. Do you add up over the keys or over the "
        "queries? In an einsum it is the letter that is gone on the right."
    ),
)

SOFTMAX_OVER_QUERIES = Hint(
    look=(
        "Print the weights of one sentence, and add up every row and then every column. Which of "
        "the sums are 1?"
    ),
    think=(
        "A row belongs to one query, a column to one key. Who shares out attention here, among "
        "whom, and so along which direction must the shares add up to 1?"
    ),
    nearly=(
        "Softmax takes a `dim`: the direction along which it adds up. In which of the two last "
        "dimensions do the keys lie, and which one do you name?"
    ),
)

LOOP = Hint(
    look=(
        "Your numbers are right. Now count how often your code goes round for 3 tokens and for "
        "300, inside a `stack` or a `sum` as well."
    ),
    think=(
        "A matrix product does all dot products and sums at once, and a softmax can treat all rows "
        "at once. Which of your steps works on one token at a time?"
    ),
    nearly=(
        "Look for the word `for`. The three steps are a product, a softmax and a product, each on "
        "whole matrices; which one is still written token by token?"
    ),
)

DIVISOR_FROM_WRONG_SIZE = Hint(
    look=(
        "Print the number by which you divide, for 5 tokens with 3 features and d_out = 8, in "
        "SelfAttentionV2 also for a batch of them. Is it about 2.83?"
    ),
    think=(
        "A score adds up as many products as a query or a key has features. Which dimension of "
        "which tensor tells you that, however many tokens and sentences there are?"
    ),
    nearly=(
        "Look at what stands under the root, and at the root: the size of one key, counted from "
        "the end of its shape, and with all digits."
    ),
)

WRONG_DIVISOR = Hint(
    look=(
        "Let all three matrices be the identity of size 4, and take the tokens [2, 0, 0, 0] and "
        "[0, 2, 0, 0]. Token 0 has the products 4 and 0; what goes into your softmax?"
    ),
    think=(
        "It should be 2 and 0. By what is 4 to be divided so that scores of long keys spread no "
        "more than those of short ones?"
    ),
    nearly=(
        "Look at the step between the product of queries and keys and the softmax. Compare it with "
        "the formula, sign by sign: is it there, does it divide, and by the root of what?"
    ),
)

IDLE_MATRIX = Hint(
    look=(
        "Fill W_query, W_key and W_value with zeros, one at a time, each in a fresh module. For "
        "which of the three does the output stay exactly what it was?"
    ),
    think=(
        "A matrix that changes nothing can learn nothing. The query says what a token looks for, "
        "the key what it offers, the value what it hands over: which of these is missing in your "
        "result?"
    ),
    nearly=(
        "Look at the two matrix products at the end. One of them takes a factor that does not "
        "belong there; which should it be?"
    ),
)

NOT_TRAINED = Hint(
    look=(
        "List `named_parameters()` of your module, with `requires_grad` of each. Are W_query, "
        "W_key and W_value all there, and do all say True?"
    ),
    think=(
        "An optimiser learns what it finds in that list and what asks for a gradient. What must a "
        "tensor be for a module to put it there?"
    ),
    nearly=(
        "Look at how each matrix is stored in `__init__`. Is it wrapped in the class that the "
        "statement names, and is it left free to be trained?"
    ),
)

MATRIX_SHAPE = Hint(
    look=(
        "Print the shapes of the three parameters of SelfAttention(3, 2). Are they (3, 2), or (2, "
        "3)?"
    ),
    think=(
        "A token with d_in features stands on the left of the product. Which size must the matrix "
        "on its right begin with, so that d_out features come out?"
    ),
    nearly=(
        "Look at the two sizes with which you create each matrix, and then at `forward`: does a "
        "matrix of the right shape still have to be turned round there?"
    ),
)

FRESH_IN_FORWARD = Hint(
    look="Call the same module twice with the same tokens. Do you get the same numbers?",
    think=(
        "What is to be learned must be kept from one call to the next. Which method runs once for "
        "a module, and which runs at every call?"
    ),
    nearly=(
        "Look for something random that is made in `forward`. `__init__` has already stored what "
        "you need under a name; use that."
    ),
)

QUERIES_AND_KEYS_SWAPPED = Hint(
    look=(
        "Print the queries, keys and scores of two tokens, and work out the query of token 0 times "
        "the key of token 1 on paper. In which row and which column of the scores do you find it?"
    ),
    think=(
        "A row of the scores belongs to the token that asks. Whose vectors must then stand in the "
        "rows of the left factor?"
    ),
    nearly=(
        "Look at the product that makes the scores: which of its two factors lends it the rows, "
        "and is this the side that asks?"
    ),
)

ORDER_OF_CREATION = Hint(
    look=(
        "Set a seed and draw start values for one matrix, as your `__init__` does; set the same "
        "seed and make your module. In which of its three matrices do you find these numbers?"
    ),
    think=(
        "Random numbers are dealt like cards, one after the other. Who is to be served first, "
        "second and third?"
    ),
    nearly=(
        "Look at the lines of `__init__` from top to bottom. It counts when the random numbers are "
        "drawn, not when the result gets its name."
    ),
)

START_VALUES = Hint(
    look=(
        "Make a module with 100 inputs and 100 outputs, and print the smallest and the largest "
        "number in W_query. Which limits does the statement of this exercise name?"
    ),
    think=(
        "Start values are part of the exercise: they decide what a seed gives. Who draws them "
        "here, and from which range?"
    ),
    nearly=(
        "Look at where the matrices get their first numbers in `__init__`. Compare the name of the "
        "function letter by letter with the statement, and see whether anything overwrites them "
        "later."
    ),
)

TIED = Hint(
    look=(
        "List the names in `named_parameters()` of your module. How many of W_query, W_key and "
        "W_value are there?"
    ),
    think=(
        "Assigning a thing to a second name does not copy it. What can a token look for that it "
        "does not offer itself, when both come from the same numbers?"
    ),
    nearly=(
        "Look at the right-hand sides in `__init__`. Does each of the three names get something "
        "newly made, with random numbers of its own?"
    ),
)

PARAMETER_NAMES = Hint(
    look=(
        "Print the names and shapes in `named_parameters()` of SelfAttention(3, 2), and compare "
        "them letter by letter with the statement."
    ),
    think=(
        "Saved weights find their place by these names, and a dot in a name means that the "
        "parameter sits inside a layer. Which three names does the statement expect?"
    ),
    nearly=(
        "Look at the left and the right side of each assignment in `__init__`: is the name the one "
        "of the statement, and is the thing itself a parameter, as exercise 3 has it, and no "
        "layer?"
    ),
)

SOFTMAX_OF_A_BATCH = Hint(
    look=(
        "Add up your weights over the last dimension, for one sentence of 6 tokens and for a batch "
        "of 4 such sentences. Are all sums 1, both times?"
    ),
    think=(
        "In a batch the sentences come first, then queries, then keys. Which number do the keys "
        "have when you count from the front, and which when you count from the end?"
    ),
    nearly=(
        "Look at the `dim` of your softmax, or at whether you name one at all. It must mean the "
        "keys for two dimensions as well as for three."
    ),
)

TRANSPOSES_THE_BATCH = Hint(
    look=(
        "Print the shape of the keys before and after you transpose them, for one sentence (6, 3) "
        "and for a batch (4, 6, 3). What happens in each case?"
    ),
    think=(
        "Only the tokens and the features of a sentence are to change places; which sentence it is "
        "must stay. Which two dimensions are these, seen from the end?"
    ),
    nearly=(
        "Look at how you transpose the keys. Numbers counted from the front mean different things "
        "with and without a batch."
    ),
)

SENTENCES_MIXED = Hint(
    look=(
        "Make a batch of two sentences, change a token of the first, and look at the result of the "
        "second. Does it change?"
    ),
    think=(
        "The sentences of a batch share the layers and nothing else. Which tokens may a token look "
        "at, and how many matrices of weights does a batch of B sentences have?"
    ),
    nearly=(
        "Look for the step that treats the batch specially: where you string sentences together, "
        "or use weights of one sentence for another. A matrix product of whole batches keeps them "
        "apart by itself."
    ),
)

SHAPE_OF_THE_RESULT = Hint(
    look=(
        "Call SelfAttentionV2(3, 2) with tensors of shape (6, 3), (1, 6, 3) and (1, 1, 3). Print "
        "the three shapes that come out."
    ),
    think=(
        "Only the number of features may change. A dimension of size 1 is a dimension as well: "
        "should it come or go on the way?"
    ),
    nearly=(
        "Look for `unsqueeze`, `squeeze` or the like. When every step counts its dimensions from "
        "the end, a sentence and a batch need no special treatment."
    ),
)

BIAS_OF_THE_LAYERS = Hint(
    look=(
        "Count the numbers in SelfAttentionV2(3, 2), in SelfAttentionV2(3, 2, qkv_bias=False) "
        "and in SelfAttentionV2(3, 2, qkv_bias=True). Are there 18, 18 and 24?"
    ),
    think=(
        "The caller decides about the bias, for all three layers alike, and who says nothing "
        "gets none. How does this decision get from the head of your `__init__` into each layer?"
    ),
    nearly=(
        "Look at the default of the last argument, and at the third thing that each layer is "
        "told when it is made. What does nn.Linear do when it is told nothing?"
    ),
)

BIAS_BY_DEFAULT = Hint(
    look=(
        "Make SelfAttentionV2(3, 2) without a word about the bias. Does it work, and has it 18 "
        "numbers?"
    ),
    think=(
        "An argument can have a value for the case that the caller does not mention it. As a rule, "
        "do these layers have a bias or not?"
    ),
    nearly=(
        "Your layers are fine. Look at the head of `__init__`, where the arguments stand, and "
        "compare the last one with the statement."
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
        "If you mean the exponent one half, look where the slash stands: inside the exponent, or "
        "outside? A pair of parentheses, or a decimal number, or a function for roots makes clear "
        "what belongs together."
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

NOT_REGISTERED = Hint(
    look=(
        "Print the names in `named_parameters()`. Does the list hold every part that your "
        "`forward` computes with?"
    ),
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

NOT_PREPARED = Hint(
    look=(
        "Make one module and read the last line of the error message. What does it say "
        "must have been called before a parameter can be assigned?"
    ),
    think="nn.Module keeps its own list of parameters. Who makes that list, and when?",
    nearly=(
        "Look at the first lines of `__init__`. The class that you build on has an `__init__` "
        "too, and it wants to go first."
    ),
)

DISTANCES = Hint(
    look=(
        "Print the score of a token with itself, for a token that is not zero. Is it the sum "
        "of its squares?"
    ),
    think=(
        "A score is the dot product of two tokens. What do you compute in its place, and what "
        "does a long token get?"
    ),
    nearly=(
        "Look at how two tokens are compared. There should be products of numbers and their "
        "sum, and no difference."
    ),
)

SELF_HIDDEN = Hint(
    look=(
        "Print the weights of a few tokens. Does a token that looks at itself have the weight "
        "0 there?"
    ),
    think=("The sentence is to be mixed as a whole. Is the token that asks a part of it?"),
    nearly=("Look between the scores and the softmax for a step that hides one of the tokens."),
)

SCALED_AFTER_SOFTMAX = Hint(
    look=(
        "With d_out = 4 and without a bias, feed in several equal tokens: each output should be "
        "their common value. Is it?"
    ),
    think=(
        "The division keeps the numbers moderate before the softmax. What does it do to "
        "shares that already add up to 1?"
    ),
    nearly=(
        "You divide by the right number. Look at what you divide: what goes into the softmax, or "
        "something that comes after it?"
    ),
)

ONLY_LAST_KEPT = Hint(
    look=(
        "Compare your context vector with the rows of the table. Of which single token is it a "
        "multiple?"
    ),
    think=(
        "A context vector adds up parts of all tokens. What becomes of the parts of the tokens "
        "before the last?"
    ),
    nearly=(
        "Look at the line that makes the context, in a loop perhaps: does it add to what is "
        "there, or put something new in its place?"
    ),
)
LOOP_LEAVES_OUT = Hint(
    look=(
        "Take the tokens of the check by hand and print scores and weights. Has every token a "
        "score of its own, and does each come into the mixture?"
    ),
    think=(
        "A sentence of T tokens has T scores and T weights. Which numbers does j take in each of "
        "your loops, or which rows stand in each of your slices?"
    ),
    nearly=(
        "`range` and slices begin at 0 or at the first of two numbers, and end before the last "
        "one. Look for the one that leaves out the first token or the last."
    ),
)
SCORES_SHIFTED = Hint(
    look="Compare your scores with those of the check by hand. Is the largest of yours always 0?",
    think=(
        "To take the largest score away from all of them changes no weight. But the scores are a "
        "result too: which numbers does the statement call scores?"
    ),
    nearly=(
        "The softmax may have shifted scores. Look at whether you still have the others when you "
        "return, or whether a `-=` or the same name has replaced them."
    ),
)
MEAN_OF_PRODUCTS = Hint(
    look=(
        "Print the scores of token 0 in the check by hand. The statement has 1, 0, 1; by which "
        "number have they been divided in yours?"
    ),
    think=(
        "A dot product multiplies feature by feature and adds up. Is a score smaller when a token "
        "is described by more features?"
    ),
    nearly=(
        "Look at how many products become one score: which operation adds up, which adds up and "
        "divides, and is anything divided afterwards?"
    ),
)
WHICH_SUM = Hint(
    look=(
        "Print the shape of your context for the three tokens by hand. The statement says "
        "(d,), that is, 2 numbers."
    ),
    think=(
        "Each token is multiplied by its weight, and then there is a table of weighted "
        "tokens. How does one vector come out of it?"
    ),
    nearly=(
        "Look at the line of the context and at the sign in front of the formula: over which "
        "index does it go, and which dimension of your table is that?"
    ),
)
SCORES_OVERWRITTEN = Hint(
    look=(
        "Print the first and the second result for the check by hand. Are they the same numbers?"
    ),
    think=(
        "The scores are asked for as they were before the softmax. Where do they still stand when "
        "your function returns?"
    ),
    nearly=(
        "Look at the name to which you give the result of the softmax, and at the names behind "
        "`return`. A name keeps one tensor only."
    ),
)
HARD_WEIGHTS = Hint(
    look="Print your weights for the check by hand. How many of them are not 0?",
    think=(
        "A softmax gives every token a share, and the best one more than the others. What does a "
        "token get in your code that fits nearly as well as the best?"
    ),
    nearly=(
        "Look at how scores become weights. A comparison with the largest score, or a question "
        "where it stands, decides for one token; which function shares out?"
    ),
)
COLUMN_FOR_TOKEN = Hint(
    look=(
        "Print the shape of your query for a table of six tokens with three features. How many "
        "numbers should describe one token?"
    ),
    think=(
        "Each token is a row of the table. When two things stand in the brackets, which of them "
        "picks rows, and which columns?"
    ),
    nearly=(
        "Look at the line that picks the query out of the table: do you take row i, or feature i "
        "of all tokens?"
    ),
)
TOKEN_ADDED = Hint(
    look=(
        "Try a sentence of one single token: its only weight is 1, so its context should be "
        "the token itself. How large is yours?"
    ),
    think=(
        "The token already takes part in its own context through its own weight. How often "
        "does it come into your sum?"
    ),
    nearly=(
        "Look at the line of the context for something that is added to the mixture, or for what "
        "your sum begins with. Adding the input again is an idea for later."
    ),
)
DEVICE = Hint(
    look=(
        'Call your function with a table on the device "meta", a pretend device that every '
        "computer has. Which two devices does the error message name?"
    ),
    think=(
        "A tensor made from nothing lies on the CPU when nothing else is said. What happens when "
        "the tokens lie on a graphics card?"
    ),
    nearly=(
        "Look at each line that makes a new tensor. It says which size you want, but not where "
        "the tensor should lie; who knows that?"
    ),
)
CENTRED = Hint(
    look=(
        "For the check by hand, print the two factors from which your scores are made. Are these "
        "the tokens as they were given?"
    ),
    think=(
        "A score is the dot product of two tokens. Is it still the same number when the mean has "
        "been taken away from both?"
    ),
    nearly=(
        "Look for a step before the product that changes the tokens. The formula begins with the "
        "tokens themselves."
    ),
)
DIVIDED_ONCE_MORE = Hint(
    look=(
        "Try a sentence of two equal tokens: each context should be that token. How large is yours?"
    ),
    think=(
        "The weights add up to 1 already. Is a sum of weighted tokens an average by itself, or "
        "does it still have to be divided?"
    ),
    nearly=(
        "Look at how you put the weighted tokens together at the end: which operation adds up, and "
        "which adds up and divides?"
    ),
)
SCALE_TRAINED = Hint(
    look=(
        "Print the names in `named_parameters()` of SelfAttention(3, 2). Which one does the "
        "statement not name?"
    ),
    think=(
        "An optimiser changes everything in that list. Is the root of d_out something to be "
        "learned?"
    ),
    nearly="Look at how the scale is stored: a plain number is enough for it.",
)
BIAS_UNUSED = Hint(
    look=(
        "Make SelfAttentionV2(3, 2, qkv_bias=True), fill all weights with zeros and the biases "
        "with ones, and print queries, keys and values. Are they all ones?"
    ),
    think=(
        "A linear layer multiplies and then adds its bias. Does everything that you compute with "
        "a layer go through both steps?"
    ),
    nearly=(
        "Look for `.weight` in `forward`. The layer itself can be called with the tokens; what "
        "does it do that your product does not?"
    ),
)
ARGUMENT_NAME = Hint(
    look=(
        "Make SelfAttentionV2(3, 2, qkv_bias=True) and read the last line of the error message: "
        "which name does it not know?"
    ),
    think=(
        "Whoever uses your class calls its arguments by the names in the statement. Which name "
        "has the last one there, and which has it in yours?"
    ),
    nearly=(
        "Compare the first line of `__init__` with the statement, letter by letter. Another name "
        "belongs to the argument of nn.Linear only."
    ),
)
SIZES_UNPACKED = Hint(
    look=(
        "Call SelfAttentionV2(3, 2) with a sentence of shape (6, 3) and with a batch of shape "
        "(4, 6, 3). Which of the two fails, and in which line?"
    ),
    think=(
        "To unpack a shape into names fixes how many dimensions there are. How many has a "
        "sentence, and how many a batch?"
    ),
    nearly=(
        "Look at which of the sizes you need at all. Those can be read from the end of the shape, "
        "one by one, whatever stands in front."
    ),
)
VIEW_FAILS = Hint(
    look=(
        "Call your module with every second token of a sentence, `x[..., ::2, :]`, or with a "
        "transposed tensor. What does the error message advise?"
    ),
    think=(
        "A `view` shows the same memory in another shape. Why can it not do so for every tensor?"
    ),
    nearly=(
        "Look at each `view` in your code. Another method copies where it must; or do you need no "
        "other shape at all?"
    ),
)

KEEPS_A_DIMENSION = Hint(
    look=(
        "Print the shapes of the three results. How many dimensions has each, and how many "
        "has the statement?"
    ),
    think=(
        "One token is a vector, a table with one row is a matrix. Which of the two do you "
        "get when you take a single row by its number, and which when you cut out a slice?"
    ),
    nearly=(
        "Look at how you pick the query, and for a step that adds a dimension. When the query is "
        "a plain vector, everything after it comes out with one dimension less."
    ),
)

OUTPUT_LAYER = Hint(
    look=(
        "Count the numbers in SelfAttentionV2(3, 2) and list their names. The statement "
        "says 18; where do the others come from?"
    ),
    think=(
        "Zeros in W_query should make each output the plain average of the values. What "
        "happens to that average in your `forward`?"
    ),
    nearly=(
        "Three layers are asked for. Look at what you do to the mixture before you return "
        "it, and at what `__init__` makes for it."
    ),
)

DROPOUT = Hint(
    look=(
        "Call the same module twice with the same tokens. Then print the weights with "
        "which you mix: are some of them exactly 0, and do the rows still add up to 1?"
    ),
    think=("The formula of this exercise has no chance in it. Which of your steps throws dice?"),
    nearly=(
        "Look at what happens to the weights between the softmax and the mixture. Dropping "
        "some of them is for a later assignment."
    ),
)


NOT_TRANSPOSED = Hint(
    look=(
        "Write down the shapes of the two factors from which your scores are made, for six tokens "
        "of three features. Which two numbers would have to be equal?"
    ),
    think=(
        "A product takes a row of the left factor and a column of the right one. Where do the "
        "features of a token stand in each: in a row or in a column?"
    ),
    nearly=(
        "Two tokens are compared feature by feature. Look at the factor on which one token is to "
        "be a column: who turns it round?"
    ),
)
FACTORS_EXCHANGED = Hint(
    look=(
        "Write down the shapes of the two factors of your last product, the left one first. Do "
        "they fit, and what comes out?"
    ),
    think=(
        "In a product each row of the left factor says how the rows of the right one are mixed. "
        "Which of your two factors says how much, and which is what is mixed?"
    ),
    nearly=(
        "Both factors are the right ones. Look at which of them stands in front of the product "
        "sign."
    ),
)
ONE_DIMENSION = Hint(
    look="Print the shape of your scores. How many dimensions have they?",
    think=(
        "One query has one row of scores. By which number is the only dimension of a vector "
        "called, counted from the front or from the end?"
    ),
    nearly=(
        "Look at each `dim` in your code, first at that of the softmax. It would fit the scores "
        "of all queries at once, which are for the next exercise."
    ),
)
WEIGHTS_NO_COLUMN = Hint(
    look=(
        "Print the shapes of your weights and of the table, for six tokens of three features. "
        "Which two numbers does the error message compare?"
    ),
    think=(
        "When a vector meets a table, PyTorch lays it along the last dimension. Is there one "
        "weight for each feature, or for each token?"
    ),
    nearly=(
        "Each row is to be multiplied by its own weight. Give the weights a shape in which they "
        "stand below each other, or let a product multiply and add up at once."
    ),
)
PRODUCTS_NOT_ADDED = Hint(
    look=(
        "Print the shape of your scores for six tokens of three features. How many scores does a "
        "query have?"
    ),
    think=(
        "Two tokens are compared by one number, however many features they have. What still has "
        "to happen to the products of their features?"
    ),
    nearly=(
        "Look at the operation that makes the scores: it multiplies, but does it add up over the "
        "features?"
    ),
)
PARAMETER_IS_NO_LAYER = Hint(
    look=(
        "Read the last line of the error message: what does it say about your W_query, and what "
        "do you do with it?"
    ),
    think=(
        "A matrix stands in a product with the tokens; a layer is called with them and does the "
        "product itself. Which of the two does this exercise ask for?"
    ),
    nearly=(
        "Look at the lines of queries, keys and values: the exercises with matrices and with "
        "layers write them in different ways. Which way belongs to what `__init__` makes?"
    ),
)


DIMENSION_2 = Hint(
    look=(
        "Call your module with one sentence, (6, 3), and read the error message. Which dimension "
        "does it not find?"
    ),
    think=(
        "A batch has the dimensions 0, 1 and 2, one sentence has 0 and 1. By which numbers do both "
        "call the tokens and the features, or the queries and the keys?"
    ),
    nearly=(
        "Look at each number of a dimension in `forward`, of a transposition and of a softmax. "
        "Counted from the end it means the same for a sentence and for a batch."
    ),
)

FEATURES_COMPARED = Hint(
    look=(
        "Print the shape of your weights for the three tokens by hand, which have 2 "
        "features each. Is it (3, 3)?"
    ),
    think=(
        "In a matrix product each row of the left meets each column of the right. What are "
        "the rows on your left, tokens or features, and which of the two are to be "
        "compared?"
    ),
    nearly=(
        "Look at which of the two factors of the scores is the transposed one. The order "
        "in the mixture depends on it, too."
    ),
)


QUERY_UNUSED = Hint(
    look="Print your scores for i = 0 and for i = 1. Do they differ?",
    think=(
        "A score says how well a token fits the query. Which two vectors meet in each of your "
        "products, and where does the query come in?"
    ),
    nearly=(
        "Look at the two factors of a score. One of them is the same for all scores; is it, in "
        "yours?"
    ),
)


MISCONCEPTIONS: list[Misconception] = [
    Misconception(
        "no_softmax",
        "context_vector",
        "takes the raw scores for the weights",
        (("torch.softmax(scores, dim=-1)", "scores"),),
        hint=WEIGHTS_ARE_NO_SHARES,
    ),
    Misconception(
        "hard_coded",
        "context_vector",
        "always answers for token 2, whatever i is",
        (("inputs[i]", "inputs[2]"),),
        hint=WRONG_QUERY,
    ),
    Misconception(
        "elementwise_scores",
        "context_vector",
        "multiplies the sums of the features in place of the features",
        (("inputs @ query", "inputs.sum(dim=-1) * query.sum()"),),
        hint=PRODUCT_OF_SUMS,
    ),
    Misconception(
        "scaled",
        "context_vector",
        "divides the scores by sqrt(d), which comes later",
        (("inputs @ query", "inputs @ query / math.sqrt(inputs.shape[-1])"),),
        hint=SCALED_TOO_EARLY,
    ),
    Misconception(
        "skip_self",
        "context_vector",
        "leaves the token itself out of its context",
        (("weights @ inputs", "weights @ inputs - weights[i] * query"),),
        hint=WITHOUT_SELF,
    ),
    Misconception(
        "naive_exp",
        "context_vector",
        "exp of large scores overflows: their weights become NaN",
        (("torch.softmax(scores, dim=-1)", "scores.exp() / scores.exp().sum()"),),
        hint=EXP_OVERFLOWS,
    ),
    Misconception(
        "softmax_context",
        "context_vector",
        "sends the context through a softmax too",
        (("weights @ inputs", "torch.softmax(weights @ inputs, dim=-1)"),),
        hint=CONTEXT_IN_SOFTMAX,
    ),
    Misconception(
        "float32_empty",
        "context_vector",
        "computes in float32 whatever the type of the table (float32 only)",
        (
            (
                "scores = inputs @ query",
                (
                    "scores = torch.empty(len(inputs))\n"
                    "    for j, token in enumerate(inputs):\n"
                    "        scores[j] = torch.dot(token, query)"
                ),
            ),
            (
                "context = weights @ inputs",
                (
                    "context = torch.zeros(query.shape)\n"
                    "    for weight, token in zip(weights, inputs, strict=True):\n"
                    "        context += weight * token"
                ),
            ),
        ),
        hint=FLOAT32,
    ),
    Misconception(
        "sum_norm",
        "context_vector",
        "divides the scores by their sum in place of a softmax",
        (("torch.softmax(scores, dim=-1)", "scores / scores.sum()"),),
        hint=DIVIDED_BY_SUM,
    ),
    Misconception(
        "counts_from_one",
        "context_vector",
        "takes token i - 1 for the query",
        (("inputs[i]", "inputs[i - 1]"),),
        hint=WRONG_QUERY,
    ),
    Misconception(
        "order_weights_first",
        "context_vector",
        "returns the weights before the scores",
        (("return scores, weights", "return weights, scores"),),
        hint=WRONG_RETURN,
    ),
    Misconception(
        "context_only",
        "context_vector",
        "returns the context and nothing else",
        (("return scores, weights, context", "return context"),),
        hint=WRONG_RETURN,
    ),
    Misconception(
        "dictionary",
        "context_vector",
        "returns a dictionary in place of three tensors",
        (
            (
                "return scores, weights, context",
                'return {"scores": scores, "weights": weights, "context": context}',
            ),
        ),
        hint=WRONG_RETURN,
    ),
    Misconception(
        "keeps_a_dimension",
        "context_vector",
        "returns all three results as matrices of one row",
        (
            ("inputs[i]", "inputs[i : i + 1]"),
            ("inputs @ query", "query @ inputs.T"),
        ),
        hint=KEEPS_A_DIMENSION,
    ),
    Misconception(
        "only_the_past",
        "context_vector",
        "looks at tokens 0 to i only",
        (("scores = inputs @", "inputs = inputs[: i + 1]\n    scores = inputs @"),),
        hint=LATER_TOKENS_HIDDEN,
    ),
    Misconception(
        "cosine",
        "context_vector",
        "compares directions only: divides by the lengths of both tokens",
        (("inputs @ query", "torch.cosine_similarity(inputs, query, dim=-1)"),),
        hint=COSINE,
    ),
    Misconception(
        "sigmoid",
        "context_vector",
        "weights each token by a sigmoid, so that the weights do not add up to 1",
        (("torch.softmax(scores, dim=-1)", "torch.sigmoid(scores)"),),
        hint=WEIGHTS_ARE_NO_SHARES,
    ),
    Misconception(
        "log_softmax",
        "context_vector",
        "takes the logarithms of the weights for the weights",
        (("torch.softmax(", "torch.log_softmax("),),
        hint=WEIGHTS_ARE_NO_SHARES,
    ),
    Misconception(
        "softmax_twice",
        "context_vector",
        "sends the weights through the softmax again before mixing",
        (("weights @ inputs", "torch.softmax(weights, dim=-1) @ inputs"),),
        hint=SOFTMAX_TWICE,
    ),
    Misconception(
        "best_only",
        "context_vector",
        "takes the token with the largest weight and mixes nothing",
        (("weights @ inputs", "inputs[weights.argmax()]"),),
        hint=BEST_ONLY,
    ),
    Misconception(
        "plain_mean",
        "context_vector",
        "averages the weighted tokens: divides by T once more",
        (("weights @ inputs", "(weights[:, None] * inputs).mean(dim=0)"),),
        hint=Hint(
            look=(
                "For the check by hand you get the context [0.2815, 0.1926]. By which number must "
                "you multiply it to reach the statement's, and what is it with more tokens?"
            ),
            think=(
                "The weights add up to 1 already. Is a sum of weighted tokens an average by "
                "itself, or does it still have to be divided?"
            ),
            nearly=(
                "Look at how you put the weighted tokens together at the end: which operation adds "
                "up, and which adds up and divides?"
            ),
        ),
    ),
    Misconception(
        "mixes_with_scores",
        "context_vector",
        "makes weights, but mixes the tokens with the scores",
        (("weights @ inputs", "scores @ inputs"),),
        hint=MIXES_WITH_SCORES,
    ),
    Misconception(
        "own_share",
        "context_vector",
        "returns the weighted query, not the sum over all tokens",
        (("weights @ inputs", "weights[i] * query"),),
        hint=Hint(
            look=(
                "In the check by hand your context for token 0 is [0.4223, 0]. Two of the tokens "
                "have a 1 as second feature; where has it gone?"
            ),
            think=(
                "Context means what comes from all tokens together. How many tokens does the sum "
                "in the statement go over, and how many does yours?"
            ),
            nearly=(
                "Look at the line of the context. It uses the weight of one token only, although "
                "you have a weight for each."
            ),
        ),
    ),
    Misconception(
        "no_sum",
        "context_vector",
        "weights the tokens, but does not add them up",
        (("weights @ inputs", "weights[:, None] * inputs"),),
        hint=WHICH_SUM,
    ),
    Misconception(
        "weights_in_place",
        "context_vector",
        "changes the table that it is given",
        (
            (
                "context = weights @ inputs",
                "inputs *= weights.detach()[:, None]\n    context = inputs.sum(dim=0)",
            ),
        ),
        hint=CHANGES_THE_INPUT,
    ),
    Misconception(
        "distance",
        "context_vector",
        "takes squared distances for scores: large for tokens that do not fit",
        (("inputs @ query", "(inputs - query).square().sum(dim=-1)"),),
        hint=Hint(
            look=(
                "In the check by hand your scores of token 0 are 0, 2, 1. Which token gets the "
                "largest score, and which the smallest?"
            ),
            think=(
                "A score is to be large for a token that fits. Is your number large when two "
                "tokens are alike, or when they are far apart?"
            ),
            nearly=(
                "Look at what you do with two features that belong together: in a dot product they "
                "are not subtracted. What is done with them?"
            ),
        ),
    ),
    Misconception(
        "first_six",
        "context_vector",
        "goes over six tokens, as many as the example has",
        (("inputs @ query", "torch.stack([inputs[j] @ query for j in range(6)])"),),
        hint=SIZES_OF_THE_EXAMPLE,
    ),
    Misconception(
        "self_hidden",
        "context_vector",
        "hides the token from itself before the softmax",
        (
            (
                "torch.softmax(scores, dim=-1)",
                "torch.softmax(scores.index_fill(0, torch.tensor(i, device=scores.device), "
                "-torch.inf), dim=-1)",
            ),
        ),
        hint=SELF_HIDDEN,
    ),
    Misconception(
        "distances",
        "context_vector",
        "takes squared distances, with a minus, for scores in place of dot products",
        (("inputs @ query", "-((inputs - query) ** 2).sum(dim=-1)"),),
        hint=DISTANCES,
    ),
    Misconception(
        "softmax_of_softmax",
        "context_vector",
        "sends the scores through the softmax twice",
        (
            (
                "torch.softmax(scores, dim=-1)",
                "torch.softmax(torch.softmax(scores, dim=-1), dim=-1)",
            ),
        ),
        hint=SOFTMAX_TWICE,
    ),
    Misconception(
        "order_context_first",
        "context_vector",
        "returns the context first and the scores last",
        (("return scores, weights, context", "return context, weights, scores"),),
        hint=WRONG_RETURN,
    ),
    Misconception(
        "context_row",
        "context_vector",
        "returns the context as a row, (1, d)",
        (("return scores, weights, context", "return scores, weights, context.unsqueeze(0)"),),
        hint=WRONG_RETURN,
    ),
    Misconception(
        "weights_column",
        "context_vector",
        "returns the weights as a column",
        (("return scores, weights, context", "return scores, weights.unsqueeze(1), context"),),
        hint=WRONG_RETURN,
    ),
    Misconception(
        "columns",
        "context_vector",
        "returns the scores and the weights as columns, (T, 1)",
        (
            ("inputs @ query", "inputs @ query[:, None]"),
            ("dim=-1", "dim=0"),
            ("weights @ inputs", "(inputs.T @ weights).squeeze(1)"),
        ),
        hint=WRONG_RETURN,
    ),
    Misconception(
        "hard_coded_second",
        "context_vector",
        "always answers for token 1, whatever i is",
        (("inputs[i]", "inputs[1]"),),
        hint=WRONG_QUERY,
    ),
    Misconception(
        "hard_coded_first",
        "context_vector",
        "always answers for token 0, whatever i is",
        (("inputs[i]", "inputs[0]"),),
        hint=WRONG_QUERY,
    ),
    Misconception(
        "hard_coded_last",
        "context_vector",
        "always answers for the last token, whatever i is",
        (("inputs[i]", "inputs[-1]"),),
        hint=WRONG_QUERY,
    ),
    Misconception(
        "hard_coded_at_most",
        "context_vector",
        "always answers for token 2, or for another one if there are fewer",
        (("inputs[i]", "inputs[min(2, len(inputs) - 1)]"),),
        hint=WRONG_QUERY,
    ),
    Misconception(
        "feature_for_token",
        "context_vector",
        "takes feature i of all tokens for the query",
        (("inputs[i]", "inputs[:, i]"),),
        hint=COLUMN_FOR_TOKEN,
    ),
    Misconception(
        "feature_in_dot",
        "context_vector",
        "takes feature i of all tokens for the query",
        (
            ("inputs[i]", "inputs[:, i]"),
            ("inputs @ query", "torch.stack([torch.dot(token, query) for token in inputs])"),
        ),
        hint=COLUMN_FOR_TOKEN,
    ),
    Misconception(
        "later_scores_hidden",
        "context_vector",
        "hides the later tokens: their scores are minus infinity",
        (
            (
                "inputs @ query",
                (
                    "(inputs @ query).masked_fill(torch.arange(len(inputs), "
                    "device=inputs.device) > i, -torch.inf)"
                ),
            ),
        ),
        hint=LATER_TOKENS_HIDDEN,
    ),
    Misconception(
        "later_weights_hidden",
        "context_vector",
        "hides the later tokens from the softmax",
        (
            (
                "torch.softmax(scores, dim=-1)",
                (
                    "torch.softmax(scores.masked_fill(torch.arange(len(inputs), "
                    "device=inputs.device) > i, -torch.inf), dim=-1)"
                ),
            ),
        ),
        hint=LATER_TOKENS_HIDDEN,
    ),
    Misconception(
        "later_not_mixed",
        "context_vector",
        "mixes the tokens 0 to i only",
        (("weights @ inputs", "weights[: i + 1] @ inputs[: i + 1]"),),
        hint=LATER_TOKENS_HIDDEN,
    ),
    Misconception(
        "overwritten",
        "context_vector",
        "the context is the last token alone, times its weight",
        (("weights @ inputs", "weights[-1] * inputs[-1]"),),
        hint=ONLY_LAST_KEPT,
    ),
    Misconception(
        "last_score_missing",
        "context_vector",
        "leaves the score of the last token at 0",
        (
            (
                "scores = inputs @ query",
                (
                    "scores = inputs @ query\n    scores = torch.cat([scores[:-1], "
                    "torch.zeros_like(scores[-1:])])"
                ),
            ),
        ),
        hint=LOOP_LEAVES_OUT,
    ),
    Misconception(
        "first_score_missing",
        "context_vector",
        "leaves the score of token 0 at 0",
        (
            (
                "scores = inputs @ query",
                (
                    "scores = inputs @ query\n    scores = "
                    "torch.cat([torch.zeros_like(scores[:1]), scores[1:]])"
                ),
            ),
        ),
        hint=LOOP_LEAVES_OUT,
    ),
    Misconception(
        "last_not_mixed",
        "context_vector",
        "leaves the last token out of the mixture",
        (("weights @ inputs", "weights[:-1] @ inputs[:-1]"),),
        hint=LOOP_LEAVES_OUT,
    ),
    Misconception(
        "first_not_mixed",
        "context_vector",
        "leaves token 0 out of the mixture",
        (("weights @ inputs", "weights[1:] @ inputs[1:]"),),
        hint=LOOP_LEAVES_OUT,
    ),
    Misconception(
        "six_mixed",
        "context_vector",
        "mixes the first six tokens, as many as the example has",
        (("weights @ inputs", "weights[:6] @ inputs[:6]"),),
        hint=SIZES_OF_THE_EXAMPLE,
    ),
    Misconception(
        "scores_shifted",
        "context_vector",
        "returns the scores less the largest of them",
        (("inputs @ query", "inputs @ query\n    scores = scores - scores.max()"),),
        hint=SCORES_SHIFTED,
    ),
    Misconception(
        "mean_of_products",
        "context_vector",
        "divides the scores by d: means of the products of features, not their sums",
        (("inputs @ query", "(inputs * query).mean(dim=-1)"),),
        hint=MEAN_OF_PRODUCTS,
    ),
    Misconception(
        "scaled_by_tokens",
        "context_vector",
        "divides the scores by the root of the number of tokens",
        (("inputs @ query", "inputs @ query / math.sqrt(len(inputs))"),),
        hint=SCALED_TOO_EARLY,
    ),
    Misconception(
        "summed_over_features",
        "context_vector",
        "adds up the features of each weighted token",
        (("weights @ inputs", "(weights[:, None] * inputs).sum(dim=1)"),),
        hint=WHICH_SUM,
    ),
    Misconception(
        "weights_for_scores",
        "context_vector",
        "returns the weights in place of the scores as well",
        (("return scores, weights, context", "return weights, weights, context"),),
        hint=SCORES_OVERWRITTEN,
    ),
    Misconception(
        "one_hot",
        "context_vector",
        "gives the best token the whole weight",
        (("torch.softmax(scores, dim=-1)", "(scores == scores.max()).to(scores.dtype)"),),
        hint=HARD_WEIGHTS,
    ),
    Misconception(
        "scores_as_row",
        "context_vector",
        "returns scores and weights as matrices of one row",
        (
            (
                "return scores, weights, context",
                "return scores.unsqueeze(0), weights.unsqueeze(0), context",
            ),
        ),
        hint=KEEPS_A_DIMENSION,
    ),
    Misconception(
        "residual",
        "context_vector",
        "adds the token to its context",
        (("weights @ inputs", "query + weights @ inputs"),),
        hint=TOKEN_ADDED,
    ),
    Misconception(
        "self_hidden_at_most",
        "context_vector",
        "hides the token itself before the softmax, unless it is the only one",
        (
            (
                "torch.softmax(scores, dim=-1)",
                (
                    "torch.softmax(scores.index_fill(0, torch.tensor(i, "
                    "device=scores.device), -1e9), dim=-1)"
                ),
            ),
        ),
        hint=SELF_HIDDEN,
    ),
    Misconception(
        "cpu_tensors",
        "context_vector",
        "has a tensor on the CPU, wherever the tokens are",
        (("weights @ inputs", "torch.zeros(query.shape, dtype=query.dtype) + weights @ inputs"),),
        hint=DEVICE,
    ),
    Misconception(
        "not_transposed",
        "context_vector",
        "multiplies the query by the table as it stands",
        (("inputs @ query", "query @ inputs"),),
        hint=NOT_TRANSPOSED,
    ),
    Misconception(
        "products_not_added",
        "context_vector",
        "multiplies the features and does not add them up",
        (("inputs @ query", "inputs * query"),),
        hint=PRODUCTS_NOT_ADDED,
    ),
    Misconception(
        "softmax_dim1",
        "context_vector",
        "asks for dimension 1 of a vector, which has dimension 0 only",
        (("dim=-1", "dim=1"),),
        hint=ONE_DIMENSION,
    ),
    Misconception(
        "factors_exchanged",
        "context_vector",
        "multiplies the table by the weights, not the weights by the table",
        (("weights @ inputs", "inputs @ weights"),),
        hint=FACTORS_EXCHANGED,
    ),
    Misconception(
        "weights_no_column",
        "context_vector",
        "multiplies the columns of the table by the weights of its rows",
        (("weights @ inputs", "(weights * inputs).sum(dim=0)"),),
        hint=WEIGHTS_NO_COLUMN,
    ),
    Misconception(
        "next_token",
        "context_vector",
        "takes token i + 1 for the query",
        (("inputs[i]", "inputs[i + 1]"),),
        hint=WRONG_QUERY,
    ),
    Misconception(
        "exp_not_divided",
        "context_vector",
        "takes exp of the scores less the largest for weights, which do not add up to 1",
        (("torch.softmax(scores, dim=-1)", "(scores - scores.max()).exp()"),),
        hint=WEIGHTS_ARE_NO_SHARES,
    ),
    Misconception(
        "query_as_row",
        "context_vector",
        "takes the query as a matrix of one row, which does not fit the product",
        (("inputs[i]", "inputs[i : i + 1]"),),
        hint=KEEPS_A_DIMENSION,
    ),
    Misconception(
        "query_as_column",
        "context_vector",
        "keeps the scores as a column, which does not fit the product",
        (
            ("inputs[i]", "inputs[i : i + 1]"),
            ("inputs @ query", "inputs @ query.T"),
            ("dim=-1", "dim=0"),
        ),
        hint=KEEPS_A_DIMENSION,
    ),
    Misconception(
        "two_results",
        "context_vector",
        "returns weights and context only, as the next exercise does",
        (("return scores, weights", "return weights"),),
        hint=WRONG_RETURN,
    ),
    Misconception(
        "own_products",
        "context_vector",
        "compares every token with itself, not with the query",
        (("inputs @ query", "(inputs * inputs).sum(dim=-1)"),),
        hint=QUERY_UNUSED,
    ),
    Misconception(
        "softmax_dim0",
        "simple_self_attention",
        "softmax over the queries: the columns add up to 1",
        (("dim=-1", "dim=0"),),
        hint=SOFTMAX_OVER_QUERIES,
    ),
    Misconception(
        "no_softmax",
        "simple_self_attention",
        "takes the raw scores for the weights",
        (("torch.softmax(scores, dim=-1)", "scores"),),
        hint=WEIGHTS_ARE_NO_SHARES,
    ),
    Misconception(
        "sum_norm",
        "simple_self_attention",
        "divides each row by its sum in place of a softmax",
        (("torch.softmax(scores, dim=-1)", "scores / scores.sum(dim=-1, keepdim=True)"),),
        hint=DIVIDED_BY_SUM,
    ),
    Misconception(
        "scaled",
        "simple_self_attention",
        "divides the scores by sqrt(d), which comes later",
        (("inputs @ inputs.T", "inputs @ inputs.T / math.sqrt(inputs.shape[-1])"),),
        hint=SCALED_TOO_EARLY,
    ),
    Misconception(
        "flat_softmax",
        "simple_self_attention",
        "one softmax over the whole matrix",
        (
            (
                "torch.softmax(scores, dim=-1)",
                "torch.softmax(scores.flatten(), dim=0).view_as(scores)",
            ),
        ),
        hint=Hint(
            look=(
                "Add up each row of your weights, and then add up the whole matrix. Which of the "
                "two gives 1?"
            ),
            think=(
                "Every query has a whole portion of attention of its own. How many softmaxes does "
                "a sentence of T tokens need, and which scores compete in one of them?"
            ),
            nearly=(
                "Look at what you hand to the softmax. It can work on a whole matrix, each row for "
                "itself, when it knows the right `dim`; there is no need to make one long row of "
                "it."
            ),
        ),
    ),
    Misconception(
        "naive_exp",
        "simple_self_attention",
        "exp of large scores overflows: their weights become NaN",
        (
            (
                "torch.softmax(scores, dim=-1)",
                "scores.exp() / scores.exp().sum(dim=-1, keepdim=True)",
            ),
        ),
        hint=EXP_OVERFLOWS,
    ),
    Misconception(
        "naive_exp_common_max",
        "simple_self_attention",
        "exp of scores far below the largest of all is 0: such rows become 0/0",
        (
            ("torch.softmax(scores, dim=-1)", "(scores - scores.max()).exp()"),
            (
                "context = ",
                "weights = weights / weights.sum(dim=-1, keepdim=True)\n    context = ",
            ),
        ),
        hint=EXP_OVERFLOWS,
    ),
    Misconception(
        "no_keepdim",
        "simple_self_attention",
        "the sums of the rows divide the columns",
        (
            (
                "torch.softmax(scores, dim=-1)",
                "(scores - scores.amax(dim=-1, keepdim=True)).exp()",
            ),
            ("context = ", "weights = weights / weights.sum(dim=-1)\n    context = "),
        ),
        hint=SUMS_ALONG_COLUMNS,
    ),
    Misconception(
        "no_keepdim_common_max",
        "simple_self_attention",
        "the columns add up to 1, and become 0/0 where all scores are small",
        (
            ("torch.softmax(scores, dim=-1)", "(scores - scores.max()).exp()"),
            ("context = ", "weights = weights / weights.sum(dim=-1)\n    context = "),
        ),
        hint=SUMS_ALONG_COLUMNS,
    ),
    Misconception(
        "feature_gram",
        "simple_self_attention",
        "compares features with features, not tokens with tokens",
        (("inputs @ inputs.T", "inputs.T @ inputs"), ("weights @ inputs", "inputs @ weights")),
        hint=FEATURES_COMPARED,
    ),
    Misconception(
        "loop_inside",
        "simple_self_attention",
        "goes over the tokens one by one: more tokens need more operations",
        (("inputs @ inputs.T", "torch.stack([inputs @ query for query in inputs])"),),
        hint=LOOP,
    ),
    Misconception(
        "loop_softmax",
        "simple_self_attention",
        "goes over the tokens one by one: more tokens need more operations",
        (
            (
                "torch.softmax(scores, dim=-1)",
                "torch.stack([torch.softmax(row, dim=0) for row in scores])",
            ),
        ),
        hint=LOOP,
    ),
    Misconception(
        "loop_mixtures",
        "simple_self_attention",
        "goes over the tokens one by one: more tokens need more operations",
        (("weights @ inputs", "torch.stack([row @ inputs for row in weights])"),),
        hint=LOOP,
    ),
    Misconception(
        "loop_over_keys",
        "simple_self_attention",
        "goes over the tokens one by one: more tokens need more operations",
        (
            (
                "weights @ inputs",
                (
                    "sum((weights[:, j, None] * inputs[j] for j in range(len(inputs))),"
                    " torch.zeros_like(inputs))"
                ),
            ),
        ),
        hint=LOOP,
    ),
    Misconception(
        "scores_for_weights",
        "simple_self_attention",
        "returns the scores in place of the weights",
        (("return weights", "return scores"),),
        hint=Hint(
            look=(
                "Add up each row of the first result: are the sums 1? Your context is that of the "
                "statement, so the right weights must have existed."
            ),
            think=(
                "Two matrices in your function have the shape (T, T). What makes them different, "
                "and which one is the caller to see?"
            ),
            nearly=(
                "The computation is fine. Look at the return line and at which of the two matrices "
                "you name there."
            ),
        ),
    ),
    Misconception(
        "order_context_first",
        "simple_self_attention",
        "returns the context before the weights",
        (("return weights, context", "return context, weights"),),
        hint=WRONG_RETURN,
    ),
    Misconception(
        "three_results",
        "simple_self_attention",
        "returns the scores as well, as in the exercise before",
        (("return weights", "return scores, weights"),),
        hint=WRONG_RETURN,
    ),
    Misconception(
        "mixes_with_scores",
        "simple_self_attention",
        "makes weights, but mixes the tokens with the scores",
        (("weights @ inputs", "scores @ inputs"),),
        hint=MIXES_WITH_SCORES,
    ),
    Misconception(
        "weights_transposed",
        "simple_self_attention",
        "mixes with the columns of the weights",
        (("weights @ inputs", "weights.T @ inputs"),),
        hint=Hint(
            look=(
                "Give every token one more feature that is always 1; an average of ones is 1. What "
                "is this feature in your context vectors?"
            ),
            think=(
                "Row i of the weights belongs to query i, and row i of the context is its mixture. "
                "Which numbers do you mix with: the rows, or the columns?"
            ),
            nearly=(
                "Your weights are right. Look at the product that mixes the tokens: is something "
                "in it turned round that need not be?"
            ),
        ),
    ),
    Misconception(
        "softmax_context",
        "simple_self_attention",
        "sends the context through a softmax too",
        (("weights @ inputs", "torch.softmax(weights @ inputs, dim=-1)"),),
        hint=CONTEXT_IN_SOFTMAX,
    ),
    Misconception(
        "softmax_twice",
        "simple_self_attention",
        "sends the scores through two softmaxes",
        (("torch.softmax(scores, dim=-1)", "scores.softmax(dim=-1).softmax(dim=-1)"),),
        hint=SOFTMAX_TWICE,
    ),
    Misconception(
        "causal",
        "simple_self_attention",
        "hides the later tokens, which nobody asked for",
        (
            (
                "torch.softmax(scores, dim=-1)",
                (
                    "torch.softmax(scores.masked_fill("
                    "torch.ones_like(scores).triu(1).bool(), -torch.inf), dim=-1)"
                ),
            ),
        ),
        hint=LATER_TOKENS_HIDDEN,
    ),
    Misconception(
        "skip_self",
        "simple_self_attention",
        "sets the weight of each token for itself to 0",
        (
            (
                "context = weights @ inputs",
                "weights = weights - weights.diag().diag()\n    context = weights @ inputs",
            ),
        ),
        hint=WITHOUT_SELF,
    ),
    Misconception(
        "cosine",
        "simple_self_attention",
        "compares directions only: divides by the lengths of both tokens",
        (
            (
                "inputs @ inputs.T",
                "nn.functional.normalize(inputs, dim=-1) @ nn.functional.normalize(inputs).T",
            ),
        ),
        hint=COSINE,
    ),
    Misconception(
        "normalised_in_place",
        "simple_self_attention",
        "computes with tokens less their own mean, and changes the table that it is given",
        (
            (
                "scores = inputs",
                (
                    "with torch.no_grad():\n"
                    "        inputs -= inputs.mean(dim=-1, keepdim=True)\n"
                    "    scores = inputs"
                ),
            ),
        ),
        hint=CHANGES_THE_INPUT,
    ),
    Misconception(
        "elementwise",
        "simple_self_attention",
        "multiplies the sums of the features in place of a matrix product",
        (("inputs @ inputs.T", "inputs.sum(dim=-1, keepdim=True) * inputs.sum(dim=-1)"),),
        hint=PRODUCT_OF_SUMS,
    ),
    Misconception(
        "best_only",
        "simple_self_attention",
        "gives each query the token with the largest weight and mixes nothing",
        (("weights @ inputs", "inputs[weights.argmax(dim=-1)]"),),
        hint=BEST_ONLY,
    ),
    Misconception(
        "residual",
        "simple_self_attention",
        "adds each token to its context",
        (("weights @ inputs", "inputs + weights @ inputs"),),
        hint=TOKEN_ADDED,
    ),
    Misconception(
        "weights_detached",
        "simple_self_attention",
        "takes the weights for constants: no gradient passes through them",
        (("torch.softmax(scores, dim=-1)", "torch.softmax(scores, dim=-1).detach()"),),
        hint=GRADIENT_CUT,
    ),
    Misconception(
        "scores_rounded",
        "simple_self_attention",
        "rounds the weights to four digits, as they are printed",
        (
            (
                "torch.softmax(scores, dim=-1)",
                "(torch.softmax(scores, dim=-1) * 1e4).round() / 1e4",
            ),
        ),
        hint=Hint(
            look=(
                "Print the first weight of token 2 in the check by hand with `.item()`. Does it "
                "begin with 0.21194, or has it become 0.2119 and nothing more?"
            ),
            think=(
                "Digits are cut when numbers are printed, not when they are computed with. And if "
                "a weight moves in jumps, what slope can a gradient find?"
            ),
            nearly=(
                "Look at what you do with the weights after the softmax. The statement shows four "
                "digits to save space; your function may keep all of them."
            ),
        ),
    ),
    Misconception(
        "float32_weights",
        "simple_self_attention",
        "computes the weights in float32 whatever the type of the table (float32 only)",
        (
            ("torch.softmax(scores, dim=-1)", "torch.softmax(scores, dim=-1).float()"),
            ("weights @ inputs", "weights @ inputs.float()"),
        ),
        hint=FLOAT32,
    ),
    Misconception(
        "self_hidden",
        "simple_self_attention",
        "hides every token from itself before the softmax",
        (
            (
                "torch.softmax(scores, dim=-1)",
                "torch.softmax(scores.fill_diagonal_(-torch.inf), dim=-1)",
            ),
        ),
        hint=SELF_HIDDEN,
    ),
    Misconception(
        "centred_in_place",
        "simple_self_attention",
        "computes with tokens less the mean of all, and changes the table that it is given",
        (("scores = ", "inputs -= inputs.detach().mean(dim=0)\n    scores = "),),
        hint=CHANGES_THE_INPUT,
    ),
    Misconception(
        "centred",
        "simple_self_attention",
        "subtracts the mean of the tokens before it compares them",
        (("inputs @ inputs.T", "(inputs - inputs.mean(dim=0)) @ (inputs - inputs.mean(dim=0)).T"),),
        hint=CENTRED,
    ),
    Misconception(
        "scaled_by_tokens",
        "simple_self_attention",
        "divides the scores by the root of the number of tokens",
        (("inputs @ inputs.T", "inputs @ inputs.T / math.sqrt(len(inputs))"),),
        hint=SCALED_TOO_EARLY,
    ),
    Misconception(
        "mean_of_products",
        "simple_self_attention",
        "divides the scores by d: means of the products of features, not their sums",
        (("inputs @ inputs.T", "inputs @ inputs.T / inputs.shape[-1]"),),
        hint=MEAN_OF_PRODUCTS,
    ),
    Misconception(
        "self_hidden_at_most",
        "simple_self_attention",
        "hides every token from itself before the softmax, unless it is the only one",
        (
            (
                "torch.softmax(scores, dim=-1)",
                (
                    "torch.softmax(scores.masked_fill(torch.eye(len(inputs), "
                    "device=inputs.device).bool(), -1e9), dim=-1)"
                ),
            ),
        ),
        hint=SELF_HIDDEN,
    ),
    Misconception(
        "float32_softmax",
        "simple_self_attention",
        "one factor of a product is always float32: the product with float64 fails",
        (("dim=-1)", "dim=-1, dtype=torch.float32)"),),
        hint=FLOAT32,
    ),
    Misconception(
        "float32_softmax_in_einsum",
        "simple_self_attention",
        "one factor of a product is always float32: the product with float64 fails",
        (
            ("dim=-1)", "dim=-1, dtype=torch.float32)"),
            ("weights @ inputs", 'torch.einsum("ij,jd->id", weights, inputs)'),
        ),
        hint=FLOAT32,
    ),
    Misconception(
        "divided_again",
        "simple_self_attention",
        "averages the weighted tokens: divides by T once more",
        (("weights @ inputs", "weights @ inputs / len(inputs)"),),
        hint=DIVIDED_ONCE_MORE,
    ),
    Misconception(
        "one_hot",
        "simple_self_attention",
        "gives the best token of each row the whole weight",
        (
            (
                "torch.softmax(scores, dim=-1)",
                "(scores == scores.amax(dim=-1, keepdim=True)).to(scores.dtype)",
            ),
        ),
        hint=HARD_WEIGHTS,
    ),
    Misconception(
        "sigmoid",
        "simple_self_attention",
        "weights each token by a sigmoid, so that the rows do not add up to 1",
        (("torch.softmax(scores, dim=-1)", "torch.sigmoid(scores)"),),
        hint=WEIGHTS_ARE_NO_SHARES,
    ),
    Misconception(
        "cpu_tensors",
        "simple_self_attention",
        "has a tensor on the CPU, wherever the tokens are",
        (("weights @ inputs", "torch.zeros(inputs.shape, dtype=inputs.dtype) + weights @ inputs"),),
        hint=DEVICE,
    ),
    Misconception(
        "not_transposed",
        "simple_self_attention",
        "multiplies the table by itself and transposes nothing",
        (("inputs @ inputs.T", "inputs @ inputs"),),
        hint=NOT_TRANSPOSED,
    ),
    Misconception(
        "factors_exchanged",
        "simple_self_attention",
        "multiplies the table by the weights, not the weights by the table",
        (("weights @ inputs", "inputs @ weights"),),
        hint=FACTORS_EXCHANGED,
    ),
    Misconception(
        "features_compared",
        "simple_self_attention",
        "compares features with features, which does not fit the mixture",
        (("inputs @ inputs.T", "inputs.T @ inputs"),),
        hint=FEATURES_COMPARED,
    ),
    Misconception(
        "context_only",
        "simple_self_attention",
        "returns the context and nothing else",
        (("return weights, context", "return context"),),
        hint=WRONG_RETURN,
    ),
    Misconception(
        "float32_table",
        "simple_self_attention",
        "one factor of a product is always float32: the product with float64 fails",
        (
            (
                "scores = inputs @ inputs.T",
                (
                    "scores = torch.empty(len(inputs), len(inputs))\n    for i, query in "
                    "enumerate(inputs):\n        scores[i] = inputs @ query"
                ),
            ),
        ),
        hint=FLOAT32,
    ),
    Misconception(
        "scale_d_in",
        "SelfAttention",
        "divides by the root of d_in, the size of x, not of the keys",
        (("math.sqrt(keys.shape[-1])", "math.sqrt(x.shape[-1])"),),
        hint=DIVISOR_FROM_WRONG_SIZE,
    ),
    Misconception(
        "scale_multiplied",
        "SelfAttention",
        "multiplies by sqrt(d_out)",
        (("/ math.sqrt", "* math.sqrt"),),
        hint=WRONG_DIVISOR,
    ),
    Misconception(
        "scale_after",
        "SelfAttention",
        "divides by sqrt(d_out) after the softmax, not before it",
        (
            (" / math.sqrt(keys.shape[-1])", ""),
            (
                "torch.softmax(scores, dim=-1)",
                "torch.softmax(scores, dim=-1) / math.sqrt(keys.shape[-1])",
            ),
        ),
        hint=Hint(
            look=(
                "With d_out = 4, feed in several equal tokens: each output should be their common "
                "value. Why is it half of that?"
            ),
            think=(
                "Scaling is to keep the softmax from putting everything on one token. Can it still "
                "do so when the softmax is over?"
            ),
            nearly=(
                "You divide by the right number, at the wrong moment. What goes into the softmax "
                "is to be scaled; what comes out of it are finished shares."
            ),
        ),
    ),
    Misconception(
        "no_values",
        "SelfAttention",
        "mixes the tokens themselves, without values",
        (("weights @ values", "weights @ x"),),
        hint=IDLE_MATRIX,
    ),
    Misconception(
        "values_are_keys",
        "SelfAttention",
        "mixes the keys; the values lie idle",
        (("weights @ values", "weights @ keys"),),
        hint=IDLE_MATRIX,
    ),
    Misconception(
        "relu_on_values",
        "SelfAttention",
        "sets negative values to 0, as a relu does",
        (("weights @ values", "weights @ torch.relu(values)"),),
        hint=VALUES_BENT,
    ),
    Misconception(
        "plain_tensor",
        "SelfAttention",
        "the three matrices are not registered as parameters",
        (
            (
                "W_query = nn.Parameter(torch.rand(d_in, d_out))",
                "W_query = torch.rand(d_in, d_out)",
            ),
            ("W_key = nn.Parameter(torch.rand(d_in, d_out))", "W_key = torch.rand(d_in, d_out)"),
            (
                "W_value = nn.Parameter(torch.rand(d_in, d_out))",
                "W_value = torch.rand(d_in, d_out)",
            ),
        ),
        hint=NOT_TRAINED,
    ),
    Misconception(
        "plain_value",
        "SelfAttention",
        "W_value is not registered as a parameter",
        (("W_value = nn.Parameter(torch.rand(d_in, d_out))", "W_value = torch.rand(d_in, d_out)"),),
        hint=NOT_TRAINED,
    ),
    Misconception(
        "plain_key",
        "SelfAttention",
        "W_key is not registered as a parameter",
        (("W_key = nn.Parameter(torch.rand(d_in, d_out))", "W_key = torch.rand(d_in, d_out)"),),
        hint=NOT_TRAINED,
    ),
    Misconception(
        "plain_query",
        "SelfAttention",
        "W_query is not registered as a parameter",
        (("W_query = nn.Parameter(torch.rand(d_in, d_out))", "W_query = torch.rand(d_in, d_out)"),),
        hint=NOT_TRAINED,
    ),
    Misconception(
        "transposed_shape",
        "SelfAttention",
        "keeps the matrices as nn.Linear does, (d_out, d_in), and transposes them",
        (
            (
                "W_query = nn.Parameter(torch.rand(d_in, d_out",
                "W_query = nn.Parameter(torch.rand(d_out, d_in",
            ),
            (
                "W_key = nn.Parameter(torch.rand(d_in, d_out",
                "W_key = nn.Parameter(torch.rand(d_out, d_in",
            ),
            (
                "W_value = nn.Parameter(torch.rand(d_in, d_out",
                "W_value = nn.Parameter(torch.rand(d_out, d_in",
            ),
            ("x @ self.W_query", "x @ self.W_query.T"),
            ("x @ self.W_key", "x @ self.W_key.T"),
            ("x @ self.W_value", "x @ self.W_value.T"),
        ),
        hint=MATRIX_SHAPE,
    ),
    Misconception(
        "dims_swapped",
        "SelfAttention",
        "makes the matrices (d_out, d_in) and multiplies as if they were not",
        (
            (
                "W_query = nn.Parameter(torch.rand(d_in, d_out",
                "W_query = nn.Parameter(torch.rand(d_out, d_in",
            ),
            (
                "W_key = nn.Parameter(torch.rand(d_in, d_out",
                "W_key = nn.Parameter(torch.rand(d_out, d_in",
            ),
            (
                "W_value = nn.Parameter(torch.rand(d_in, d_out",
                "W_value = nn.Parameter(torch.rand(d_out, d_in",
            ),
        ),
        hint=MATRIX_SHAPE,
    ),
    Misconception(
        "no_super",
        "SelfAttention",
        "assigns parameters before nn.Module is prepared for them",
        (("super().__init__()", "pass"),),
        hint=NOT_PREPARED,
    ),
    Misconception(
        "weights_in_forward",
        "SelfAttention",
        "makes the queries with new random numbers in every call, not with W_query",
        (("x @ self.W_query", "x @ torch.rand_like(self.W_query)"),),
        hint=FRESH_IN_FORWARD,
    ),
    Misconception(
        "data_used",
        "SelfAttention",
        "cuts W_query off from the gradient",
        (("x @ self.W_query", "x @ self.W_query.data"),),
        hint=GRADIENT_CUT,
    ),
    Misconception(
        "weights_detached",
        "SelfAttention",
        "cuts the weights off from the gradient",
        (("weights @ values", "weights.detach() @ values"),),
        hint=GRADIENT_CUT,
    ),
    Misconception(
        "values_detached",
        "SelfAttention",
        "cuts the values off from the gradient",
        (("weights @ values", "weights @ values.detach()"),),
        hint=GRADIENT_CUT,
    ),
    Misconception(
        "keys_detached",
        "SelfAttention",
        "cuts the keys off from the gradient",
        (("queries @ keys.T", "queries @ keys.detach().T"),),
        hint=GRADIENT_CUT,
    ),
    Misconception(
        "no_scale",
        "SelfAttention",
        "does not scale the scores",
        ((" / math.sqrt(keys.shape[-1])", ""),),
        hint=WRONG_DIVISOR,
    ),
    Misconception(
        "no_root",
        "SelfAttention",
        "divides by d_out in all, not by its root",
        (("math.sqrt(keys.shape[-1])", "keys.shape[-1]"),),
        hint=WRONG_DIVISOR,
    ),
    Misconception(
        "half_outside",
        "SelfAttention",
        "divides by 2 * d_out, as `/ d_out ** 1 / 2` does, not by the root",
        (("/ math.sqrt(keys.shape[-1])", "/ keys.shape[-1] ** 1 / 2"),),
        hint=EXPONENT_CUT_IN_TWO,
    ),
    Misconception(
        "half_as_factor",
        "SelfAttention",
        "divides by d_out / 2, as `/ (d_out ** 1 / 2)` does, not by the root",
        (("/ math.sqrt(keys.shape[-1])", "/ (keys.shape[-1] ** 1 / 2)"),),
        hint=EXPONENT_CUT_IN_TWO,
    ),
    Misconception(
        "scale_in_int",
        "SelfAttention",
        "rounds the root down to a whole number",
        (("math.sqrt(keys.shape[-1])", "math.isqrt(keys.shape[-1])"),),
        hint=DIVISOR_FROM_WRONG_SIZE,
    ),
    Misconception(
        "scale_twice_d",
        "SelfAttention",
        "divides by sqrt(2 * d_out)",
        (("math.sqrt(keys.shape[-1])", "math.sqrt(2 * keys.shape[-1])"),),
        hint=WRONG_DIVISOR,
    ),
    Misconception(
        "scale_tokens",
        "SelfAttention",
        "divides by the root of the number of tokens",
        (("math.sqrt(keys.shape[-1])", "math.sqrt(keys.shape[0])"),),
        hint=DIVISOR_FROM_WRONG_SIZE,
    ),
    Misconception(
        "scale_of_the_example",
        "SelfAttention",
        "divides by sqrt(2), right for the d_out of the example only",
        (("math.sqrt(keys.shape[-1])", "math.sqrt(2)"),),
        hint=DIVISOR_FROM_WRONG_SIZE,
    ),
    Misconception(
        "softmax_dim0",
        "SelfAttention",
        "softmax over the queries: the columns add up to 1",
        (("dim=-1", "dim=0"),),
        hint=SOFTMAX_OVER_QUERIES,
    ),
    Misconception(
        "no_softmax",
        "SelfAttention",
        "mixes the values with the raw scores",
        (("torch.softmax(scores, dim=-1)", "scores"),),
        hint=WEIGHTS_ARE_NO_SHARES,
    ),
    Misconception(
        "weights_transposed",
        "SelfAttention",
        "mixes the values by the columns of the weights",
        (("weights @ values", "weights.T @ values"),),
        hint=MIXED_BY_COLUMNS,
    ),
    Misconception(
        "qk_swapped",
        "SelfAttention",
        "exchanges queries and keys: another layout of the weights",
        (("queries @ keys.T", "keys @ queries.T"),),
        hint=QUERIES_AND_KEYS_SWAPPED,
    ),
    Misconception(
        "queries_twice",
        "SelfAttention",
        "compares queries with queries; W_key lies idle",
        (("queries @ keys.T", "queries @ queries.T"),),
        hint=IDLE_MATRIX,
    ),
    Misconception(
        "naive_exp",
        "SelfAttention",
        "exp of large scores overflows: their weights become NaN",
        (
            (
                "torch.softmax(scores, dim=-1)",
                "scores.exp() / scores.exp().sum(dim=-1, keepdim=True)",
            ),
        ),
        hint=EXP_OVERFLOWS,
    ),
    Misconception(
        "order",
        "SelfAttention",
        "draws W_key before W_query: the same seed gives other numbers",
        (
            ("self.W_query = nn", "first = nn"),
            (
                "self.W_key = nn.Parameter(torch.rand(d_in, d_out))",
                (
                    "self.W_query = nn.Parameter(torch.rand(d_in, d_out))\n"
                    "        self.W_key = first"
                ),
            ),
        ),
        hint=ORDER_OF_CREATION,
    ),
    Misconception(
        "randn",
        "SelfAttention",
        "starts from normally distributed numbers, as torch.randn gives them",
        (
            ("W_query = nn.Parameter(torch.rand(", "W_query = nn.Parameter(torch.randn("),
            ("W_key = nn.Parameter(torch.rand(", "W_key = nn.Parameter(torch.randn("),
            ("W_value = nn.Parameter(torch.rand(", "W_value = nn.Parameter(torch.randn("),
        ),
        hint=START_VALUES,
    ),
    Misconception(
        "ones",
        "SelfAttention",
        "starts from ones, so that queries, keys and values are alike",
        (
            ("W_query = nn.Parameter(torch.rand(", "W_query = nn.Parameter(torch.ones("),
            ("W_key = nn.Parameter(torch.rand(", "W_key = nn.Parameter(torch.ones("),
            ("W_value = nn.Parameter(torch.rand(", "W_value = nn.Parameter(torch.ones("),
        ),
        hint=START_VALUES,
    ),
    Misconception(
        "seeds_itself",
        "SelfAttention",
        "starts from the numbers of seed 123, whatever the seed: each module starts alike",
        (("super().__init__()", "super().__init__()\n        torch.manual_seed(123)"),),
        hint=Hint(
            look=(
                "Make two modules, one after the other, and compare their W_query. Are two random "
                "matrices likely to be the same?"
            ),
            think=(
                "A seed makes an experiment repeatable. Who should decide about that: each module "
                "for itself, or the person who runs the experiment?"
            ),
            nearly=(
                "Look at `__init__` for a seed. The seed of the table is set by the caller, "
                "before the module is made."
            ),
        ),
    ),
    Misconception(
        "tied",
        "SelfAttention",
        "queries and keys share one matrix",
        (("W_key = nn.Parameter(torch.rand(d_in, d_out))", "W_key = self.W_query"),),
        hint=TIED,
    ),
    Misconception(
        "buffer",
        "SelfAttention",
        "W_value is a buffer: saved, but never trained",
        (("self.W_value = nn.Parameter(", 'self.register_buffer("W_value", '),),
        hint=NOT_TRAINED,
    ),
    Misconception(
        "frozen",
        "SelfAttention",
        "W_key is a parameter that asks for no gradient",
        (
            (
                "W_key = nn.Parameter(torch.rand(d_in, d_out))",
                "W_key = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)",
            ),
        ),
        hint=NOT_TRAINED,
    ),
    Misconception(
        "linear",
        "SelfAttention",
        "lets nn.Linear make the projections, as the next exercise does",
        (
            (
                "W_query = nn.Parameter(torch.rand(d_in, d_out))",
                "W_query = nn.Linear(d_in, d_out, bias=False)",
            ),
            (
                "W_key = nn.Parameter(torch.rand(d_in, d_out))",
                "W_key = nn.Linear(d_in, d_out, bias=False)",
            ),
            (
                "W_value = nn.Parameter(torch.rand(d_in, d_out))",
                "W_value = nn.Linear(d_in, d_out, bias=False)",
            ),
            ("x @ self.W_query", "self.W_query(x)"),
            ("x @ self.W_key", "self.W_key(x)"),
            ("x @ self.W_value", "self.W_value(x)"),
        ),
        hint=PARAMETER_NAMES,
    ),
    Misconception(
        "other_names",
        "SelfAttention",
        "calls the matrices W_q, W_k and W_v",
        (
            ("self.W_query = ", "self.W_q = "),
            ("self.W_key = ", "self.W_k = "),
            ("self.W_value = ", "self.W_v = "),
            ("x @ self.W_query", "x @ self.W_q"),
            ("x @ self.W_key", "x @ self.W_k"),
            ("x @ self.W_value", "x @ self.W_v"),
        ),
        hint=PARAMETER_NAMES,
    ),
    Misconception(
        "hard_coded",
        "SelfAttention",
        "takes the sizes of the example for granted",
        (
            (
                "W_query = nn.Parameter(torch.rand(d_in, d_out",
                "W_query = nn.Parameter(torch.rand(3, 2",
            ),
            ("W_key = nn.Parameter(torch.rand(d_in, d_out", "W_key = nn.Parameter(torch.rand(3, 2"),
            (
                "W_value = nn.Parameter(torch.rand(d_in, d_out",
                "W_value = nn.Parameter(torch.rand(3, 2",
            ),
        ),
        hint=SIZES_OF_THE_EXAMPLE,
    ),
    Misconception(
        "returns_weights_too",
        "SelfAttention",
        "returns the weights as well",
        (("return weights @ values", "return weights, weights @ values"),),
        hint=WRONG_RETURN,
    ),
    Misconception(
        "causal",
        "SelfAttention",
        "hides the later tokens, which nobody asked for",
        (
            (
                "torch.softmax(scores, dim=-1)",
                (
                    "torch.softmax(scores.masked_fill("
                    "torch.ones_like(scores).triu(1).bool(), -torch.inf), dim=-1)"
                ),
            ),
        ),
        hint=LATER_TOKENS_HIDDEN,
    ),
    Misconception(
        "order_value_first",
        "SelfAttention",
        "draws W_value first: the same seed gives other numbers",
        (
            (
                "self.W_query = nn",
                "self.W_value = nn.Parameter(torch.rand(d_in, d_out))\n        self.W_query = nn",
            ),
            (
                "        self.W_key = nn.Parameter(torch.rand(d_in, d_out))\n"
                "        self.W_value = nn.Parameter(torch.rand(d_in, d_out))",
                "        self.W_key = nn.Parameter(torch.rand(d_in, d_out))",
            ),
        ),
        hint=ORDER_OF_CREATION,
    ),
    Misconception(
        "frozen_query",
        "SelfAttention",
        "W_query is a parameter that asks for no gradient",
        (
            (
                "W_query = nn.Parameter(torch.rand(d_in, d_out))",
                "W_query = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)",
            ),
        ),
        hint=NOT_TRAINED,
    ),
    Misconception(
        "frozen_value",
        "SelfAttention",
        "W_value is a parameter that asks for no gradient",
        (
            (
                "W_value = nn.Parameter(torch.rand(d_in, d_out))",
                "W_value = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)",
            ),
        ),
        hint=NOT_TRAINED,
    ),
    Misconception(
        "all_frozen",
        "SelfAttention",
        "no parameter asks for a gradient",
        (
            (
                "W_query = nn.Parameter(torch.rand(d_in, d_out))",
                "W_query = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)",
            ),
            (
                "W_key = nn.Parameter(torch.rand(d_in, d_out))",
                "W_key = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)",
            ),
            (
                "W_value = nn.Parameter(torch.rand(d_in, d_out))",
                "W_value = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)",
            ),
        ),
        hint=NOT_TRAINED,
    ),
    Misconception(
        "returns_weights_behind",
        "SelfAttention",
        "returns the weights as well, behind the context",
        (("return weights @ values", "return weights @ values, weights"),),
        hint=WRONG_RETURN,
    ),
    Misconception(
        "keys_twice",
        "SelfAttention",
        "compares keys with keys; W_query lies idle",
        (("queries @ keys.T", "keys @ keys.T"),),
        hint=IDLE_MATRIX,
    ),
    Misconception(
        "values_are_queries",
        "SelfAttention",
        "mixes the queries; the values lie idle",
        (("weights @ values", "weights @ queries"),),
        hint=IDLE_MATRIX,
    ),
    Misconception(
        "scale_trained",
        "SelfAttention",
        "makes the scale a parameter, which is trained as well",
        (
            (
                "        self.W_value = ",
                (
                    "        self.scale = nn.Parameter(torch.tensor(d_out**-0.5))\n        "
                    "self.W_value = "
                ),
            ),
            ("/ math.sqrt(keys.shape[-1])", "* self.scale"),
        ),
        hint=SCALE_TRAINED,
    ),
    Misconception(
        "sigmoid",
        "SelfAttention",
        "weights each value by a sigmoid, so that the weights do not add up to 1",
        (("torch.softmax(scores, dim=-1)", "torch.sigmoid(scores)"),),
        hint=WEIGHTS_ARE_NO_SHARES,
    ),
    Misconception(
        "not_transposed",
        "SelfAttention",
        "multiplies the queries by keys that are not transposed",
        (("keys.T", "keys"),),
        hint=NOT_TRANSPOSED,
    ),
    Misconception(
        "factors_exchanged",
        "SelfAttention",
        "multiplies the values by the weights, not the weights by the values",
        (("weights @ values", "values @ weights"),),
        hint=FACTORS_EXCHANGED,
    ),
    Misconception(
        "parameter_called",
        "SelfAttention",
        "calls the matrices like layers",
        (
            ("x @ self.W_query", "self.W_query(x)"),
            ("x @ self.W_key", "self.W_key(x)"),
            ("x @ self.W_value", "self.W_value(x)"),
        ),
        hint=PARAMETER_IS_NO_LAYER,
    ),
    Misconception(
        "float32_softmax",
        "SelfAttention",
        "one factor of a product is always float32: the product with float64 fails",
        (("dim=-1)", "dim=-1, dtype=torch.float32)"),),
        hint=FLOAT32,
    ),
    Misconception(
        "no_scale",
        "SelfAttentionV2",
        "does not scale the scores",
        ((" / math.sqrt(keys.shape[-1])", ""),),
        hint=WRONG_DIVISOR,
    ),
    Misconception(
        "half_outside",
        "SelfAttentionV2",
        "divides by 2 * d_out, as `/ d_out ** 1 / 2` does, not by the root",
        (("/ math.sqrt(keys.shape[-1])", "/ keys.shape[-1] ** 1 / 2"),),
        hint=EXPONENT_CUT_IN_TWO,
    ),
    Misconception(
        "half_as_factor",
        "SelfAttentionV2",
        "divides by d_out / 2, as `/ (d_out ** 1 / 2)` does, not by the root",
        (("/ math.sqrt(keys.shape[-1])", "/ (keys.shape[-1] ** 1 / 2)"),),
        hint=EXPONENT_CUT_IN_TWO,
    ),
    Misconception(
        "softmax_dim1",
        "SelfAttentionV2",
        "softmax over dimension 1: right for a sentence, wrong for a batch",
        (("dim=-1", "dim=1"),),
        hint=SOFTMAX_OF_A_BATCH,
    ),
    Misconception(
        "one_linear",
        "SelfAttentionV2",
        "queries, keys and values share one linear layer",
        (
            ("W_key = nn.Linear(d_in, d_out, bias=qkv_bias)", "W_key = self.W_query"),
            ("W_value = nn.Linear(d_in, d_out, bias=qkv_bias)", "W_value = self.W_query"),
        ),
        hint=TIED,
    ),
    Misconception(
        "weights_transposed",
        "SelfAttentionV2",
        "mixes the values by the columns of the weights",
        (("weights @ values", "weights.transpose(-2, -1) @ values"),),
        hint=MIXED_BY_COLUMNS,
    ),
    Misconception(
        "qk_swapped",
        "SelfAttentionV2",
        "exchanges queries and keys: another layout of the weights",
        (("queries @ keys.transpose(", "keys @ queries.transpose("),),
        hint=QUERIES_AND_KEYS_SWAPPED,
    ),
    Misconception(
        "relu",
        "SelfAttentionV2",
        "sets negative queries, keys and values to 0, as a relu does",
        (
            ("self.W_query(x)", "self.W_query(x).relu()"),
            ("self.W_key(x)", "self.W_key(x).relu()"),
            ("self.W_value(x)", "self.W_value(x).relu()"),
        ),
        hint=Hint(
            look=(
                "Feed in tokens from `torch.randn` and print queries, keys and values. Is there "
                "any negative number among them?"
            ),
            think=(
                "A linear layer may give numbers of both signs. If queries and keys are never "
                "negative, can a score ever say that two tokens do not fit?"
            ),
            nearly=(
                "Look at what you do with the results of the three layers before you use them. The "
                "formula of the statement has no step there."
            ),
        ),
    ),
    Misconception(
        "order",
        "SelfAttentionV2",
        "draws the layers in the order key, query, value: the same seed gives other numbers",
        (
            ("self.W_query = nn", "first = nn"),
            (
                "self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)",
                (
                    "self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)\n"
                    "        self.W_key = first"
                ),
            ),
        ),
        hint=ORDER_OF_CREATION,
    ),
    Misconception(
        "causal",
        "SelfAttentionV2",
        "hides the later tokens, which nobody asked for",
        (
            (
                "weights = torch",
                (
                    "later = torch.ones_like(scores, dtype=torch.bool).triu(1)\n        scores = "
                    "scores.masked_fill(later, -torch.inf)\n        weights = torch"
                ),
            ),
        ),
        hint=LATER_TOKENS_HIDDEN,
    ),
    Misconception(
        "no_super",
        "SelfAttentionV2",
        "assigns layers before nn.Module is prepared for them",
        (("        super().__init__()\n", ""),),
        hint=NOT_PREPARED,
    ),
    Misconception(
        "all_transposed",
        "SelfAttentionV2",
        "turns all dimensions of a batch of keys around, not the last two",
        (("keys.transpose(-2, -1)", "keys.T"),),
        hint=TRANSPOSES_THE_BATCH,
    ),
    Misconception(
        "transpose_0_1",
        "SelfAttentionV2",
        "exchanges dimensions 0 and 1: those of a batch are its sentences and tokens",
        (("transpose(-2, -1)", "transpose(0, 1)"),),
        hint=TRANSPOSES_THE_BATCH,
    ),
    Misconception(
        "transpose_1_2",
        "SelfAttentionV2",
        "needs a dimension 2, which a single sentence does not have",
        (("transpose(-2, -1)", "transpose(1, 2)"),),
        hint=DIMENSION_2,
    ),
    Misconception(
        "scale_shape_1",
        "SelfAttentionV2",
        "divides by the root of dimension 1: d_out for a sentence, but T for a batch",
        (("keys.shape[-1]", "keys.shape[1]"),),
        hint=DIVISOR_FROM_WRONG_SIZE,
    ),
    Misconception(
        "scale_d_in",
        "SelfAttentionV2",
        "divides by the root of d_in, the size of x, not of the keys",
        (("keys.shape[-1]", "x.shape[-1]"),),
        hint=DIVISOR_FROM_WRONG_SIZE,
    ),
    Misconception(
        "scale_tokens",
        "SelfAttentionV2",
        "divides by the root of the number of tokens",
        (("keys.shape[-1]", "keys.shape[-2]"),),
        hint=DIVISOR_FROM_WRONG_SIZE,
    ),
    Misconception(
        "scale_in_int",
        "SelfAttentionV2",
        "rounds the root down to a whole number",
        (("math.sqrt(keys.shape[-1])", "math.isqrt(keys.shape[-1])"),),
        hint=DIVISOR_FROM_WRONG_SIZE,
    ),
    Misconception(
        "softmax_default",
        "SelfAttentionV2",
        "softmax over the sentences of a batch, as PyTorch picks them when told nothing",
        (
            ("weights = torch.softmax(", "weights = nn.Softmax()("),
            (", dim=-1)", ")"),
        ),
        hint=SOFTMAX_OF_A_BATCH,
    ),
    Misconception(
        "softmax_dim0",
        "SelfAttentionV2",
        "softmax over dimension 0",
        (("dim=-1", "dim=0"),),
        hint=SOFTMAX_OF_A_BATCH,
    ),
    Misconception(
        "softmax_queries",
        "SelfAttentionV2",
        "softmax over the queries: the columns add up to 1",
        (("dim=-1", "dim=-2"),),
        hint=SOFTMAX_OVER_QUERIES,
    ),
    Misconception(
        "naive_exp",
        "SelfAttentionV2",
        "exp of large scores overflows: their weights become NaN",
        (
            (
                "torch.softmax(scores / math.sqrt(keys.shape[-1]), dim=-1)",
                "torch.exp(scores / math.sqrt(keys.shape[-1]))",
            ),
            ("weights @ values", "weights / weights.sum(dim=-1, keepdim=True) @ values"),
        ),
        hint=EXP_OVERFLOWS,
    ),
    Misconception(
        "batch_flattened",
        "SelfAttentionV2",
        "strings all sentences of a batch into one, where each token sees all",
        (
            (
                "queries = ",
                "shape = x.shape[:-1]\n        x = x.flatten(0, -2)\n        queries = ",
            ),
            ("return weights @ values", "return (weights @ values).unflatten(0, shape)"),
        ),
        hint=SENTENCES_MIXED,
    ),
    Misconception(
        "batch_always",
        "SelfAttentionV2",
        "returns a single sentence as a batch of one",
        (
            (
                "queries = ",
                "x = x if x.dim() == 3 else x.unsqueeze(0)\n        queries = ",
            ),
        ),
        hint=SHAPE_OF_THE_RESULT,
    ),
    Misconception(
        "squeezed",
        "SelfAttentionV2",
        "drops dimensions of size 1: a batch of one, or one token, loses its own",
        (("return weights @ values", "return (weights @ values).squeeze()"),),
        hint=SHAPE_OF_THE_RESULT,
    ),
    Misconception(
        "first_sentence_scores",
        "SelfAttentionV2",
        "takes the weights of a batch from its first sentence",
        (
            (
                "return weights @ values",
                "return (weights if x.dim() == 2 else weights[:1]) @ values",
            ),
        ),
        hint=SENTENCES_MIXED,
    ),
    Misconception(
        "bias_always",
        "SelfAttentionV2",
        "the layers have a bias when qkv_bias is not given",
        (
            ("W_query = nn.Linear(d_in, d_out, bias=qkv_bias)", "W_query = nn.Linear(d_in, d_out)"),
            ("W_key = nn.Linear(d_in, d_out, bias=qkv_bias)", "W_key = nn.Linear(d_in, d_out)"),
            ("W_value = nn.Linear(d_in, d_out, bias=qkv_bias)", "W_value = nn.Linear(d_in, d_out)"),
        ),
        hint=BIAS_OF_THE_LAYERS,
    ),
    Misconception(
        "bias_never",
        "SelfAttentionV2",
        "no layer has a bias, whatever qkv_bias says",
        (
            (
                "W_query = nn.Linear(d_in, d_out, bias=qkv_bias)",
                "W_query = nn.Linear(d_in, d_out, False)",
            ),
            (
                "W_key = nn.Linear(d_in, d_out, bias=qkv_bias)",
                "W_key = nn.Linear(d_in, d_out, False)",
            ),
            (
                "W_value = nn.Linear(d_in, d_out, bias=qkv_bias)",
                "W_value = nn.Linear(d_in, d_out, False)",
            ),
        ),
        hint=BIAS_OF_THE_LAYERS,
    ),
    Misconception(
        "bias_not_on_values",
        "SelfAttentionV2",
        "the layer of the values never has a bias",
        (
            (
                "W_value = nn.Linear(d_in, d_out, bias=qkv_bias)",
                "W_value = nn.Linear(d_in, d_out, bias=False)",
            ),
        ),
        hint=BIAS_OF_THE_LAYERS,
    ),
    Misconception(
        "bias_by_default",
        "SelfAttentionV2",
        "the layers have a bias when qkv_bias is not given",
        (("qkv_bias: bool = False", "qkv_bias: bool = True"),),
        hint=BIAS_OF_THE_LAYERS,
    ),
    Misconception(
        "bias_without_default",
        "SelfAttentionV2",
        "insists on being told about the bias",
        (("qkv_bias: bool = False", "qkv_bias: bool"),),
        hint=BIAS_BY_DEFAULT,
    ),
    Misconception(
        "unknown_argument",
        "SelfAttentionV2",
        "calls the argument of nn.Linear qkv_bias, which it does not know",
        (("W_query = nn.Linear(d_in, d_out, bias=", "W_query = nn.Linear(d_in, d_out, qkv_bias="),),
        hint=Hint(
            look=(
                "Read the last line of the error message: which class complains, and about which "
                "name?"
            ),
            think=(
                "The same thing has two names here: one that the users of your class know, and one "
                "that nn.Linear knows. Which of them stands on which side of an equals sign in a "
                "call?"
            ),
            nearly=(
                "Look at the calls of nn.Linear. Left of the equals sign belongs the name that "
                "nn.Linear itself gives to that argument."
            ),
        ),
    ),
    Misconception(
        "dims_swapped",
        "SelfAttentionV2",
        "makes layers that lead from d_out to d_in",
        (
            ("W_query = nn.Linear(d_in, d_out", "W_query = nn.Linear(d_out, d_in"),
            ("W_key = nn.Linear(d_in, d_out", "W_key = nn.Linear(d_out, d_in"),
            ("W_value = nn.Linear(d_in, d_out", "W_value = nn.Linear(d_out, d_in"),
        ),
        hint=Hint(
            look=(
                "Print the layer W_query of SelfAttentionV2(3, 2). What does it say for "
                "`in_features` and `out_features`?"
            ),
            think=(
                "A layer takes tokens of d_in features and gives vectors of d_out features. It "
                "stores its weight transposed by itself; is that any business of the one who makes "
                "it?"
            ),
            nearly=(
                "Look at the order of the two sizes in your calls of nn.Linear: what comes in "
                "stands first."
            ),
        ),
    ),
    Misconception(
        "no_values",
        "SelfAttentionV2",
        "mixes the tokens themselves, without values",
        (("weights @ values", "weights @ x"),),
        hint=IDLE_MATRIX,
    ),
    Misconception(
        "relu_on_values",
        "SelfAttentionV2",
        "sets negative values to 0, as a relu does",
        (("weights @ values", "weights @ torch.relu(values)"),),
        hint=VALUES_BENT,
    ),
    Misconception(
        "values_are_keys",
        "SelfAttentionV2",
        "mixes the keys; the values lie idle",
        (("weights @ values", "weights @ keys"),),
        hint=IDLE_MATRIX,
    ),
    Misconception(
        "layers_in_forward",
        "SelfAttentionV2",
        "makes the values with new random numbers in every call, not with W_value",
        (("self.W_value(x)", "nn.Linear(x.shape[-1], keys.shape[-1]).to(x)(x)"),),
        hint=NOT_REGISTERED,
    ),
    Misconception(
        "value_in_list",
        "SelfAttentionV2",
        "the layer of the values is not registered",
        (
            (
                "self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)",
                "self.layers = [nn.Linear(d_in, d_out, bias=qkv_bias)]",
            ),
            ("self.W_value(x)", "self.layers[0](x)"),
        ),
        hint=NOT_REGISTERED,
    ),
    Misconception(
        "values_detached",
        "SelfAttentionV2",
        "cuts the values off from the gradient",
        (("self.W_value(x)", "self.W_value(x).detach()"),),
        hint=GRADIENT_CUT,
    ),
    Misconception(
        "weights_detached",
        "SelfAttentionV2",
        "cuts the weights off from the gradient",
        (("weights @ values", "weights.detach() @ values"),),
        hint=GRADIENT_CUT,
    ),
    Misconception(
        "keys_detached",
        "SelfAttentionV2",
        "cuts the keys off from the gradient",
        (("keys.transpose", "keys.detach().transpose"),),
        hint=GRADIENT_CUT,
    ),
    Misconception(
        "rand_weights",
        "SelfAttentionV2",
        "starts from numbers between 0 and 1, as SelfAttention does, not as nn.Linear does",
        (
            (
                "self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)",
                (
                    "self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)\n"
                    "        for layer in (self.W_query, self.W_key, self.W_value):\n"
                    "            nn.init.uniform_(layer.weight)"
                ),
            ),
        ),
        hint=START_VALUES,
    ),
    Misconception(
        "output_layer",
        "SelfAttentionV2",
        "adds an output layer, which nobody asked for",
        (
            ("self.W_value = ", "self.W_out = nn.Linear(d_out, d_out)\n        self.W_value = "),
            ("return weights @ values", "return self.W_out(weights @ values)"),
        ),
        hint=OUTPUT_LAYER,
    ),
    Misconception(
        "dropout",
        "SelfAttentionV2",
        "drops weights, which nobody asked for yet",
        (("return weights @", "return nn.functional.dropout(weights, 0.1) @"),),
        hint=DROPOUT,
    ),
    Misconception(
        "scale_after",
        "SelfAttentionV2",
        "divides by sqrt(d_out) after the softmax, not before it",
        (
            (
                "scores / math.sqrt(keys.shape[-1]), dim=-1)",
                "scores, dim=-1) / math.sqrt(keys.shape[-1])",
            ),
        ),
        hint=SCALED_AFTER_SOFTMAX,
    ),
    Misconception(
        "bias_inverted",
        "SelfAttentionV2",
        "takes qkv_bias the wrong way round",
        (
            (
                "self.W_query = nn.Linear(d_in",
                "qkv_bias = not qkv_bias\n        self.W_query = nn.Linear(d_in",
            ),
        ),
        hint=BIAS_OF_THE_LAYERS,
    ),
    Misconception(
        "no_root",
        "SelfAttentionV2",
        "divides by d_out in all, not by its root",
        (("math.sqrt(keys.shape[-1])", "keys.shape[-1]"),),
        hint=WRONG_DIVISOR,
    ),
    Misconception(
        "scale_multiplied",
        "SelfAttentionV2",
        "multiplies by sqrt(d_out)",
        (("/ math.sqrt", "* math.sqrt"),),
        hint=WRONG_DIVISOR,
    ),
    Misconception(
        "dropout_in_training",
        "SelfAttentionV2",
        "drops weights in training, which nobody asked for yet",
        (("return weights @", "return nn.functional.dropout(weights, 0.1, self.training) @"),),
        hint=DROPOUT,
    ),
    Misconception(
        "squeezed_front",
        "SelfAttentionV2",
        "drops a first dimension of size 1: a batch of one sentence loses it",
        (("return weights @ values", "return (weights @ values).squeeze(0)"),),
        hint=SHAPE_OF_THE_RESULT,
    ),
    Misconception(
        "argument_renamed",
        "SelfAttentionV2",
        "has another name for the argument qkv_bias",
        (
            ("qkv_bias: bool = False", "bias: bool = False"),
            (
                "W_query = nn.Linear(d_in, d_out, bias=qkv_bias)",
                "W_query = nn.Linear(d_in, d_out, bias=bias)",
            ),
            (
                "W_key = nn.Linear(d_in, d_out, bias=qkv_bias)",
                "W_key = nn.Linear(d_in, d_out, bias=bias)",
            ),
            (
                "W_value = nn.Linear(d_in, d_out, bias=qkv_bias)",
                "W_value = nn.Linear(d_in, d_out, bias=bias)",
            ),
        ),
        hint=ARGUMENT_NAME,
    ),
    Misconception(
        "bias_not_on_queries",
        "SelfAttentionV2",
        "the layer of the queries never has a bias",
        (
            (
                "W_query = nn.Linear(d_in, d_out, bias=qkv_bias)",
                "W_query = nn.Linear(d_in, d_out, bias=False)",
            ),
        ),
        hint=BIAS_OF_THE_LAYERS,
    ),
    Misconception(
        "bias_not_on_keys",
        "SelfAttentionV2",
        "the layer of the keys never has a bias",
        (
            (
                "W_key = nn.Linear(d_in, d_out, bias=qkv_bias)",
                "W_key = nn.Linear(d_in, d_out, bias=False)",
            ),
        ),
        hint=BIAS_OF_THE_LAYERS,
    ),
    Misconception(
        "bias_on_values",
        "SelfAttentionV2",
        "the layer of the values always has a bias",
        (("W_value = nn.Linear(d_in, d_out, bias=qkv_bias)", "W_value = nn.Linear(d_in, d_out)"),),
        hint=BIAS_OF_THE_LAYERS,
    ),
    Misconception(
        "query_bias_unused",
        "SelfAttentionV2",
        "computes the queries without the bias of W_query",
        (("self.W_query(x)", "x @ self.W_query.weight.T"),),
        hint=BIAS_UNUSED,
    ),
    Misconception(
        "biases_unused",
        "SelfAttentionV2",
        "computes queries, keys and values without the biases of the layers",
        (
            ("self.W_query(x)", "x @ self.W_query.weight.T"),
            ("self.W_key(x)", "x @ self.W_key.weight.T"),
            ("self.W_value(x)", "x @ self.W_value.weight.T"),
        ),
        hint=BIAS_UNUSED,
    ),
    Misconception(
        "weights_of_all",
        "SelfAttentionV2",
        "averages the weights over the sentences of a batch",
        (
            (
                "return weights @ values",
                "return (weights if x.dim() == 2 else weights.mean(dim=0, keepdim=True)) @ values",
            ),
        ),
        hint=SENTENCES_MIXED,
    ),
    Misconception(
        "out_proj",
        "SelfAttentionV2",
        "adds an output layer, which nobody asked for",
        (
            (
                "        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)",
                (
                    "        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)\n        "
                    "self.out_proj = nn.Linear(d_out, d_out)"
                ),
            ),
            ("return weights @ values", "return self.out_proj(weights @ values)"),
        ),
        hint=OUTPUT_LAYER,
    ),
    Misconception(
        "out_proj_without_bias",
        "SelfAttentionV2",
        "adds an output layer, which nobody asked for",
        (
            (
                "        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)",
                (
                    "        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)\n        "
                    "self.out_proj = nn.Linear(d_out, d_out, bias=False)"
                ),
            ),
            ("return weights @ values", "return self.out_proj(weights @ values)"),
        ),
        hint=OUTPUT_LAYER,
    ),
    Misconception(
        "returns_weights_behind",
        "SelfAttentionV2",
        "returns the weights as well, behind the context",
        (("return weights @ values", "return weights @ values, weights"),),
        hint=WRONG_RETURN,
    ),
    Misconception(
        "queries_twice",
        "SelfAttentionV2",
        "compares queries with queries; W_key lies idle",
        (("queries @ keys.transpose", "queries @ queries.transpose"),),
        hint=IDLE_MATRIX,
    ),
    Misconception(
        "batch_unpacked",
        "SelfAttentionV2",
        "unpacks three sizes, so that a single sentence fails",
        (
            (
                "        queries = ",
                "        _batch, _tokens, _features = x.shape\n        queries = ",
            ),
        ),
        hint=SIZES_UNPACKED,
    ),
    Misconception(
        "view_of_input",
        "SelfAttentionV2",
        "uses view, which fails for an x that is not contiguous",
        (
            (
                "        queries = ",
                "        x = x.view(-1, x.shape[-1]).view(x.shape)\n        queries = ",
            ),
        ),
        hint=VIEW_FAILS,
    ),
    Misconception(
        "not_transposed",
        "SelfAttentionV2",
        "multiplies the queries by keys that are not transposed",
        (("keys.transpose(-2, -1)", "keys"),),
        hint=NOT_TRANSPOSED,
    ),
    Misconception(
        "factors_exchanged",
        "SelfAttentionV2",
        "multiplies the values by the weights, not the weights by the values",
        (("weights @ values", "values @ weights"),),
        hint=FACTORS_EXCHANGED,
    ),
    Misconception(
        "layer_as_matrix",
        "SelfAttentionV2",
        "multiplies by the layers like matrices",
        (
            ("self.W_query(x)", "x @ self.W_query"),
            ("self.W_key(x)", "x @ self.W_key"),
            ("self.W_value(x)", "x @ self.W_value"),
        ),
        hint=PARAMETER_IS_NO_LAYER,
    ),
    Misconception(
        "float32_softmax",
        "SelfAttentionV2",
        "one factor of a product is always float32: the product with float64 fails",
        (("dim=-1)", "dim=-1, dtype=torch.float32)"),),
        hint=FLOAT32,
    ),
    Misconception(
        "float32_softmax_in_einsum",
        "SelfAttentionV2",
        "one factor of a product is always float32: the product with float64 fails",
        (
            ("dim=-1)", "dim=-1, dtype=torch.float32)"),
            ("weights @ values", 'torch.einsum("...ij,...jd->...id", weights, values)'),
        ),
        hint=FLOAT32,
    ),
    Misconception(
        "softmax_dim2",
        "SelfAttentionV2",
        "needs a dimension 2, which a single sentence does not have",
        (("dim=-1", "dim=2"),),
        hint=DIMENSION_2,
    ),
    Misconception(
        "no_softmax",
        "SelfAttentionV2",
        "mixes the values with the raw scores",
        (
            (
                "torch.softmax(scores / math.sqrt(keys.shape[-1]), dim=-1)",
                "scores / math.sqrt(keys.shape[-1])",
            ),
        ),
        hint=WEIGHTS_ARE_NO_SHARES,
    ),
    Misconception(
        "keys_twice",
        "SelfAttentionV2",
        "compares keys with keys; W_query lies idle",
        (("queries @ keys", "keys @ keys"),),
        hint=IDLE_MATRIX,
    ),
    Misconception(
        "values_are_queries",
        "SelfAttentionV2",
        "mixes the queries; the values lie idle",
        (("weights @ values", "weights @ queries"),),
        hint=IDLE_MATRIX,
    ),
    Misconception(
        "returns_weights_too",
        "SelfAttentionV2",
        "returns the weights as well",
        (("return weights @ values", "return weights, weights @ values"),),
        hint=WRONG_RETURN,
    ),
    Misconception(
        "no_argument",
        "SelfAttentionV2",
        "does not take the argument qkv_bias",
        (
            (", qkv_bias: bool = False", ""),
            (
                "W_query = nn.Linear(d_in, d_out, bias=qkv_bias)",
                "W_query = nn.Linear(d_in, d_out, bias=False)",
            ),
            (
                "W_key = nn.Linear(d_in, d_out, bias=qkv_bias)",
                "W_key = nn.Linear(d_in, d_out, bias=False)",
            ),
            (
                "W_value = nn.Linear(d_in, d_out, bias=qkv_bias)",
                "W_value = nn.Linear(d_in, d_out, bias=False)",
            ),
        ),
        hint=ARGUMENT_NAME,
    ),
    Misconception(
        "batch_always_anew",
        "SelfAttentionV2",
        "returns everything with one more dimension in front",
        (("        queries = ", "        x = x.unsqueeze(0)\n        queries = "),),
        hint=SHAPE_OF_THE_RESULT,
    ),
    Misconception(
        "scale_shape_0",
        "SelfAttentionV2",
        "divides by the root of dimension 0: T for a sentence, B for a batch",
        (("keys.shape[-1]", "keys.shape[0]"),),
        hint=DIVISOR_FROM_WRONG_SIZE,
    ),
    Misconception(
        "scale_shape_2",
        "SelfAttentionV2",
        "takes the size of a dimension 2, which a single sentence does not have",
        (("keys.shape[-1]", "keys.shape[2]"),),
        hint=DIVISOR_FROM_WRONG_SIZE,
    ),
]
