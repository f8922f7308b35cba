"""Wrong solutions of causal_attention, as students write them."""

from autograder.misconceptions import Hint, Misconception

PAST_HIDDEN = Hint(
    look="Print the weights for four tokens, without dropout. How many numbers other than 0 "
    "has row 0, and how many has the last row?",
    think="Row i says whom token i looks at. Token 0 stands at the beginning: how many tokens "
    "may it see, and how many may the last one see?",
    nearly="`tril` and `triu` keep the two opposite sides of the diagonal. Draw your mask for "
    "four tokens on paper, and mark which side it hides.",
)

DIAGONAL_HIDDEN = Hint(
    look="Print the weights for three tokens. Which row is `nan`? Count how many places your "
    "mask leaves open in that row.",
    think="Token t looks at tokens 0 to t, itself included. Whom does that leave for token 0?",
    nearly="The argument `diagonal` of `tril` and `triu` moves the border of the triangle. Find "
    "out on a small matrix of ones on which side of the border the diagonal itself lands "
    "in yours.",
)

SEES_NEXT = Hint(
    look="Print the weights for four tokens, without dropout, and count in each row the "
    "numbers that are not 0. The counts should be 1, 2, 3, 4. What are yours?",
    think="Each row has one open place too many, except the last. Which token is this extra "
    "one, seen from the row's own token?",
    nearly="The border of your triangle lies one step too far to the right. Look at the argument "
    "`diagonal` where the mask is made.",
)

NO_MASK = Hint(
    look="Print the weights for three tokens, without dropout. Which numbers stand right of "
    "the diagonal?",
    think="The softmax knows only the scores that are handed to it. Do these scores know "
    "anything about the future being hidden?",
    nearly="Follow the scores from the line that makes them to the softmax. `masked_fill` does "
    "not change a tensor, it returns a new one: is it called, and is it this new tensor "
    "that arrives in the softmax?",
)

FUTURE_SCORES_ZERO = Hint(
    look="Make all queries and keys zero, so that every score is 0. (In a head, layers with "
    "weights of 0 do this.) Token 0 should keep its whole attention for itself. What does "
    "row 0 of your weights show?",
    think="The softmax takes e to the power of each score. Which share comes out of a score of "
    "0, and which score would give a share of exactly 0?",
    nearly="Print what goes into the softmax, right of the diagonal. It is 0, or so small (1e-9 "
    "is a billionth) that it counts as 0. The future needs another number there.",
)

TOO_LITTLE_OFF = Hint(
    look="Make a sentence in which a later token's score is 300 higher than all scores before it. "
    "Which weight does that token get in the rows above its own?",
    think="A number that is taken off leaves the order of scores as it was when they lie further "
    "apart than that number. How far apart can scores be?",
    nearly="Do not lower the future's scores by a fixed amount: put something in their place that "
    "no score can ever be below.",
)
FILL_TOO_HIGH = Hint(
    look=(
        "Make an example in which every score is -900: d = 1, all queries 30, all keys "
        "-30. (In a head: tokens of 30, layers with the weights 1 and -1.) If you fill "
        "in a number below that, take longer queries. How much of row 0 goes to the "
        "future?"
    ),
    think="The softmax compares the scores of a row with each other. What happens to a fill "
    "value when all the others in the row are as low, or lower?",
    nearly="Your mask stands in the right place; look at the number that it fills in. Is there a "
    "value that lies below every score there can ever be?",
)

SOFTMAX_THEN_ZEROS = Hint(
    look="Add up each row of your weights, without dropout. Which is the only row that is sure "
    "to give 1?",
    think="The softmax has shared out the whole 1 before your zeros arrive. Where has the part "
    "gone that the future had already received?",
    nearly="Look at the order of two steps: hiding the future and the softmax. If the scores of "
    "the future cannot win a share in the first place, nothing is lost.",
)

SCORES_TRANSPOSED = Hint(
    look="Make all keys equal while the queries differ. No key is then better than another, so "
    "each row should hold equal shares. (In a module, weights of 0 and a bias make equal "
    "keys.) What do your rows show?",
    think="Row i of the scores belongs to the query of token i, column j to the key of token j. "
    "In a matrix product, which factor gives the rows?",
    nearly=(
        "Look at the product that makes the scores: which of the two stands on the "
        "left, and which is transposed? And are both what their names say?"
    ),
)

EXP_OVERFLOWS = Hint(
    look="Make a score of 100: d = 1, and all queries and keys 10. What stands in your "
    "weights? Then print `torch.exp` of 100 as a float32.",
    think="A float32 ends near 3.4e38, and e to the power of 89 is already larger. What is "
    "infinity divided by infinity?",
    nearly="Your own softmax is right on paper, but takes e to the power of the scores as they "
    "come. PyTorch's softmax avoids large powers; you may use it.",
)

SOFTMAX_OVER_QUERIES = Hint(
    look="Add up each row of your weights, without dropout, and then each column. Which of the "
    "two sums are 1?",
    think="Each query shares out its attention among the keys, and one row belongs to one "
    "query. Along which direction must the shares add up to 1?",
    nearly="The softmax is told a `dim`, the one along which it adds up. The keys lie side by "
    "side within a row: which `dim` runs there, and which do you give?",
)

SOFTMAX_OVER_BATCH = Hint(
    look="Run a batch of only one sequence, without dropout, and print the weights. Which "
    "numbers stand left of the diagonal, and which right of it?",
    think="A softmax makes numbers add up to 1 along one dimension. Which numbers seem to be "
    "competing here: keys of one query, or sequences of one batch?",
    nearly="Check the `dim` of your softmax. Left to guess, `nn.Softmax` takes dimension 0 here, "
    "and dimension 0 counts the sequences. Where do the keys lie?",
)

NOT_SCALED = Hint(
    look="Work out by hand the product of one query and one key, for d = 4, and print the "
    "score your code hands to the softmax. Are the two equal?",
    think="Products of long vectors become large, and then one key takes nearly everything. "
    "What does the published formula do to the scores about that?",
    nearly="One step is missing between the product of queries and keys and the softmax. The "
    "formula in the text shows which, and it needs the size of one query.",
)

WRONG_ROOT = Hint(
    look="Take the example that the text works out by hand, with d = 4, and print your scores. "
    "A product of 10 should become 5. What does it become?",
    think="10 divided by your divisor gives the score you see. Which number do you divide by, "
    "and which one does the formula ask for when d is 4?",
    nearly=(
        "Follow a score through every division on its way to the softmax. What it is "
        "divided by in all is not what the formula says: read that part again, sign by "
        "sign."
    ),
)

SCALED_UP = Hint(
    look="Choose d = 4. Work out one product of a query and a key by hand, and print the score "
    "that goes into the softmax. Which of the two is larger?",
    think="The scaling is there to keep scores small, so that one key does not take everything. "
    "Does yours make them smaller or larger?",
    nearly="You use the right number, the root of d. Look at what you do with it: multiply or "
    "divide, or, if you write it as a power, the sign of the exponent.",
)

ROOT_OF_TOKENS = Hint(
    look="Run a sequence of four tokens, and then its first two tokens alone, without dropout. "
    "Compare row 1 of the weights. Is it the same both times?",
    think="What token 1 sees does not depend on how many tokens follow. Which size in your code "
    "changes when the sequence gets shorter?",
    nearly="Print the number whose root you take. It counts tokens; the formula wants the number "
    "of features of one query or key. Which dimension holds those?",
)

ROOT_OF_TOKEN_FEATURES = Hint(
    look="Choose tokens with 32 features and a head of 16. Print the shapes of the tokens and "
    "of the queries, and the number that you divide by. Which of the sizes is behind it?",
    think="A score is a sum over the features of one query and one key. How many products are "
    "added up in it?",
    nearly="The root is taken of the features of a whole token, before the projection. Look at "
    "which tensor you read the size from.",
)

WEIGHTS_SCALED = Hint(
    look="Add up each row of your weights, for d = 4. Which number do you get, in every row?",
    think=(
        "A softmax hands out shares that add up to 1. What happens to the shares, or to"
        " what they mix, when you divide afterwards?"
    ),
    nearly="The root of d is meant to make the scores smaller, before they become shares. Look "
    "at the order of the scaling and the softmax.",
)

ALL_DIMENSIONS_TURNED = Hint(
    look="Give the function queries and keys of shape (2, 3, 5, 4), and print the shape of "
    "your transposed keys. You need (2, 3, 4, 5). Then try the shape (5, 4).",
    think="There may be any number of dimensions in front, and they must stay where they are. "
    "Which two have to trade places?",
    nearly="Your way of transposing suits one number of dimensions only. `transpose` takes two "
    "dimensions, and you may count them from the end.",
)

BATCH_TRANSPOSED = Hint(
    look="Choose different sizes for batch, tokens and features, say 2, 5 and 4, and print the "
    "shape of your keys before and after you transpose. Where has the batch gone?",
    think="Sequences must not influence each other, so each keeps its own matrix of scores. "
    "Which two dimensions may trade places, and which must stay in front?",
    nearly="Look at how the keys are transposed. You need one matrix per sequence turned over, "
    "not the whole stack: tokens and features trade places.",
)

WEIGHTS_CUT_OFF = Hint(
    look="Call `out.sum().backward()` and then print `.weight.grad` of the three layers. Which "
    "ones are None?",
    think="Only a layer that receives a gradient can learn. On its way back from the result to "
    "queries and keys, what does the gradient have to pass through?",
    nearly="Look at the weights in the last product. Something there takes them out of the "
    "gradient, so that it arrives at the values only.",
)

INPUT_OVERWRITTEN = Hint(
    look="Keep a clone of what you hand over, call your code, and compare the two afterwards. "
    "Have the numbers changed?",
    think="The tensor belongs to the caller, who may need it again. Which of your operations "
    "make a new tensor, and which write into the one they were given?",
    nearly=(
        "An assignment such as `/=`, or a method whose name ends in `_`, writes into "
        "the tensor itself. Find the one you use, and let it work on something that is "
        "your own, such as the scores."
    ),
)

INPUT_CENTRED = Hint(
    look="Keep a clone of x, call your code, and compare the two. What is the mean of each "
    "token afterwards?",
    think="There are two questions here: who does x belong to, and does the text ask anywhere "
    "for the mean to be taken away?",
    nearly=(
        "One of your steps writes into x, as `-=` does. The queries, keys and values "
        "should be made from the tokens as they come."
    ),
)

MASK_STAYS_ON_CPU = Hint(
    look=(
        'Move everything that you hand over to `device="meta"`, a device for rehearsals that '
        "needs no graphics card. Which two devices does the error message name?"
    ),
    think=(
        "PyTorch can only combine tensors that are in the same place. Where do yours come from, "
        "and where is the one you make yourself?"
    ),
    nearly=(
        "A new tensor is made on the CPU unless you say otherwise. Look at each line that makes "
        "one, that of the mask first: how could it learn where the others are?"
    ),
)

LOST_DIGITS = Hint(
    look="Hand over the example from the text in float64 (`.double()`), and print row 1 with "
    "ten digits. It should begin with 0.7310585786. How many digits agree?",
    think="Who hands over precise numbers expects precise numbers back. At which step do yours "
    "become coarser?",
    nearly=(
        "The formula is right. Look all along the way from the scores to the weights, "
        "and before it, for a rounding or for a type of number that is narrower than "
        "the one you were given."
    ),
)

VALUES_IDLE = Hint(
    look="Set the weights of the value layer to 0, and its bias too if it has one. Every "
    "result should then be 0. What do you get?",
    think="A token may hand over something other than what it is found by. Which layer decides "
    "what it hands over?",
    nearly="Look at what is mixed by the weights in the last product. Where does this tensor "
    "come from, and has it been through the value layer?",
)

KEYS_ARE_QUERIES = Hint(
    look="Print the scores before the mask, and compare row 1, column 2 with row 2, column 1, "
    "then other such pairs. What do you notice?",
    think="What a token looks for and what it offers are two different things. When would i "
    "score for j exactly what j scores for i?",
    nearly=(
        "What the queries meet in the product comes from the same weights as they do. "
        "Check which layer makes it, and that W_key, or k_proj, is a layer of its own."
    ),
)

LAYERS_MADE_ANEW = Hint(
    look="Call it twice with the same input, without dropout, and compare the two results. Are "
    "they equal?",
    think="A layer that is made during the call starts with random weights each time, and is "
    "forgotten afterwards. Can it ever be trained?",
    nearly=(
        "Find the place in the calculation where an `nn.Linear` is born, or weights are"
        " drawn. Which layers exist already before the call, and wait there to be used?"
    ),
)

RELU_ON_SCORES = Hint(
    look="Print the scores as you make them, before the mask, and then what goes into the "
    "softmax. What has become of the negative numbers?",
    think='A score may be any number: a negative one says "less than others". What does the '
    "softmax lose if all of these become 0? And may -inf become 0?",
    nearly="Somewhere between the product and the softmax, a function cuts off everything below "
    "0. The softmax needs no such help: its results are never negative.",
)

RETURN_MISMATCH = Hint(
    look="Print the type of what your function returns, and the shape of each thing in it, for "
    "2 sequences of 5 tokens. Which shape comes first, and is one missing?",
    think="Whoever calls your function takes the result apart by position. What do they expect "
    "to find in each place?",
    nearly="The calculation is right. Compare your return line with the last sentence of the "
    "docstring: how many tensors, and in which order?",
)

SEQUENCES_MEET = Hint(
    look="Run two different sequences as a batch, and then the second one alone, without "
    "dropout. Does it get the same result both times?",
    think="The sequences of a batch share a tensor, but must not influence each other. Each has "
    "its own scores and its own weights.",
    nearly="Somewhere between the scores and the last product the batch dimension is lost: only "
    "one sequence is picked out, or an average is taken. Look at the shape after each "
    "step.",
)

MASK_NO_BUFFER = Hint(
    look="Build the module and print the names in its `state_dict()`. Is the mask among them?",
    think="`module.to(device)` takes along only what the module knows to be its own. Does it "
    "know about your mask, or is the mask an ordinary attribute, or made in `forward`?",
    nearly="The text names a method of the module that takes a name and a tensor. It belongs in "
    "`__init__`, where the mask is made once; `forward` only reads it.",
)

WRONG_CORNER = Hint(
    look="With context_length 6, run four tokens and print the piece of the mask that "
    "`forward` cuts out. How many places are open in its first row?",
    think="In row 0 only place 0 should be open, in row 1 the places 0 and 1, and so on. In "
    "which corner of the large mask do you find this piece?",
    nearly="Look at the two slices that cut the mask. Both a sequence's rows and its columns "
    "begin with token 0: does one of your slices count from the end?",
)

T_FROM_WRONG_AXIS = Hint(
    look="Give `forward` an x whose three sizes all differ, say 2 sequences of 5 tokens with 3 "
    "features. Print your T. Is it 5?",
    think="x has the shape (B, T, d_in). Which of these sizes says how much of the mask is needed?",
    nearly="Look at the line that reads T from the shape of x. Count the dimensions from 0, and "
    "find the place of the tokens.",
)

DROPOUT_BEFORE_SOFTMAX = Hint(
    look="In training, with a dropout of 0.5, give the module a sequence of one single token, "
    "many times. It should get 0 or twice its own value. What does it get?",
    think="Whatever you drop before the softmax, the softmax makes the rest of the row add up "
    "to 1 again. The text says that a row should no longer add up to 1 afterwards.",
    nearly="Look at the order of softmax and dropout. What is to be dropped is a finished share, "
    "not a score.",
)

DROPOUT_ELSEWHERE = Hint(
    look="In training, with a dropout of 0.5, print the result of token 0 several times, with "
    "at least 4 features. It should be all 0 or exactly twice its own value. Is it?",
    think="One weight decides for all the features of a value at once, and is dropped once. "
    "What does it tell you if features vanish one by one, or take other multiples?",
    nearly="Find every place where dropout is applied, and print the shape of what goes in. It "
    "should happen once, to the tensor that says who looks at whom.",
)

NOTHING_DROPPED = Hint(
    look=(
        "Build the module with a dropout of 0.5 and print, in training, the weights with which "
        "you mix the values. About half of those of the past should be exactly 0. Which are in "
        "yours?"
    ),
    think=(
        "A dropped weight is 0. Does a score of 0 lead to a weight of 0? And what if the dropout "
        "is made, with whatever `p`, and nobody goes on with what it gives back?"
    ),
    nearly=(
        "Print the module and read the `p` of its dropout. Then look in `forward`: is the "
        "dropout called, does it get the finished weights, and is its result what you mix with?"
    ),
)

WRONG_P = Hint(
    look="Build the module with a dropout of 0.1 and print it. Which `p` does the line of the "
    "dropout show?",
    think="`p` is the probability with which a weight is set to 0. Which of the numbers given "
    "to your module has the same meaning?",
    nearly="Look at the brackets of `nn.Dropout` in `__init__`. Without a number it takes 0.5, "
    "and it asks for the share that is lost, not for the one that is kept.",
)

DROPPED_IN_GROUPS = Hint(
    look="In training, with a dropout of 0.5, print the weights after dropout for a batch of "
    "two sequences. Do the dropped ones fill whole columns or rows, or stand in the same "
    "places in both sequences?",
    think="Each weight is dropped by itself. How many separate draws does that take for B "
    "sequences of T tokens, and how many do you make?",
    nearly="Look at the shape of the tensor that goes into the dropout. Where one of its sizes "
    "is 1, a single draw serves for many weights.",
)

DROPS_AFTER_EVAL = Hint(
    look="Build the module with a dropout of 0.5, call `eval()`, and run the same input twice. "
    "Are the results equal?",
    think="`eval()` tells the module and the layers it owns that training is over. Who drops in "
    "your code, and does it hear of this?",
    nearly="A function that drops, or a dropout that is born in `forward`, is not told about "
    "`eval()`. Which kind of dropout belongs to the module from `__init__` on?",
)

BIAS_NOT_ASKED = Hint(
    look=(
        "Build the module without a word about the bias, then with `qkv_bias=True` and with "
        "`qkv_bias=False`, and print all three. What does each of the layers say about its bias?"
    ),
    think=(
        "The caller decides, for all three layers alike, and who is silent gets no bias. Does "
        "this decision reach each of the layers?"
    ),
    nearly=(
        "Look at two places: the default in the first line of `__init__`, and the argument "
        "`bias` of the three calls of `nn.Linear`, which is True if you leave it out."
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
        "If you mean the exponent one half, see that all of it stands in the exponent. "
        "A pair of parentheses, or a decimal number, or a function for roots makes "
        "clear what belongs together."
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

NOT_REGISTERED = Hint(
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

ORDER_OF_LAYERS = Hint(
    look=(
        "Set a seed, make one `nn.Linear`, and print its weight. Set the same seed, build "
        "your module, and print the weights of its layers. Which layer has got these numbers?"
    ),
    think=(
        "Each layer draws its start values when it is made, one after the other. What decides "
        "which layer gets the first numbers?"
    ),
    nearly=(
        "Go through `__init__` from top to bottom and compare the order of the layers with "
        "the statement."
    ),
)

MASK_CUT_FOR_GOOD = Hint(
    look=(
        "Build the module for six tokens, run two, and then print `mask.shape` of the module. "
        "Is it still six by six?"
    ),
    think=(
        "The next sequence may be longer than this one. Whose is the piece that you cut out: "
        "the module's, or this call's?"
    ),
    nearly=(
        "Look at what stands left of the equals sign where you cut the mask. A piece for one "
        "call needs a name for one call only."
    ),
)

MASK_IS_PARAMETER = Hint(
    look=(
        "Print the names in `named_parameters()`. Is anything among them that training should "
        "leave alone?"
    ),
    think=(
        "The mask is moved and saved with the module, but it is neither trained nor counted "
        "as a weight. What does PyTorch call such a tensor?"
    ),
    nearly=(
        "Look at how you keep the mask in `__init__`. The text names a method that takes a "
        "name and a tensor, and makes no parameter."
    ),
)

MASK_IN_TRAINING_ONLY = Hint(
    look=(
        "Call `eval()`, change the last token of a sequence, and compare the results of the "
        "first token. Do they stay the same?"
    ),
    think=(
        "A token must not see its future, in training or later. Which step of yours asks for "
        "`training`?"
    ),
    nearly=(
        "Only one thing differs between training and evaluation here, and it is not the mask. "
        "Look at the condition under which you mask."
    ),
)

LAYER_TOO_MANY = Hint(
    look=("Print the module. Which layers does it list that the statement does not name?"),
    think=(
        "The results are mixtures of the values. With all values equal to v, every result "
        "should be v: what comes after the mixture in your module?"
    ),
    nearly=(
        "Look at the end of `forward`. Some attention modules have one more projection there; "
        "this exercise does not."
    ),
)

SOFTMAX_BY_HAND_LEFT_EMPTY = Hint(
    look=(
        "Take two tokens whose scores are far apart, such as 0 and 200 for the query of token "
        "1 and then the other way round. Is there a row in which every exponential is 0?"
    ),
    think=(
        "The number that you take away from a row makes its largest exponential 1. Is your "
        "number the largest of this row, among the scores that remain?"
    ),
    nearly=(
        "Look at where you take the maximum: along which dimension, and before the mask or "
        "after it?"
    ),
)

BIAS_UNUSED = Hint(
    look=(
        "Give the three layers a bias that is not 0 and feed in tokens of zeros. Each "
        "projection should be its bias. Which one is 0?"
    ),
    think=(
        "A linear layer multiplies by a matrix and then adds a vector. What gets lost if you "
        "take only its matrix?"
    ),
    nearly=(
        "Look at how queries, keys and values are made. Is each of the three layers called as "
        "a whole?"
    ),
)

DIVIDED_BY_D = Hint(
    look=(
        "Print one score, and the product of its query and its key as the layers gave them. By "
        "which number has it been divided? For a head of 4 features it should be 2."
    ),
    think=(
        "The product of two numbers that are both divided by r is divided by r twice. By what "
        "should a score be divided?"
    ),
    nearly=(
        "Find every division that a score goes through. Is a root forgotten, or does one fall on "
        "the queries and another one on the keys?"
    ),
)

MIXTURE_WITHOUT_MASK = Hint(
    look=(
        "Set the values of all tokens but the last to 0. Only the last token may have a "
        "result that is not 0. Is that so in yours?"
    ),
    think=(
        "You return weights that hide the future. Are these also the weights with which you mix?"
    ),
    nearly=(
        "There are two sets of weights in your code, with a mask and without one. Look which "
        "of them meets the values."
    ),
)

VALUES_ADDED_AGAIN = Hint(
    look=(
        "Let all tokens have the same value. Every mixture is then that value; what is your result?"
    ),
    think=("The result of a head is an average of values. Is anything added to it in your code?"),
    nearly=(
        "Look at the last sum. Adding the input of a branch back is a matter for a whole "
        "block, not for a head."
    ),
)

EMPTY_ROW = Hint(
    look=(
        "Print row 0 of the weights. Token 0 can look at itself only, so what should stand there?"
    ),
    think=(
        "A token sees itself and those before it. How far from the diagonal does the future begin?"
    ),
    nearly=(
        "Zeros in place of `nan`, such as `nan_to_num` gives, only cover up that "
        "nothing was left in a row. Look at the cut of the mask: on which side of it "
        "does the diagonal lie?"
    ),
)

FUTURE_TOOK_ALL = Hint(
    look=(
        "Let the query of token 0 fit the key of token 1 far better than its own: scores of 0 "
        "and 200. What is row 0 of your weights?"
    ),
    think=(
        "Exponentials are compared with that of the largest score. If this one belongs to the "
        "future, what is left of the past after rounding?"
    ),
    nearly=(
        "Look at the order of your steps. Before anything is shared out, and before a largest "
        "score is taken, the future has to be hidden."
    ),
)

LOGARITHM = Hint(
    look="Print the row of weights of token 0. It can look at itself only, so its one weight "
    "should be 1. Which number stands there, and is any number below 0?",
    think="A share lies between 0 and 1, and its logarithm is never above 0. Which of the two is "
    "asked for?",
    nearly=(
        "PyTorch has a softmax and a relative of it for losses, which goes one step "
        "further. Read the name of the function that you call, or look for a logarithm "
        "behind it."
    ),
)

ZERO_SCORES_HIDDEN = Hint(
    look="Let the query of token 1 be at right angles to the key of token 0, so that their score "
    "is exactly 0. Which weight does token 0 get in row 1?",
    think="A score of 0 is a score like any other. How does your code tell a hidden place from a "
    "visible one?",
    nearly="Ask the positions which places are hidden, not the scores: make the triangle from a "
    "matrix of ones, and compare that one with 0.",
)

COLUMN_MAXIMUM = Hint(
    look="Add up each row of the exponentials before you divide, and print what you have "
    "subtracted from each score. Is it the same number within a row?",
    think="A softmax stays the same if one number is subtracted from a whole row. What happens if "
    "it is another number for each key?",
    nearly="Look at the dimension along which you take the maximum. The shares of one row are "
    "compared with each other, so that row needs one maximum.",
)

THREE_DIMENSIONS_ONLY = Hint(
    look="Call the function with shapes (4, 3), (2, 4, 3) and (2, 5, 4, 3) for queries and keys. "
    "Which of the three calls fails, and in which line?",
    think="There may be none, one or two dimensions in front, and nothing in the formula needs "
    "them. Which of your steps counts on exactly one?",
    nearly="Look for a step that names all the dimensions, or asks for three. The last two can be "
    "counted from the end, and a plain matrix product leaves those in front alone.",
)

NOT_TRANSPOSED = Hint(
    look="Print the shapes of the two factors of your first product, for 5 tokens of 4 features. "
    "Which sizes meet in the middle?",
    think="A score compares a query with a key, feature by feature. Which size has to vanish in "
    "the product, and which shape do the scores get?",
    nearly="One of the two factors has to be turned so that its features lie where the product "
    "adds them up. The formula has a small letter for that.",
)

RESHAPED_NOT_TURNED = Hint(
    look="Print a small matrix of keys, such as 1 2 3 over 4 5 6, and what you make of it for the "
    "product. Does a key stand in a column?",
    think="Two tensors can have the same shape and hold their numbers in another order. Does your "
    "step move numbers, or only break the lines elsewhere?",
    nearly="`view` and `reshape` keep the order of the numbers. What you need exchanges two "
    "dimensions.",
)

VIEW_FAILS = Hint(
    look="Hand over `x.transpose(0, 1)` of a tensor x that you made with the two sizes exchanged. "
    "Which line fails, and what does its message advise?",
    think="The rules say that a tensor need not be contiguous in memory. Which of your operations "
    "needs that?",
    nearly="The rules name the operation that always works where yours fails. Or do without: "
    "is the step needed at all?",
)

NO_SOFTMAX_AT_ALL = Hint(
    look="Add up each row of what you return. Is the sum 1? And what stands right of the diagonal?",
    think="Scores say how well a key fits, and can be any number. Which function makes shares of "
    "them?",
    nearly="Follow the masked scores to the return line. One step of the formula is still missing.",
)

SUM_NOT_ONE = Hint(
    look="Add up each row of your weights, and print the sums with ten digits. Are they 1?",
    think="A row is its exponentials divided by their own sum, and nothing else. What else is in "
    "your divisor?",
    nearly="With the maximum subtracted, the sum is never below 1. So the divisor needs no help "
    "against 0.",
)

SIGMOID = Hint(
    look="Add up each row of your weights, for three tokens. Which sums do you get?",
    think="A softmax lets the keys of a row compete for one share of 1. Does anything compete in "
    "your function, or is each score looked at alone?",
    nearly="Look at the function that makes weights of scores. Another one of PyTorch's takes a "
    "whole row at a time.",
)

EXP_NOT_DIVIDED = Hint(
    look="Add up each row of your weights. Are these shares of a whole?",
    think="A softmax has two steps: exponentials, and then what? Compare with the example that "
    "the text works out by hand.",
    nearly="You take e to the power of the scores and stop there. Each row still has to be made "
    "to add up to 1.",
)

QUERIES_MEET_THEMSELVES = Hint(
    look="Fill all keys with other numbers and call the function again. Do the weights change?",
    think="A score compares what one token looks for with what another one offers. Which two "
    "tensors must meet in the product?",
    nearly="Read both factors of your first product once more. One of the two arguments does not "
    "come in.",
)

TOKENS_FROM_WRONG_AXIS = Hint(
    look="Call it with 2 sequences of 5 tokens with 3 features, and print the shape of your mask "
    "and that of the scores. Do they fit?",
    think="x has the shape (B, T, C). Which of these sizes says how large the mask must be?",
    nearly="Look at the line that reads the sizes of x, and count the dimensions from 0. Which "
    "one counts the tokens?",
)

DROPOUT_UNASKED = Hint(
    look="Call it twice with the same input. Are the results equal? And do the rows of the weights "
    "add up to 1?",
    think="Dropout sets random weights to 0 and makes the others larger. Does this exercise ask "
    "for it?",
    nearly="Look at what happens to the weights between the softmax and the last product.",
)

DROPOUT_WRITTEN_DOWN = Hint(
    look="Build the module with a dropout of 0.0, and again with 0.3, and print both. Which `p` "
    "does the line of the dropout show?",
    think="Whoever builds the module decides how much is dropped. How does this decision reach "
    "the dropout?",
    nearly="Look at the brackets of the dropout. A number stands there where one of the arguments "
    "of `__init__` should.",
)

WEIGHT_NOT_TURNED = Hint(
    look="Print `q_proj.weight.shape` for a layer from 7 features to 4, and compare it with the "
    "shape of x. Which sizes meet in your product?",
    think="A linear layer keeps its matrix with the outputs first, and it may have a bias too. Who "
    "knows best how to use both?",
    nearly="A layer can be called with the tokens, like a function. Then neither its matrix nor "
    "its bias needs your care.",
)

ARGUMENT_NAMES = Hint(
    look="Build the module with all its arguments by name, as the text writes them. Which name "
    "does the error message complain about?",
    think="Whoever calls your module may write `name=value`. Which names do they know?",
    nearly="Compare the first line of your `__init__` with the one you were given, word by word.",
)

SHARED_MATRIX = Hint(
    look="Add up each row of your weights, and then the whole matrix. Which of these sums is 1?",
    think="Each query has a whole 1 of its own to share out. How many queries have to live on the "
    "same 1 in your version?",
    nearly=(
        "All scores of a matrix share one softmax in your code. Along which dimension "
        "should it run, so that each row has its own?"
    ),
)

MASK_OF_WRONG_SIZE = Hint(
    look="Build the module with d_in 3, d_out 2 and context_length 6, and print the shape of its "
    "mask. Is it what you expected?",
    think="The mask says which positions may look at which. Does this depend on how many features "
    "a token has, or on how long a sequence may be?",
    nearly="Look at the sizes that you give to the mask in `__init__`. Which of the arguments "
    "stands for the longest sequence?",
)

MASK_MEANS_THE_OPPOSITE = Hint(
    look="Print what you hand over as a mask for four tokens. In how many places of row 0 does it "
    "say True?",
    think="`masked_fill` hides where a mask is True; another function may look where it is True. "
    "Which of them gets yours?",
    nearly="Read in PyTorch's documentation what True means in `attn_mask`, and compare it with "
    "the side of the diagonal on which yours is True.",
)

SELF_HIDDEN = Hint(
    look="Print the weights for three tokens, without dropout, and look at the diagonal. Which of "
    "its numbers are 0?",
    think="Token t looks at tokens 0 to t, itself included. Is this so for every token, or for "
    "token 0 alone?",
    nearly="If row 0 had to be mended, the border of the triangle lies one step too far to the "
    "left. Look at the diagonal where the mask is made.",
)

MASK_NOT_BOOLEAN = Hint(
    look="Print the dtype of your mask, and read the error message to its end. Which dtype does "
    "it ask for?",
    think="`masked_fill` wants to know for each place whether it is hidden: yes or no. What are "
    "0.0 and 1.0?",
    nearly="A comparison makes True and False of numbers, and so does another `dtype` where the "
    "mask is made.",
)

SCALED_IN_EVALUATION = Hint(
    look="Build the module with a dropout of 0.5, call `eval()`, and give it one single token. Is "
    "the result the token's value?",
    think="There are two ways to keep the average the same: to make the rest larger in training, "
    "or everything smaller in evaluation. Which one does the text describe?",
    nearly="Look at what your dropout does in each mode. In evaluation, the weights should leave "
    "it as they came.",
)

MASK_TRAINED = Hint(
    look="Print the names in `named_parameters()`, and count all the numbers that are "
    "trained. For d_in 3 and d_out 2, without a bias, there should be 18. How "
    "many do you have?",
    think="An optimiser changes every parameter. Should training be able to change who "
    "may look at whom?",
    nearly="The module should own the mask without training it. The text has a word for "
    "such a tensor, and a method that registers it.",
)


MISCONCEPTIONS: list[Misconception] = [
    Misconception(
        "mask_tril",
        "causal_weights",
        "masks the past in place of the future",
        ((".triu(diagonal=1)", ".tril(diagonal=-1)"),),
        hint=PAST_HIDDEN,
    ),
    Misconception(
        "fill_tiny",
        "causal_weights",
        "the future's scores are 0, or next to 0, which is a score like any other",
        (("-torch.inf", "-1e-9"),),
        hint=FUTURE_SCORES_ZERO,
    ),
    Misconception(
        "fill_minus10",
        "causal_weights",
        "fills the future with -10, which other scores reach too",
        (("-torch.inf", "-10.0"),),
        hint=FILL_TOO_HIGH,
    ),
    Misconception(
        "fill_minus20",
        "causal_weights",
        "fills the future with -20, which leaves it a share of 1e-9",
        (("-torch.inf", "-20.0"),),
        hint=FILL_TOO_HIGH,
    ),
    Misconception(
        "fill_minus100",
        "causal_weights",
        "fills the future with a number such as -100, and scores can be lower than that",
        (("-torch.inf", "-100.0"),),
        hint=FILL_TOO_HIGH,
    ),
    Misconception(
        "adds_minus100",
        "causal_weights",
        "lowers the future's scores by a number, too little where they are far higher",
        (("scores.masked_fill(future, -torch.inf)", "scores - 100.0 * future"),),
        hint=TOO_LITTLE_OFF,
    ),
    Misconception(
        "adds_minus1",
        "causal_weights",
        "makes the future's scores only 1 lower, as a mask of ones and zeros that is added does",
        (("scores.masked_fill(future, -torch.inf)", "scores - 1.0 * future"),),
        hint=TOO_LITTLE_OFF,
    ),
    Misconception(
        "fill_smallest",
        "causal_weights",
        "fills the future with the smallest of all scores",
        (("-torch.inf", "scores.min().item()"),),
        hint=FILL_TOO_HIGH,
    ),
    Misconception(
        "renorm_wrong_dim",
        "causal_weights",
        "masks after the softmax and then makes the columns add up to 1",
        (
            ("return torch.softmax(scores", "weights = torch.softmax(scores"),
            (
                ".masked_fill(future, -torch.inf), dim=-1)",
                ", dim=-1).masked_fill(future, 0)\n"
                "    return weights / weights.sum(dim=-2, keepdim=True)",
            ),
        ),
        hint=Hint(
            look="Add up each row of your weights, and then each column. Which of the two give 1?",
            think="One row belongs to one query, which shares out a whole 1 among the keys it "
            "may see. Who needs the sum of 1, the query or the key?",
            nearly="The repair after the softmax adds up along the wrong direction. Better "
            "still, hide the future at an earlier step, on the scores: then no repair is "
            "needed.",
        ),
    ),
    Misconception(
        "mask_after",
        "causal_weights",
        "the softmax counts the future too, whose share is then lost",
        (("scores.masked_fill(future, -torch.inf), dim=-1)", "scores, dim=-1) * ~future"),),
        hint=SOFTMAX_THEN_ZEROS,
    ),
    Misconception(
        "multiply_scores",
        "causal_weights",
        "the future's scores are 0, or next to 0, which is a score like any other",
        (("scores.masked_fill(future, -torch.inf)", "scores * ~future"),),
        hint=FUTURE_SCORES_ZERO,
    ),
    Misconception(
        "mul_inf",
        "causal_weights",
        "every weight is nan, as where 0 is multiplied by infinity",
        (("scores.masked_fill(future, -torch.inf)", "scores + future * -torch.inf"),),
        hint=Hint(
            look=(
                "Print the scores after your mask has been put in, for three tokens. What "
                "stands where nothing should be hidden?"
            ),
            think="Infinity times a number is not always infinite. Try 0 * -torch.inf for "
            "yourself: what do you get?",
            nearly=(
                "A mask that is multiplied by infinity spoils the open places. Choose a way "
                "that puts a value into the hidden places and leaves all the others untouched."
            ),
        ),
    ),
    Misconception(
        "plus_inf",
        "causal_weights",
        "gives the future scores of +inf",
        (("-torch.inf", "torch.inf"),),
        hint=Hint(
            look="Print your weights for three tokens. Which rows are `nan`, and which row is "
            "fine? How many hidden places has each of these rows?",
            think="The softmax takes e to the power of each score. To which number does that "
            "lead for plus infinity, and to which for minus infinity?",
            nearly="The right places are filled, with infinity even. Look at its sign.",
        ),
    ),
    Misconception(
        "no_mask",
        "causal_weights",
        "no mask takes effect: every token sees the whole sequence",
        (
            (
                "return torch.softmax(scores.masked_fill(future, -torch.inf),",
                "scores.masked_fill(future, -torch.inf)\n    return torch.softmax(scores,",
            ),
        ),
        hint=NO_MASK,
    ),
    Misconception(
        "swap",
        "causal_weights",
        "the scores are transposed: their rows belong to keys, not to queries",
        (("queries @ keys.transpose", "keys @ queries.transpose"),),
        hint=SCORES_TRANSPOSED,
    ),
    Misconception(
        "naive_exp",
        "causal_weights",
        "a softmax by hand that overflows for large scores",
        (
            ("return torch.softmax(", "weights = torch.exp("),
            (", dim=-1)", ")\n    return weights / weights.sum(dim=-1, keepdim=True)"),
        ),
        hint=EXP_OVERFLOWS,
    ),
    Misconception(
        "diagonal_hidden",
        "causal_weights",
        "masks the diagonal too: token 0 has nobody to look at",
        (("diagonal=1", "diagonal=0"),),
        hint=DIAGONAL_HIDDEN,
    ),
    Misconception(
        "sees_next",
        "causal_weights",
        "masks from the second diagonal on: every token sees the next one",
        (("diagonal=1", "diagonal=2"),),
        hint=SEES_NEXT,
    ),
    Misconception(
        "softmax_queries",
        "causal_weights",
        "the softmax runs over the queries: columns add up to 1",
        (("dim=-1)", "dim=-2)"),),
        hint=SOFTMAX_OVER_QUERIES,
    ),
    Misconception(
        "softmax_dim1",
        "causal_weights",
        "the softmax runs over dimension 1, which is right without a batch only",
        (("dim=-1)", "dim=1)"),),
        hint=Hint(
            look="Call the function once with one sequence, (4, 3), and once with a batch of "
            "them, (2, 4, 3). Add up the rows each time. When do they give 1?",
            think="There may be any number of dimensions in front. In a matrix, dimension 1 "
            "counts the keys; what does it count in a batch, and what in a batch of "
            "heads?",
            nearly="Look at the `dim` that the softmax gets. The keys always come last, so "
            "counting from the end is safe where counting from the front is not.",
        ),
    ),
    Misconception(
        "softmax_matrix",
        "causal_weights",
        "one softmax for the whole matrix of scores",
        (
            ("return torch.softmax(scores", "flat = torch.softmax(scores"),
            ("-torch.inf), dim=-1)", "-torch.inf).flatten(-2), dim=-1)\n    return flat"),
            ("return flat", "return flat.reshape(scores.shape)"),
        ),
        hint=SHARED_MATRIX,
    ),
    Misconception(
        "no_scale",
        "causal_weights",
        "leaves the scores as large as they are",
        ((" / math.sqrt(d)", ""),),
        hint=NOT_SCALED,
    ),
    Misconception(
        "no_sqrt",
        "causal_weights",
        "divides by d in all, not by its root",
        (("math.sqrt(d)", "d"),),
        hint=WRONG_ROOT,
    ),
    Misconception(
        "half_outside",
        "causal_weights",
        "divides by twice the size, as `/ d ** 1 / 2` does, not by the root",
        (("/ math.sqrt(d)", "/ d ** 1 / 2"),),
        hint=EXPONENT_CUT_IN_TWO,
    ),
    Misconception(
        "half_as_factor",
        "causal_weights",
        "divides by half the size, as `/ (d ** 1 / 2)` does, not by the root",
        (("/ math.sqrt(d)", "/ (d ** 1 / 2)"),),
        hint=EXPONENT_CUT_IN_TWO,
    ),
    Misconception(
        "scale_in_int",
        "causal_weights",
        "rounds the root down to a whole number",
        (("math.sqrt(d)", "math.isqrt(d)"),),
        hint=ROOT_CUT_TO_A_WHOLE,
    ),
    Misconception(
        "scale_T",
        "causal_weights",
        "takes the root of the number of tokens",
        (("math.sqrt(d)", "math.sqrt(T)"),),
        hint=ROOT_OF_TOKENS,
    ),
    Misconception(
        "sqrt_2d",
        "causal_weights",
        "the divisor is the root of 2 d",
        (("math.sqrt(d)", "math.sqrt(2 * d)"),),
        hint=WRONG_ROOT,
    ),
    Misconception(
        "multiplied",
        "causal_weights",
        "makes the scores larger by the root of d, not smaller",
        (("/ math.sqrt(d)", "* math.sqrt(d)"),),
        hint=SCALED_UP,
    ),
    Misconception(
        "scale_after",
        "causal_weights",
        "divides the weights by the root of d, after the softmax",
        ((" / math.sqrt(d)", ""), ("dim=-1)", "dim=-1) / math.sqrt(d)")),
        hint=WEIGHTS_SCALED,
    ),
    Misconception(
        "one_sentence",
        "causal_weights",
        "exchanges first and last dimension of the keys, as .T does: right for two only",
        (("keys.transpose(-2, -1)", "keys.T"),),
        hint=ALL_DIMENSIONS_TURNED,
    ),
    Misconception(
        "transpose_12",
        "causal_weights",
        "transposes dimensions 1 and 2, which is right for three dimensions only",
        (("keys.transpose(-2, -1)", "keys.transpose(1, 2)"),),
        hint=ALL_DIMENSIONS_TURNED,
    ),
    Misconception(
        "sizes_from_front",
        "causal_weights",
        "reads the number of tokens as size 1, which is right for three dimensions only",
        (("T, d = queries.shape[-2:]", "T, d = queries.shape[1], queries.shape[-1]"),),
        hint=Hint(
            look="Print the T that you read for queries of shape (4, 3), (2, 4, 3) and (2, 5, "
            "4, 3). All of them have 4 tokens. What do you get?",
            think="There may be none, one or two dimensions in front. Which dimensions keep "
            "their place when you count from the other end?",
            nearly="The features of a query come last. Say in the same way where the tokens are, "
            "and read T from there.",
        ),
    ),
    Misconception(
        "hard_coded",
        "causal_weights",
        "the mask is made for six tokens, and fits no other number of them",
        (("torch.ones(T, T,", "torch.ones(6, 6,"),),
        hint=Hint(
            look="Call your function with six tokens, and then with three. Which two sizes "
            "does the error message name?",
            think="The rules ask you to read sizes from the arguments. Which size in your code "
            "stays the same, however long the sequence is?",
            nearly="The mask has a size written down as a number. It has to be as large as the "
            "scores: one row and one column for each token.",
        ),
    ),
    Misconception(
        "d_of_the_example",
        "causal_weights",
        "divides by 2, which is right for d = 4 only",
        (("math.sqrt(d)", "2.0"),),
        hint=ROOT_CUT_TO_A_WHOLE,
    ),
    Misconception(
        "detached",
        "causal_weights",
        "cuts the keys off from the gradient",
        (("keys.transpose", "keys.detach().transpose"),),
        hint=Hint(
            look="Give queries and keys `requires_grad=True`, square your weights, add them "
            "up, call `backward()`, and print both `.grad`. Which of them is None?",
            think="Training changes whatever receives a gradient. Can a layer that makes keys "
            "ever learn from your weights?",
            nearly=(
                "The numbers are right, but the path back to the keys is cut. Look for what "
                "takes a tensor out of the gradient, between the keys and the scores."
            ),
        ),
    ),
    Misconception(
        "queries_detached",
        "causal_weights",
        "cuts the queries off from the gradient",
        (("queries @ keys", "queries.detach() @ keys"),),
        hint=GRADIENT_CUT_OFF,
    ),
    Misconception(
        "rebuilt",
        "causal_weights",
        "cuts the weights off from the gradient: none reaches queries and keys",
        (
            (
                "scores.masked_fill(future, -torch.inf)",
                "torch.tensor(scores.masked_fill(future, -torch.inf).tolist(), "
                "dtype=scores.dtype, device=scores.device)",
            ),
        ),
        hint=Hint(
            look="Give queries and keys `requires_grad=True` and print `.requires_grad` of the "
            "scores, of what goes into the softmax, and of the weights. Where does True "
            "turn into False?",
            think=(
                "PyTorch remembers how a tensor came about, and needs this to compute "
                "gradients. Which of your steps lets it forget that?"
            ),
            nearly=(
                "Look for a `detach`, `data` or `no_grad`, or for a new tensor made out of the "
                "numbers of an old one. Keep working with the tensor itself, with operations "
                "that PyTorch knows."
            ),
        ),
    ),
    Misconception(
        "inplace",
        "causal_weights",
        "changes the queries that it is given",
        (
            (" / math.sqrt(d)", ""),
            ("scores = ", "queries /= math.sqrt(d)\n    scores = "),
        ),
        hint=INPUT_OVERWRITTEN,
    ),
    Misconception(
        "cpu_mask",
        "causal_weights",
        "has a tensor on the CPU, wherever the others are",
        ((", device=queries.device", ""),),
        hint=MASK_STAYS_ON_CPU,
    ),
    Misconception(
        "rounded",
        "causal_weights",
        "rounds the weights to four decimals",
        (("dim=-1)", "dim=-1).round(decimals=4)"),),
        hint=LOST_DIGITS,
    ),
    Misconception(
        "in_half",
        "causal_weights",
        "computes the softmax in float16",
        (
            (
                "scores.masked_fill(future, -torch.inf), dim=-1)",
                "scores.half().masked_fill(future, -torch.inf), dim=-1).to(scores.dtype)",
            ),
        ),
        hint=LOST_DIGITS,
    ),
    Misconception(
        "in_float32",
        "causal_weights",
        "returns float32, whatever it is given (float32 only)",
        (("-torch.inf), dim=-1)", "-torch.inf), dim=-1, dtype=torch.float32)"),),
        hint=LOST_DIGITS,
    ),
    Misconception(
        "diagonal_hidden_zeros",
        "causal_weights",
        "masks the diagonal too, and gives row 0 weights of 0",
        (
            ("triu(diagonal=1)", "triu(diagonal=0)"),
            ("-torch.inf), dim=-1)", "-torch.inf), dim=-1).nan_to_num(0.0)"),
        ),
        hint=EMPTY_ROW,
    ),
    Misconception(
        "mask_after_renormalised",
        "causal_weights",
        "hides the future too late: where its scores are far higher, 0 / 0 is left",
        (
            (
                "return torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)",
                "weights = torch.softmax(scores, dim=-1).masked_fill(future, 0.0)\n"
                "    return weights / weights.sum(dim=-1, keepdim=True)",
            ),
        ),
        hint=FUTURE_TOOK_ALL,
    ),
    Misconception(
        "common_max",
        "causal_weights",
        "a softmax by hand that takes one largest score for all rows",
        (
            (
                "return torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)",
                "masked = scores.masked_fill(future, -torch.inf)\n"
                "    exps = (masked - masked.max()).exp()\n"
                "    return exps / exps.sum(dim=-1, keepdim=True)",
            ),
        ),
        hint=SOFTMAX_BY_HAND_LEFT_EMPTY,
    ),
    Misconception(
        "max_before_mask",
        "causal_weights",
        "hides the future too late: where its scores are far higher, 0 / 0 is left",
        (
            (
                "return torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)",
                "shifted = scores - scores.amax(dim=-1, keepdim=True)\n"
                "    exps = shifted.masked_fill(future, -torch.inf).exp()\n"
                "    return exps / exps.sum(dim=-1, keepdim=True)",
            ),
        ),
        hint=FUTURE_TOOK_ALL,
    ),
    Misconception(
        "log_softmax",
        "causal_weights",
        "returns the logarithms of the weights",
        (("torch.softmax(", "torch.log_softmax("),),
        hint=LOGARITHM,
    ),
    Misconception(
        "zero_scores_hidden",
        "causal_weights",
        "hides every score that is exactly 0, not only the future",
        (
            (
                "scores.masked_fill(future, -torch.inf)",
                "scores.masked_fill(scores.tril() == 0, -torch.inf)",
            ),
        ),
        hint=ZERO_SCORES_HIDDEN,
    ),
    Misconception(
        "max_of_columns",
        "causal_weights",
        "a softmax by hand that takes the largest score of each column",
        (
            (
                "return torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)",
                "masked = scores.masked_fill(future, -torch.inf)\n"
                "    exps = (masked - masked.amax(dim=-2, keepdim=True)).exp()\n"
                "    return exps / exps.sum(dim=-1, keepdim=True)",
            ),
        ),
        hint=COLUMN_MAXIMUM,
    ),
    Misconception(
        "three_sizes",
        "causal_weights",
        "takes the shape apart into three sizes, so that only one dimension in front will do",
        (("T, d = queries.shape[-2:]", "_, T, d = queries.shape"),),
        hint=THREE_DIMENSIONS_ONLY,
    ),
    Misconception(
        "two_sizes",
        "causal_weights",
        "takes the shape apart into two sizes, so that no dimension in front will do",
        (("T, d = queries.shape[-2:]", "T, d = queries.shape"),),
        hint=THREE_DIMENSIONS_ONLY,
    ),
    Misconception(
        "bmm",
        "causal_weights",
        "multiplies with bmm, which takes three dimensions only",
        (("queries @ keys.transpose(-2, -1)", "torch.bmm(queries, keys.transpose(-2, -1))"),),
        hint=THREE_DIMENSIONS_ONLY,
    ),
    Misconception(
        "permuted",
        "causal_weights",
        "permutes three dimensions, though there may be more or fewer",
        (("keys.transpose(-2, -1)", "keys.permute(0, 2, 1)"),),
        hint=THREE_DIMENSIONS_ONLY,
    ),
    Misconception(
        "not_transposed",
        "causal_weights",
        "multiplies queries by keys without transposing them",
        (("keys.transpose(-2, -1)", "keys"),),
        hint=NOT_TRANSPOSED,
    ),
    Misconception(
        "keys_reshaped",
        "causal_weights",
        "reshapes the keys where they should be transposed",
        (("keys.transpose(-2, -1)", "keys.reshape(*keys.shape[:-2], d, T)"),),
        hint=RESHAPED_NOT_TURNED,
    ),
    Misconception(
        "transpose_01",
        "causal_weights",
        "transposes dimensions 0 and 1, which is right for two dimensions only",
        (("keys.transpose(-2, -1)", "keys.transpose(0, 1)"),),
        hint=ALL_DIMENSIONS_TURNED,
    ),
    Misconception(
        "view_of_queries",
        "causal_weights",
        "takes a view, which fails if what it is given is not contiguous",
        (
            (
                "queries @ keys.transpose(-2, -1)",
                "queries.view(-1, d).view(queries.shape) @ keys.transpose(-2, -1)",
            ),
        ),
        hint=VIEW_FAILS,
    ),
    Misconception(
        "returns_scores",
        "causal_weights",
        "returns the masked scores, without the softmax",
        (
            (
                "torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)",
                "scores.masked_fill(future, -torch.inf)",
            ),
        ),
        hint=NO_SOFTMAX_AT_ALL,
    ),
    Misconception(
        "scores_in_half",
        "causal_weights",
        "rounds the scores to float16",
        (
            (
                "scores.masked_fill(future, -torch.inf)",
                "scores.half().to(scores.dtype).masked_fill(future, -torch.inf)",
            ),
        ),
        hint=LOST_DIGITS,
    ),
    Misconception(
        "eps_in_sum",
        "causal_weights",
        "adds 0.001 to the sum by which a softmax divides",
        (
            (
                "return torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)",
                "masked = scores.masked_fill(future, -torch.inf)\n"
                "    exps = (masked - masked.amax(dim=-1, keepdim=True)).exp()\n"
                "    return exps / (exps.sum(dim=-1, keepdim=True) + 1e-3)",
            ),
        ),
        hint=SUM_NOT_ONE,
    ),
    Misconception(
        "eps_in_sum_small",
        "causal_weights",
        "adds 1e-6 to the sum by which a softmax divides",
        (
            (
                "return torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)",
                "masked = scores.masked_fill(future, -torch.inf)\n"
                "    exps = (masked - masked.amax(dim=-1, keepdim=True)).exp()\n"
                "    return exps / (exps.sum(dim=-1, keepdim=True) + 1e-6)",
            ),
        ),
        hint=SUM_NOT_ONE,
    ),
    Misconception(
        "sigmoid",
        "causal_weights",
        "takes a sigmoid of each score, not a softmax of each row",
        (
            (
                "torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)",
                "torch.sigmoid(scores.masked_fill(future, -torch.inf))",
            ),
        ),
        hint=SIGMOID,
    ),
    Misconception(
        "exp_not_divided",
        "causal_weights",
        "takes exponentials and does not divide them by their sum",
        (
            (
                "torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)",
                "torch.exp(scores.masked_fill(future, -torch.inf))",
            ),
        ),
        hint=EXP_NOT_DIVIDED,
    ),
    Misconception(
        "fill_minus1",
        "causal_weights",
        "fills the future with -1, a score like any other",
        (("-torch.inf", "-1.0"),),
        hint=FILL_TOO_HIGH,
    ),
    Misconception(
        "fill_minus1000",
        "causal_weights",
        "fills the future with a number such as -100, and scores can be lower than that",
        (("-torch.inf", "-1000.0"),),
        hint=FILL_TOO_HIGH,
    ),
    Misconception(
        "queries_alone",
        "causal_weights",
        "multiplies the queries by themselves",
        (("keys.transpose", "queries.transpose"),),
        hint=QUERIES_MEET_THEMSELVES,
    ),
    Misconception(
        "softmax_dim0",
        "causal_weights",
        "the softmax runs over dimension 0",
        (("dim=-1)", "dim=0)"),),
        hint=SOFTMAX_OVER_BATCH,
    ),
    Misconception(
        "diagonal_hidden_but_first",
        "causal_weights",
        "masks the diagonal too, except for token 0",
        ((".triu(diagonal=1)", ".triu()\n    future[0, 0] = False"),),
        hint=SELF_HIDDEN,
    ),
    Misconception(
        "mask_not_boolean",
        "causal_weights",
        "hands masked_fill a mask of numbers",
        (
            (
                "torch.ones(T, T, dtype=torch.bool, device=queries.device)",
                "torch.ones(T, T, device=queries.device)",
            ),
        ),
        hint=MASK_NOT_BOOLEAN,
    ),
    Misconception(
        "scale_C",
        "single_head",
        "takes the root of C, the features of a token, not of the head",
        (("q.shape[-1]", "x.shape[-1]"),),
        hint=ROOT_OF_TOKEN_FEATURES,
    ),
    Misconception(
        "scale_sign",
        "single_head",
        "makes the scores larger by the root of d, not smaller",
        (("/ math.sqrt(q.shape[-1])", "* q.shape[-1] ** 0.5"),),
        hint=SCALED_UP,
    ),
    Misconception(
        "scale_T",
        "single_head",
        "takes the root of the number of tokens",
        (("q.shape[-1]", "q.shape[-2]"),),
        hint=ROOT_OF_TOKENS,
    ),
    Misconception(
        "no_scale",
        "single_head",
        "leaves the scores undivided, as some notebooks do",
        ((" / math.sqrt(q.shape[-1])", ""),),
        hint=NOT_SCALED,
    ),
    Misconception(
        "relu_on_values",
        "single_head",
        "sets what is negative in the values to 0, as a relu does",
        (("weights @ v", "weights @ torch.relu(v)"),),
        hint=VALUES_BENT,
    ),
    Misconception(
        "half_outside",
        "single_head",
        "divides by twice the size, as `/ d ** 1 / 2` does, not by the root",
        (("/ math.sqrt(q.shape[-1])", "/ q.shape[-1] ** 1 / 2"),),
        hint=EXPONENT_CUT_IN_TWO,
    ),
    Misconception(
        "half_as_factor",
        "single_head",
        "divides by half the size, as `/ (d ** 1 / 2)` does, not by the root",
        (("/ math.sqrt(q.shape[-1])", "/ (q.shape[-1] ** 1 / 2)"),),
        hint=EXPONENT_CUT_IN_TWO,
    ),
    Misconception(
        "scale_in_int",
        "single_head",
        "rounds the root down to a whole number",
        (("math.sqrt(q.shape[-1])", "math.isqrt(q.shape[-1])"),),
        hint=ROOT_CUT_TO_A_WHOLE,
    ),
    Misconception(
        "scale_hard_coded",
        "single_head",
        "divides by 4, which is right for a head of 16 features only",
        (("math.sqrt(q.shape[-1])", "4"),),
        hint=Hint(
            look="Run the function with layers that make 16 features, and then with layers "
            "that make 4. Print the number that you divide the scores by. Does it change?",
            think="The rules ask you to read sizes from the arguments. For which size of head "
            "is your number right?",
            nearly="There is a number in the line of the scores that fits one example only. It "
            "should follow the number of features of a query.",
        ),
    ),
    Misconception(
        "softmax_then_scale",
        "single_head",
        "divides the weights by the root of d, after the softmax",
        (
            (" / math.sqrt(q.shape[-1])", ""),
            ("-torch.inf), dim=-1)", "-torch.inf), dim=-1) / math.sqrt(q.shape[-1])"),
        ),
        hint=WEIGHTS_SCALED,
    ),
    Misconception(
        "aggregate_x",
        "single_head",
        "mixes the tokens themselves, not their values",
        (("weights @ v", "weights @ x"),),
        hint=VALUES_IDLE,
    ),
    Misconception(
        "v_from_k",
        "single_head",
        "mixes what k_proj makes; v_proj lies idle",
        (("v_proj(x)", "k_proj(x)"),),
        hint=VALUES_IDLE,
    ),
    Misconception(
        "k_from_q",
        "single_head",
        "what q_proj makes serves as keys too; k_proj lies idle",
        (("k_proj(x)", "q_proj(x)"),),
        hint=KEYS_ARE_QUERIES,
    ),
    Misconception(
        "swap",
        "single_head",
        "exchanges the parts of q_proj and k_proj: another layout of the weights",
        (("q_proj(x), k_proj(x)", "k_proj(x), q_proj(x)"),),
        hint=Hint(
            look="Give the key layer weights of 0 and a bias of 1, so that all keys are equal. "
            "Each row of weights should then hold equal shares. Do yours?",
            think="Row i of the scores belongs to the query of token i. What is a token looking "
            "for: its query or its key? And which layer makes which?",
            nearly="Read the line that calls the layers from left to right, name by name. Then "
            "check which of the two stands on the left in the product for the scores.",
        ),
    ),
    Misconception(
        "v_of_k",
        "single_head",
        "makes the values out of the keys, which needs C = d",
        (("v_proj(x)", "v_proj(k_proj(x))"),),
        hint=Hint(
            look="Try layers that lead from 4 features to 3. The error message names two "
            "shapes that do not fit: which layer is being called, and with what?",
            think="Each of the three layers looks at the tokens themselves. How many features "
            "does the value layer expect, and how many does a key have?",
            nearly="Look at what you put into the value layer. Two layers are called one inside "
            "the other; they should work side by side.",
        ),
    ),
    Misconception(
        "new_layers",
        "single_head",
        "makes layers of its own and does not use those it is given",
        (
            (
                "q, k, v = q_proj(x), k_proj(x), v_proj(x)",
                "sizes, like = (x.shape[-1], q_proj.out_features), q_proj.weight\n"
                "    q, k, v = (nn.Linear(*sizes, bias=False).to(like)(x) for _ in range(3))",
            ),
        ),
        hint=LAYERS_MADE_ANEW,
    ),
    Misconception(
        "cpu_tril",
        "single_head",
        "has a tensor on the CPU, wherever the others are",
        (
            (
                "torch.ones_like(scores, dtype=torch.bool)",
                "torch.ones(*scores.shape[-2:], dtype=torch.bool)",
            ),
        ),
        hint=MASK_STAYS_ON_CPU,
    ),
    Misconception(
        "relu_scores",
        "single_head",
        "sets negative scores to 0 before the softmax",
        (("scores.masked_fill", "scores.relu().masked_fill"),),
        hint=RELU_ON_SCORES,
    ),
    Misconception(
        "relu_masked",
        "single_head",
        "sets negative scores to 0, and those of the future too",
        (("-torch.inf), dim", "-torch.inf).relu(), dim"),),
        hint=RELU_ON_SCORES,
    ),
    Misconception(
        "no_mask",
        "single_head",
        "no mask takes effect: every token sees the whole sequence",
        (("scores.masked_fill(future, -torch.inf)", "scores"),),
        hint=NO_MASK,
    ),
    Misconception(
        "mask_after",
        "single_head",
        "the softmax counts the future too, whose share is then lost",
        (("scores.masked_fill(future, -torch.inf), dim=-1)", "scores, dim=-1).tril()"),),
        hint=SOFTMAX_THEN_ZEROS,
    ),
    Misconception(
        "mask_triu",
        "single_head",
        "masks the past in place of the future",
        ((".triu(diagonal=1)", ".tril(diagonal=-1)"),),
        hint=PAST_HIDDEN,
    ),
    Misconception(
        "diagonal_hidden",
        "single_head",
        "masks the diagonal too: token 0 has nobody to look at",
        ((".triu(diagonal=1)", ".triu()"),),
        hint=DIAGONAL_HIDDEN,
    ),
    Misconception(
        "sees_next",
        "single_head",
        "masks from the second diagonal on: every token sees the next one",
        (("diagonal=1", "diagonal=2"),),
        hint=SEES_NEXT,
    ),
    Misconception(
        "multiply_scores",
        "single_head",
        "the future's scores are 0, or next to 0, which is a score like any other",
        (("scores.masked_fill(future, -torch.inf)", "scores.tril()"),),
        hint=FUTURE_SCORES_ZERO,
    ),
    Misconception(
        "fill_tiny",
        "single_head",
        "the future's scores are 0, or next to 0, which is a score like any other",
        (("-torch.inf", "-1e-9"),),
        hint=FUTURE_SCORES_ZERO,
    ),
    Misconception(
        "fill_minus10",
        "single_head",
        "fills the future with -10, which other scores reach too",
        (("-torch.inf", "-10.0"),),
        hint=FILL_TOO_HIGH,
    ),
    Misconception(
        "fill_minus20",
        "single_head",
        "fills the future with -20, which leaves it a share of 1e-9",
        (("-torch.inf", "-20.0"),),
        hint=FILL_TOO_HIGH,
    ),
    Misconception(
        "fill_minus100",
        "single_head",
        "fills the future with a number such as -100, and scores can be lower than that",
        (("-torch.inf", "-100.0"),),
        hint=FILL_TOO_HIGH,
    ),
    Misconception(
        "adds_minus100",
        "single_head",
        "lowers the future's scores by a number, too little where they are far higher",
        (("scores.masked_fill(future, -torch.inf)", "scores - 100.0 * future"),),
        hint=TOO_LITTLE_OFF,
    ),
    Misconception(
        "softmax_dim1",
        "single_head",
        "the softmax runs over the queries: columns add up to 1",
        (("dim=-1)", "dim=1)"),),
        hint=SOFTMAX_OVER_QUERIES,
    ),
    Misconception(
        "batch_softmax",
        "single_head",
        "the softmax runs over the batch, as that of nn.Softmax() does without a dim",
        (("torch.softmax(", "nn.Softmax()("), (", dim=-1)", ")")),
        hint=SOFTMAX_OVER_BATCH,
    ),
    Misconception(
        "naive_exp",
        "single_head",
        "a softmax by hand that overflows for large scores",
        (
            ("torch.softmax(", "torch.exp("),
            (", dim=-1)", ")\n    weights = weights / weights.sum(dim=-1, keepdim=True)"),
        ),
        hint=EXP_OVERFLOWS,
    ),
    Misconception(
        "out_first",
        "single_head",
        "returns the mixtures before the weights",
        (("return weights, weights @ v", "return weights @ v, weights"),),
        hint=RETURN_MISMATCH,
    ),
    Misconception(
        "only_out",
        "single_head",
        "returns the mixtures alone",
        (("return weights, weights @ v", "return weights @ v"),),
        hint=RETURN_MISMATCH,
    ),
    Misconception(
        "returns_scores",
        "single_head",
        "returns the masked scores in place of the weights",
        (
            (
                "return weights, weights @ v",
                "return scores.masked_fill(future, -torch.inf), weights @ v",
            ),
        ),
        hint=Hint(
            look="Print the first tensor that you return, and add up each of its rows. Are "
            "these shares? What stands right of the diagonal?",
            think="Scores say how well a key fits, and can be any number. Weights are what the "
            "softmax makes of them. Which of the two have you handed over?",
            nearly="Look at the return line. The tensor that you mix the values with is the "
            "right one to return too.",
        ),
    ),
    Misconception(
        "weights_transposed",
        "single_head",
        "mixes with the transposed weights: tokens hand out where they should gather",
        (("weights @ v", "weights.transpose(-2, -1) @ v"),),
        hint=Hint(
            look="Take the example with the tokens 0 and 1 from the text. Token 0 sees only "
            "itself, so it should get 0. What does it get?",
            think="Row i of the weights says how token i gathers from the others. What does "
            "column i say, and which of them does your last product use?",
            nearly="The weights that you return are right. Compare them with the ones that stand "
            "in the last product: have they been turned over?",
        ),
    ),
    Misconception(
        "first_sequence",
        "single_head",
        "weights all sequences as the first one",
        (("return weights,", "weights = weights[:1].expand_as(scores)\n    return weights,"),),
        hint=SEQUENCES_MEET,
    ),
    Misconception(
        "batch_mean",
        "single_head",
        "averages the scores of the batch, so that sequences influence each other",
        (("scores.masked_fill", "scores.mean(0, keepdim=True).expand_as(scores).masked_fill"),),
        hint=SEQUENCES_MEET,
    ),
    Misconception(
        "transposes_batch",
        "single_head",
        "exchanges batch and tokens of the keys, which fits only where B = T = d",
        (("k.transpose(-2, -1)", "k.transpose(0, 1)"),),
        hint=BATCH_TRANSPOSED,
    ),
    Misconception(
        "weights_detached",
        "single_head",
        "cuts the weights off from the gradient: queries and keys never learn",
        (("weights @ v", "weights.detach() @ v"),),
        hint=WEIGHTS_CUT_OFF,
    ),
    Misconception(
        "values_detached",
        "single_head",
        "cuts the values off from the gradient",
        (("weights @ v", "weights @ v.detach()"),),
        hint=GRADIENT_CUT_OFF,
    ),
    Misconception(
        "keys_detached",
        "single_head",
        "cuts the keys off from the gradient",
        (("k.transpose", "k.detach().transpose"),),
        hint=GRADIENT_CUT_OFF,
    ),
    Misconception(
        "weights_returned_detached",
        "single_head",
        "returns the weights without their gradient",
        (("return weights,", "return weights.detach(),"),),
        hint=Hint(
            look="Print `requires_grad` of both tensors that you return. Are they the same?",
            think="Somebody may want to train with the weights too, for example to make them "
            "sharper. Can a gradient come back through what you hand over?",
            nearly="`out` is as it should be. Compare the weights that you return with those "
            "that you mix with: what happens to them on the return line?",
        ),
    ),
    Misconception(
        "x_detached",
        "single_head",
        "no gradient reaches x through the values",
        (("v_proj(x)", "v_proj(x.detach())"),),
        hint=Hint(
            look="Give the function one single token with `requires_grad=True`, call "
            "`out.sum().backward()`, and print the gradient of x. What numbers do you "
            "see?",
            think="A single token always has the weight 1, so its result depends on x through "
            "the value alone. Does the gradient find this path?",
            nearly="Look at what you hand to the value layer. Is it x itself, or an x that has "
            "been taken out of the gradient?",
        ),
    ),
    Misconception(
        "inplace",
        "single_head",
        "scales the x that it is given in its place, before the queries are made",
        (
            (
                "q, k, v = q_proj(x), k_proj(x), v_proj(x)",
                "k, v = k_proj(x), v_proj(x)\n    x /= math.sqrt(k.shape[-1])\n    q = q_proj(x)",
            ),
            (" / math.sqrt(q.shape[-1])", ""),
        ),
        hint=INPUT_OVERWRITTEN,
    ),
    Misconception(
        "centred_inplace",
        "single_head",
        "subtracts from each token its mean, in the caller's x",
        (("q, k, v = q_proj", "x -= x.mean(dim=-1, keepdim=True)\n    q, k, v = q_proj"),),
        hint=INPUT_CENTRED,
    ),
    Misconception(
        "value_skip",
        "single_head",
        "adds the values to the mixture once more",
        (("weights @ v", "weights @ v + v"),),
        hint=VALUES_ADDED_AGAIN,
    ),
    Misconception(
        "mixes_unmasked",
        "single_head",
        "returns causal weights, but mixes with others that see the future",
        (("return weights, weights @ v", "return weights, torch.softmax(scores, dim=-1) @ v"),),
        hint=MIXTURE_WITHOUT_MASK,
    ),
    Misconception(
        "scaled_twice",
        "single_head",
        "divides by d in all, not by its root",
        (("math.sqrt(q.shape[-1])", "q.shape[-1]"),),
        hint=DIVIDED_BY_D,
    ),
    Misconception(
        "query_bias_unused",
        "single_head",
        "makes the queries without the bias of q_proj",
        (("= q_proj(x)", "= x @ q_proj.weight.T"),),
        hint=BIAS_UNUSED,
    ),
    Misconception(
        "value_bias_unused",
        "single_head",
        "makes the values without the bias of v_proj",
        (("v_proj(x)", "x @ v_proj.weight.T"),),
        hint=BIAS_UNUSED,
    ),
    Misconception(
        "no_sqrt",
        "single_head",
        "divides by d in all, not by its root",
        (("math.sqrt(q.shape[-1])", "q.shape[-1]"),),
        hint=DIVIDED_BY_D,
    ),
    Misconception(
        "T_from_batch",
        "single_head",
        "makes a mask for as many tokens as there are sequences",
        (
            (
                "torch.ones_like(scores, dtype=torch.bool)",
                "torch.ones(len(x), len(x), dtype=torch.bool, device=x.device)",
            ),
        ),
        hint=TOKENS_FROM_WRONG_AXIS,
    ),
    Misconception(
        "T_from_features",
        "single_head",
        "makes a mask for as many tokens as there are features",
        (
            (
                "torch.ones_like(scores, dtype=torch.bool)",
                "torch.ones(*2 * x.shape[-1:], dtype=torch.bool, device=x.device)",
            ),
        ),
        hint=TOKENS_FROM_WRONG_AXIS,
    ),
    Misconception(
        "weights_averaged",
        "single_head",
        "averages the weights of the batch, so that sequences influence each other",
        (
            (
                "torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)",
                "torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)\n"
                "    weights = weights.mean(0, keepdim=True).expand_as(scores)",
            ),
        ),
        hint=SEQUENCES_MEET,
    ),
    Misconception(
        "batch_flattened",
        "single_head",
        "lays the sequences of the batch end to end: each sees those before it",
        (
            (
                "q, k, v = q_proj(x), k_proj(x), v_proj(x)",
                "q, k, v = (proj(x).flatten(0, 1) for proj in (q_proj, k_proj, v_proj))",
            ),
            (
                "return weights, weights @ v",
                "out = (weights @ v).unflatten(0, x.shape[:2])\n"
                "    pieces = weights.unflatten(0, x.shape[:2]).unflatten(-1, "
                "x.shape[:2])\n"
                "    return torch.stack([pieces[b, :, b] for b in range(len(x))]), "
                "out",
            ),
        ),
        hint=SEQUENCES_MEET,
    ),
    Misconception(
        "dropout_added",
        "single_head",
        "drops a tenth of the weights, which nobody asked for",
        (
            (
                "torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)",
                "nn.functional.dropout(torch.softmax(scores.masked_fill(future, "
                "-torch.inf), dim=-1), 0.1)",
            ),
        ),
        hint=DROPOUT_UNASKED,
    ),
    Misconception(
        "new_layers_float32",
        "single_head",
        "makes layers of its own in float32 and does not use those it is given",
        (
            (
                "q, k, v = q_proj(x), k_proj(x), v_proj(x)",
                "sizes = x.shape[-1], q_proj.out_features\n"
                "    q, k, v = (nn.Linear(*sizes, bias=False)(x) for _ in range(3))",
            ),
        ),
        hint=LAYERS_MADE_ANEW,
    ),
    Misconception(
        "weight_not_turned",
        "single_head",
        "multiplies the tokens by the weights of a layer without transposing them",
        (
            (
                "q_proj(x), k_proj(x), v_proj(x)",
                "x @ q_proj.weight, x @ k_proj.weight, x @ v_proj.weight",
            ),
        ),
        hint=WEIGHT_NOT_TURNED,
    ),
    Misconception(
        "biases_unused",
        "single_head",
        "makes queries, keys and values without the biases of the layers",
        (
            (
                "q_proj(x), k_proj(x), v_proj(x)",
                "x @ q_proj.weight.T, x @ k_proj.weight.T, x @ v_proj.weight.T",
            ),
        ),
        hint=BIAS_UNUSED,
    ),
    Misconception(
        "softmax_matrix",
        "single_head",
        "one softmax for the whole matrix of scores",
        (
            (
                "torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)",
                "torch.softmax(scores.masked_fill(future, -torch.inf).flatten(-2), "
                "dim=-1).view_as(scores)",
            ),
        ),
        hint=SHARED_MATRIX,
    ),
    Misconception(
        "mask_after_renormalised",
        "single_head",
        "hides the future too late: where its scores are far higher, 0 / 0 is left",
        (
            (
                "torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)",
                "torch.softmax(scores, dim=-1) * ~future\n"
                "    weights = weights / weights.sum(dim=-1, keepdim=True)",
            ),
        ),
        hint=FUTURE_TOOK_ALL,
    ),
    Misconception(
        "diagonal_hidden_zeros",
        "single_head",
        "masks the diagonal too, and gives row 0 weights of 0",
        (
            ("diagonal=1", "diagonal=0"),
            (
                "torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)",
                "torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1).nan_to_num()",
            ),
        ),
        hint=EMPTY_ROW,
    ),
    Misconception(
        "common_max",
        "single_head",
        "a softmax by hand that takes one largest score for all rows",
        (
            (
                "weights = torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)",
                "masked = scores.masked_fill(future, -torch.inf)\n"
                "    exps = (masked - masked.max()).exp()\n"
                "    weights = exps / exps.sum(dim=-1, keepdim=True)",
            ),
        ),
        hint=SOFTMAX_BY_HAND_LEFT_EMPTY,
    ),
    Misconception(
        "max_before_mask",
        "single_head",
        "hides the future too late: where its scores are far higher, 0 / 0 is left",
        (
            (
                "weights = torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)",
                "shifted = scores - scores.amax(dim=-1, keepdim=True)\n"
                "    exps = shifted.masked_fill(future, -torch.inf).exp()\n"
                "    weights = exps / exps.sum(dim=-1, keepdim=True)",
            ),
        ),
        hint=FUTURE_TOOK_ALL,
    ),
    Misconception(
        "max_of_columns",
        "single_head",
        "a softmax by hand that takes the largest score of each column",
        (
            (
                "weights = torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)",
                "masked = scores.masked_fill(future, -torch.inf)\n"
                "    exps = (masked - masked.amax(dim=-2, keepdim=True)).exp()\n"
                "    weights = exps / exps.sum(dim=-1, keepdim=True)",
            ),
        ),
        hint=COLUMN_MAXIMUM,
    ),
    Misconception(
        "zero_scores_hidden",
        "single_head",
        "hides every score that is exactly 0, not only the future",
        (
            (
                "scores.masked_fill(future, -torch.inf)",
                "scores.masked_fill(scores.tril() == 0, -torch.inf)",
            ),
        ),
        hint=ZERO_SCORES_HIDDEN,
    ),
    Misconception(
        "not_transposed",
        "single_head",
        "multiplies queries by keys without transposing them",
        (("k.transpose(-2, -1)", "k"),),
        hint=NOT_TRANSPOSED,
    ),
    Misconception(
        "keys_reshaped",
        "single_head",
        "reshapes the keys where they should be transposed",
        (("k.transpose(-2, -1)", "k.reshape(k.shape[0], k.shape[2], k.shape[1])"),),
        hint=RESHAPED_NOT_TURNED,
    ),
    Misconception(
        "fill_minus1",
        "single_head",
        "fills the future with -1, a score like any other",
        (("-torch.inf", "-1.0"),),
        hint=FILL_TOO_HIGH,
    ),
    Misconception(
        "only_weights",
        "single_head",
        "returns the weights alone",
        (("return weights, weights @ v", "return weights"),),
        hint=RETURN_MISMATCH,
    ),
    Misconception(
        "diagonal_hidden_but_first",
        "single_head",
        "masks the diagonal too, except for token 0",
        ((".triu(diagonal=1)", ".triu()\n    future[..., 0, 0] = False"),),
        hint=SELF_HIDDEN,
    ),
    Misconception(
        "new_layers_alike",
        "single_head",
        "makes layers like those it is given, with other weights",
        (
            (
                "q, k, v = q_proj(x), k_proj(x), v_proj(x)",
                "q, k, v = (\n"
                "        nn.Linear(p.in_features, p.out_features, p.bias is not "
                "None).to(x.dtype)(x)\n"
                "        for p in (q_proj, k_proj, v_proj)\n"
                "    )",
            ),
        ),
        hint=LAYERS_MADE_ANEW,
    ),
    Misconception(
        "mask_not_boolean",
        "single_head",
        "hands masked_fill a mask of numbers",
        (("torch.ones_like(scores, dtype=torch.bool)", "torch.ones_like(scores)"),),
        hint=MASK_NOT_BOOLEAN,
    ),
    Misconception(
        "mask_attr",
        "CausalAttention",
        "the mask is a plain attribute: it stays behind when the module is moved",
        (('self.register_buffer("mask", may_look)', "self.mask = may_look"),),
        hint=MASK_NO_BUFFER,
    ),
    Misconception(
        "mask_parameter",
        "CausalAttention",
        "the mask is a parameter, counted among the weights that are trained",
        (
            (
                'self.register_buffer("mask", may_look)',
                "self.mask = nn.Parameter(may_look.float())",
            ),
            ("~self.mask[:T, :T]", "self.mask[:T, :T] == 0"),
        ),
        hint=MASK_TRAINED,
    ),
    Misconception(
        "not_trimmed",
        "CausalAttention",
        "the mask is not cut to the sequence",
        (("self.mask[:T, :T]", "self.mask"),),
        hint=Hint(
            look="Build the module with context_length 6 and give it four tokens. Which two "
            "sizes does the error message name?",
            think="The mask is made for the longest sequence, once and for all. How large are "
            "the scores of a shorter one?",
            nearly="In `forward`, look at where the mask meets the scores. Which part of its "
            "rows and of its columns belongs to a sequence of T tokens?",
        ),
    ),
    Misconception(
        "trimmed_for_good",
        "CausalAttention",
        "cuts the stored mask itself, so that a longer sequence fails afterwards",
        (
            ("T = x.shape[1]", "T = x.shape[1]\n        self.mask = self.mask[:T, :T]"),
            ("~self.mask[:T, :T]", "~self.mask"),
        ),
        hint=MASK_CUT_FOR_GOOD,
    ),
    Misconception(
        "cut_bottom_left",
        "CausalAttention",
        "takes the last rows and the first columns: right at full length only",
        (("self.mask[:T, :T]", "self.mask[-T:, :T]"),),
        hint=WRONG_CORNER,
    ),
    Misconception(
        "cut_top_right",
        "CausalAttention",
        "takes the first rows and the last columns: right at full length only",
        (("self.mask[:T, :T]", "self.mask[:T, -T:]"),),
        hint=WRONG_CORNER,
    ),
    Misconception(
        "mask_of_d_in",
        "CausalAttention",
        "makes the mask as large as a token has features",
        (("torch.ones(context_length, context_length,", "torch.ones(d_in, d_in,"),),
        hint=MASK_OF_WRONG_SIZE,
    ),
    Misconception(
        "mask_of_six",
        "CausalAttention",
        "the mask is made for six tokens, whatever context_length is",
        (("torch.ones(context_length, context_length", "torch.ones(6, 6"),),
        hint=Hint(
            look="Build the module with context_length 9 and give it nine tokens. Which two sizes "
            "does the error message name?",
            think="The mask is made once, for the longest sequence that there will be. Who says "
            "how long that is?",
            nearly="In `__init__`, look at the sizes of the mask. Which of the arguments should "
            "stand where you have written numbers?",
        ),
    ),
    Misconception(
        "T_from_d",
        "CausalAttention",
        "takes the number of features for the number of tokens",
        (("T = x.shape[1]", "T = x.shape[-1]"),),
        hint=T_FROM_WRONG_AXIS,
    ),
    Misconception(
        "T_from_batch",
        "CausalAttention",
        "takes the number of sequences for the number of tokens",
        (("T = x.shape[1]", "T = x.shape[0]"),),
        hint=T_FROM_WRONG_AXIS,
    ),
    Misconception(
        "cpu_mask",
        "CausalAttention",
        "has a tensor on the CPU, wherever the others are",
        (
            (
                "~self.mask[:T, :T]",
                "torch.ones(T, T, dtype=torch.bool).triu(diagonal=1)",
            ),
            ('\n        self.register_buffer("mask", may_look)', ""),
        ),
        hint=MASK_NO_BUFFER,
    ),
    Misconception(
        "no_mask",
        "CausalAttention",
        "no mask takes effect: every token sees the whole sequence",
        (("scores.masked_fill(~self.mask[:T, :T], -torch.inf)", "scores"),),
        hint=NO_MASK,
    ),
    Misconception(
        "mask_lost",
        "CausalAttention",
        "no mask takes effect: every token sees the whole sequence",
        (("torch.softmax(masked,", "torch.softmax(scores,"),),
        hint=NO_MASK,
    ),
    Misconception(
        "mask_after",
        "CausalAttention",
        "the softmax counts the future too, whose share is then lost",
        (
            ("masked = scores.masked_fill(~self.mask[:T, :T], -torch.inf)", "masked = scores"),
            ("return weights @", "return (weights * self.mask[:T, :T]) @"),
        ),
        hint=SOFTMAX_THEN_ZEROS,
    ),
    Misconception(
        "mask_inverted",
        "CausalAttention",
        "masks what may be seen, and shows the future",
        (("~self.mask", "self.mask"),),
        hint=Hint(
            look="Run four tokens through the module without dropout. Which token gets `nan`? "
            "And which weights of token 0 are exactly 0?",
            think="A row is `nan` when every score in it is -inf. Which token has nobody left "
            "if the past and the diagonal are hidden?",
            nearly='In your mask, does True mean "may look" or "is hidden"? And which of the two '
            "does `masked_fill` expect? Check these two against each other.",
        ),
    ),
    Misconception(
        "mask_triu",
        "CausalAttention",
        "lets every token look at itself and at the future",
        ((".tril()", ".triu()"),),
        hint=PAST_HIDDEN,
    ),
    Misconception(
        "diagonal_hidden",
        "CausalAttention",
        "masks the diagonal too: token 0 has nobody to look at",
        ((".tril()", ".tril(diagonal=-1)"),),
        hint=DIAGONAL_HIDDEN,
    ),
    Misconception(
        "sees_next",
        "CausalAttention",
        "lets every token see the next one",
        ((".tril()", ".tril(diagonal=1)"),),
        hint=SEES_NEXT,
    ),
    Misconception(
        "multiply_scores",
        "CausalAttention",
        "the future's scores are 0, or next to 0, which is a score like any other",
        (("scores.masked_fill(~self.mask[:T, :T], -torch.inf)", "scores * self.mask[:T, :T]"),),
        hint=FUTURE_SCORES_ZERO,
    ),
    Misconception(
        "fill_tiny",
        "CausalAttention",
        "the future's scores are 0, or next to 0, which is a score like any other",
        (("-torch.inf", "-1e-9"),),
        hint=FUTURE_SCORES_ZERO,
    ),
    Misconception(
        "fill_minus10",
        "CausalAttention",
        "fills the future with -10, which other scores reach too",
        (("-torch.inf", "-10.0"),),
        hint=FILL_TOO_HIGH,
    ),
    Misconception(
        "fill_minus20",
        "CausalAttention",
        "fills the future with -20, which leaves it a share of 1e-9",
        (("-torch.inf", "-20.0"),),
        hint=FILL_TOO_HIGH,
    ),
    Misconception(
        "fill_minus100",
        "CausalAttention",
        "fills the future with a number such as -100, and scores can be lower than that",
        (("-torch.inf", "-100.0"),),
        hint=FILL_TOO_HIGH,
    ),
    Misconception(
        "adds_minus100",
        "CausalAttention",
        "lowers the future's scores by a number, too little where they are far higher",
        (
            (
                "scores.masked_fill(~self.mask[:T, :T], -torch.inf)",
                "scores - 100.0 * ~self.mask[:T, :T]",
            ),
        ),
        hint=TOO_LITTLE_OFF,
    ),
    Misconception(
        "dropout_scores",
        "CausalAttention",
        "no weight is ever dropped, whatever dropout is given",
        (
            ("self.dropout(torch.softmax(masked, dim=-1))", "torch.softmax(masked, dim=-1)"),
            ("scores.masked_fill", "self.dropout(scores).masked_fill"),
        ),
        hint=NOTHING_DROPPED,
    ),
    Misconception(
        "dropout_masked",
        "CausalAttention",
        "the dropout falls on the masked scores, where 0 times -inf is nan",
        (
            (
                "self.dropout(torch.softmax(masked, dim=-1))",
                "torch.softmax(self.dropout(masked), dim=-1)",
            ),
        ),
        hint=Hint(
            look="In training, with a dropout of 0.5, print what goes into the softmax. What "
            "has become of the -inf that stood right of the diagonal?",
            think="Dropout multiplies some numbers by 0. What is 0 times infinity? And what "
            "kind of numbers does the text want dropped: scores or weights?",
            nearly="Your dropout comes too early. Follow the tensor on its way, scores, mask, "
            "softmax, mixture, and find the step after which it holds weights.",
        ),
    ),
    Misconception(
        "dropout_as_mask",
        "CausalAttention",
        "dropped keys are masked with -inf before the softmax, so that rows still add up to 1",
        (
            ("self.dropout(torch.softmax(masked, dim=-1))", "torch.softmax(masked, dim=-1)"),
            (
                "weights = torch",
                "dropped = self.dropout(torch.ones_like(scores)) == 0\n"
                "        dropped = dropped & ~torch.eye(T, dtype=torch.bool, device=x.device)\n"
                "        masked = masked.masked_fill(dropped, -torch.inf)\n"
                "        weights = torch",
            ),
        ),
        hint=DROPOUT_BEFORE_SOFTMAX,
    ),
    Misconception(
        "dropout_output",
        "CausalAttention",
        "the dropout falls on the mixtures, not on the weights",
        (
            ("self.dropout(torch.softmax(masked, dim=-1))", "torch.softmax(masked, dim=-1)"),
            ("return weights @ values", "return self.dropout(weights @ values)"),
        ),
        hint=DROPOUT_ELSEWHERE,
    ),
    Misconception(
        "dropout_values",
        "CausalAttention",
        "the dropout falls on the values, for all queries at once",
        (
            ("self.dropout(torch.softmax(masked, dim=-1))", "torch.softmax(masked, dim=-1)"),
            ("weights @ values", "weights @ self.dropout(values)"),
        ),
        hint=DROPOUT_ELSEWHERE,
    ),
    Misconception(
        "dropout_x",
        "CausalAttention",
        "the dropout falls on the input",
        (
            ("self.dropout(torch.softmax(masked, dim=-1))", "torch.softmax(masked, dim=-1)"),
            ("T = x.shape[1]", "T = x.shape[1]\n        x = self.dropout(x)"),
        ),
        hint=DROPOUT_ELSEWHERE,
    ),
    Misconception(
        "dropout_twice",
        "CausalAttention",
        "the dropout falls on the mixtures as well as on the weights",
        (("return weights @ values", "return self.dropout(weights @ values)"),),
        hint=DROPOUT_ELSEWHERE,
    ),
    Misconception(
        "dropout_never",
        "CausalAttention",
        "no weight is ever dropped, whatever dropout is given",
        (("self.dropout(torch.softmax(masked, dim=-1))", "torch.softmax(masked, dim=-1)"),),
        hint=NOTHING_DROPPED,
    ),
    Misconception(
        "dropout_lost",
        "CausalAttention",
        "no weight is ever dropped, whatever dropout is given",
        (
            (
                "weights = self.dropout(torch.softmax(masked, dim=-1))",
                "weights = torch.softmax(masked, dim=-1)\n        self.dropout(weights)",
            ),
        ),
        hint=NOTHING_DROPPED,
    ),
    Misconception(
        "dropout_inverted",
        "CausalAttention",
        "takes dropout for the share that is kept",
        (("nn.Dropout(dropout)", "nn.Dropout(1 - dropout)"),),
        hint=WRONG_P,
    ),
    Misconception(
        "dropout_default",
        "CausalAttention",
        "drops half of the weights, whatever dropout is given, as nn.Dropout() does",
        (("nn.Dropout(dropout)", "nn.Dropout()"),),
        hint=WRONG_P,
    ),
    Misconception(
        "dropout_hard_coded",
        "CausalAttention",
        "no weight is ever dropped, whatever dropout is given",
        (("nn.Dropout(dropout)", "nn.Dropout(0.0)"),),
        hint=NOTHING_DROPPED,
    ),
    Misconception(
        "dropout_renorm",
        "CausalAttention",
        "makes the rows add up to 1 again after the dropout",
        (
            (
                "return weights @ values",
                "weights = weights / weights.sum(dim=-1, keepdim=True).clamp(min=1e-9)\n"
                "        return weights @ values",
            ),
        ),
        hint=Hint(
            look="In training, with a dropout of 0.5, add up the rows of the weights that you "
            "mix with. Does any row have a sum other than 1 or 0?",
            think="The text says what happens to the sum of a row after dropout, and whether it "
            "should be mended. On average, over many draws, nothing is lost.",
            nearly="`nn.Dropout` has already made the remaining weights larger. Look at what you "
            "do to the weights after it.",
        ),
    ),
    Misconception(
        "dropout_unscaled",
        "CausalAttention",
        "drops weights and does not divide the others by 1 - dropout",
        (
            (
                "self.dropout(torch.softmax(masked, dim=-1))",
                "torch.softmax(masked, dim=-1)\n"
                "        if self.training:\n"
                "            weights = weights * (torch.rand_like(weights) >= self.dropout.p)",
            ),
        ),
        hint=Hint(
            look="In training, with a dropout of 0.5, print the result of token 0 several "
            "times beside its own value. By which factor is it larger, when it is not 0?",
            think="If half of the weights vanish and the rest stay as they are, what happens to "
            "the results on average? The text says how this is made up for.",
            nearly="Your draw drops the right number of weights, but those that remain need a "
            "second step. Or let `nn.Dropout` do all of it.",
        ),
    ),
    Misconception(
        "dropout_one_row",
        "CausalAttention",
        "drops the same keys for all queries of a sequence",
        (
            (
                "self.dropout(torch.softmax(masked, dim=-1))",
                "torch.softmax(masked, dim=-1) * self.dropout(torch.ones_like(scores[:, :1]))",
            ),
        ),
        hint=DROPPED_IN_GROUPS,
    ),
    Misconception(
        "dropout_whole_queries",
        "CausalAttention",
        "drops all weights of a query or none",
        (
            (
                "self.dropout(torch.softmax(masked, dim=-1))",
                "torch.softmax(masked, dim=-1) * self.dropout(torch.ones_like(scores[:, :, :1]))",
            ),
        ),
        hint=DROPPED_IN_GROUPS,
    ),
    Misconception(
        "dropout_one_mask",
        "CausalAttention",
        "drops the same weights in all sequences of the batch",
        (
            (
                "self.dropout(torch.softmax(masked, dim=-1))",
                "torch.softmax(masked, dim=-1) * self.dropout(torch.ones_like(scores[:1]))",
            ),
        ),
        hint=DROPPED_IN_GROUPS,
    ),
    Misconception(
        "dropout_drawn_once",
        "CausalAttention",
        "draws once for good which weights are dropped, the same in every call",
        (
            (
                'self.register_buffer("mask", may_look)',
                'self.register_buffer("mask", may_look)\n'
                "        self.kept = torch.rand(context_length, context_length) >= dropout",
            ),
            (
                "self.dropout(torch.softmax(masked, dim=-1))",
                "torch.softmax(masked, dim=-1)\n"
                "        if self.training:\n"
                "            kept = self.kept[:T, :T].to(weights)\n"
                "            weights = weights * kept / (1 - self.dropout.p)",
            ),
        ),
        hint=Hint(
            look="In training, with a dropout of 0.5, call the module three times and print "
            "the weights after dropout. Do the dropped ones ever change?",
            think="Dropout should keep a token from relying on one other token. What does it "
            "learn if the same ones are always missing?",
            nearly="Look at where chance comes in. `__init__` runs once, `forward` in every "
            "call: in which of the two does each call get a new draw?",
        ),
    ),
    Misconception(
        "dropout_in_eval",
        "CausalAttention",
        "drops weights after eval() too",
        (
            ("self.dropout(torch", "nn.functional.dropout(torch"),
            ("dim=-1))", "dim=-1), self.dropout.p)"),
        ),
        hint=DROPS_AFTER_EVAL,
    ),
    Misconception(
        "sdpa_in_eval",
        "CausalAttention",
        "drops weights after eval() too",
        (
            (
                "return weights @ values",
                "return nn.functional.scaled_dot_product_attention(\n"
                "            queries, keys, values, dropout_p=self.dropout.p, is_causal=True\n"
                "        )",
            ),
        ),
        hint=DROPS_AFTER_EVAL,
    ),
    Misconception(
        "dropout_in_forward",
        "CausalAttention",
        "drops weights after eval() too",
        (
            ("self.dropout = nn.Dropout(dropout)", "self.p = dropout"),
            ("self.dropout(torch", "nn.Dropout(self.p)(torch"),
        ),
        hint=DROPS_AFTER_EVAL,
    ),
    Misconception(
        "batch_transpose",
        "CausalAttention",
        "exchanges batch and tokens of the keys",
        (("keys.transpose(-2, -1)", "keys.transpose(0, 1)"),),
        hint=BATCH_TRANSPOSED,
    ),
    Misconception(
        "one_sentence",
        "CausalAttention",
        "exchanges batch and features of the keys, as .T does in a batch",
        (("keys.transpose(-2, -1)", "keys.T"),),
        hint=BATCH_TRANSPOSED,
    ),
    Misconception(
        "softmax_dim1",
        "CausalAttention",
        "the softmax runs over the queries: columns add up to 1",
        (("dim=-1))", "dim=1))"),),
        hint=SOFTMAX_OVER_QUERIES,
    ),
    Misconception(
        "batch_softmax",
        "CausalAttention",
        "the softmax runs over the batch",
        (("dim=-1))", "dim=0))"),),
        hint=SOFTMAX_OVER_BATCH,
    ),
    Misconception(
        "no_scale",
        "CausalAttention",
        "leaves the scores undivided",
        ((" / math.sqrt(keys.shape[-1])", ""),),
        hint=NOT_SCALED,
    ),
    Misconception(
        "relu_on_values",
        "CausalAttention",
        "sets what is negative in the values to 0, as a relu does",
        (("weights @ values", "weights @ torch.relu(values)"),),
        hint=VALUES_BENT,
    ),
    Misconception(
        "half_outside",
        "CausalAttention",
        "divides by twice the size, as `/ d ** 1 / 2` does, not by the root",
        (("/ math.sqrt(keys.shape[-1])", "/ keys.shape[-1] ** 1 / 2"),),
        hint=EXPONENT_CUT_IN_TWO,
    ),
    Misconception(
        "half_as_factor",
        "CausalAttention",
        "divides by half the size, as `/ (d ** 1 / 2)` does, not by the root",
        (("/ math.sqrt(keys.shape[-1])", "/ (keys.shape[-1] ** 1 / 2)"),),
        hint=EXPONENT_CUT_IN_TWO,
    ),
    Misconception(
        "scale_in_int",
        "CausalAttention",
        "rounds the root down to a whole number",
        (("math.sqrt(keys.shape[-1])", "math.isqrt(keys.shape[-1])"),),
        hint=ROOT_CUT_TO_A_WHOLE,
    ),
    Misconception(
        "scale_T",
        "CausalAttention",
        "takes the root of the number of tokens",
        (("keys.shape[-1]", "keys.shape[1]"),),
        hint=ROOT_OF_TOKENS,
    ),
    Misconception(
        "scale_d_in",
        "CausalAttention",
        "takes the root of d_in, the features of a token",
        (("keys.shape[-1]", "x.shape[-1]"),),
        hint=ROOT_OF_TOKEN_FEATURES,
    ),
    Misconception(
        "scale_context",
        "CausalAttention",
        "takes the root of context_length",
        (("math.sqrt(keys.shape[-1])", "math.sqrt(self.mask.shape[0])"),),
        hint=Hint(
            look="With the same seed, build the module once with context_length 6 and once "
            "with 12. Run the same six tokens through both, without dropout. Are the "
            "results equal?",
            think="context_length only says how long a sequence may be. Why should it change "
            "how large the scores are?",
            nearly="Look at the number whose root you take. It should be the size of one query "
            "or key; from which tensor could you read that?",
        ),
    ),
    Misconception(
        "swap",
        "CausalAttention",
        "exchanges queries and keys: another layout of the weights",
        (("queries @ keys.transpose", "keys @ queries.transpose"),),
        hint=SCORES_TRANSPOSED,
    ),
    Misconception(
        "mixes_x",
        "CausalAttention",
        "mixes the tokens themselves, not their values",
        (("weights @ values", "weights @ x"),),
        hint=VALUES_IDLE,
    ),
    Misconception(
        "mixes_keys",
        "CausalAttention",
        "mixes the keys, not the values",
        (("weights @ values", "weights @ keys"),),
        hint=VALUES_IDLE,
    ),
    Misconception(
        "naive_exp",
        "CausalAttention",
        "a softmax by hand that overflows for large scores",
        (
            (
                "self.dropout(torch.softmax(masked, dim=-1))",
                "self.dropout(masked.exp() / masked.exp().sum(dim=-1, keepdim=True))",
            ),
        ),
        hint=EXP_OVERFLOWS,
    ),
    Misconception(
        "no_super",
        "CausalAttention",
        "puts parts into self before nn.Module has prepared itself",
        (("super().__init__()", "pass"),),
        hint=Hint(
            look="Build the module and read the last line of the error message. Which call "
            "does it say has to come first?",
            think="An `nn.Module` keeps lists of its layers and buffers. Who sets up these "
            "lists, and when?",
            nearly="Compare the first line of your `__init__` with the one you were given. The "
            "parent class has to prepare itself before you hang layers on it.",
        ),
    ),
    Misconception(
        "bias_always",
        "CausalAttention",
        "all layers have a bias even where none is asked for",
        (
            ("self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)", "self.W_query = QUERY"),
            ("self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)", "self.W_key = KEY"),
            ("nn.Linear(d_in, d_out, bias=qkv_bias)", "nn.Linear(d_in, d_out)"),
            ("QUERY", "nn.Linear(d_in, d_out)"),
            ("KEY", "nn.Linear(d_in, d_out)"),
        ),
        hint=BIAS_NOT_ASKED,
    ),
    Misconception(
        "bias_never",
        "CausalAttention",
        "no layer has a bias, whatever qkv_bias says",
        (
            (
                "self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)",
                "self.W_query = nn.Linear(d_in, d_out, bias=False)",
            ),
            (
                "self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)",
                "self.W_key = nn.Linear(d_in, d_out, bias=False)",
            ),
            (
                "self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)",
                "self.W_value = nn.Linear(d_in, d_out, bias=False)",
            ),
        ),
        hint=BIAS_NOT_ASKED,
    ),
    Misconception(
        "bias_of_value_only",
        "CausalAttention",
        "gives a bias to the value layer only",
        (
            (
                "self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)",
                "self.W_query = nn.Linear(d_in, d_out, bias=False)",
            ),
            (
                "self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)",
                "self.W_key = nn.Linear(d_in, d_out, bias=False)",
            ),
        ),
        hint=BIAS_NOT_ASKED,
    ),
    Misconception(
        "bias_default_true",
        "CausalAttention",
        "all layers have a bias even where none is asked for",
        (("qkv_bias: bool = False", "qkv_bias: bool = True"),),
        hint=BIAS_NOT_ASKED,
    ),
    Misconception(
        "dims_swapped",
        "CausalAttention",
        "the value layer leads from d_out to d_in",
        (("self.W_value = nn.Linear(d_in, d_out,", "self.W_value = nn.Linear(d_out, d_in,"),),
        hint=Hint(
            look="Build the module with d_in 3 and d_out 2, and print it. Compare "
            "`in_features` and `out_features` of the three layers. Which one differs?",
            think="All three layers read the same tokens. How many features come in, and how "
            "many should come out?",
            nearly="`nn.Linear` takes the size that comes in first, and then the size that goes "
            "out. Check this for the layer that makes the values.",
        ),
    ),
    Misconception(
        "other_names",
        "CausalAttention",
        "calls the value layer W_values",
        (
            ("self.W_value = ", "self.W_values = "),
            ("self.W_value(x)", "self.W_values(x)"),
        ),
        hint=Hint(
            look="Print the names in the module's `state_dict()`, and compare them letter by "
            "letter with the names in the text.",
            think="Saved weights are found again by their names. What happens to somebody who "
            "looks for the name from the text in your module?",
            nearly="Your module calculates correctly. One of the three layers has a name with "
            "one letter too many.",
        ),
    ),
    Misconception(
        "plain_parameters",
        "CausalAttention",
        "W_query is an nn.Parameter, not a layer",
        (
            (
                "self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)",
                "self.W_query = nn.Parameter(torch.rand(d_in, d_out))",
            ),
            ("self.W_query(x)", "x @ self.W_query"),
        ),
        hint=Hint(
            look="Print the module. For how many linear layers do you see a line, and which of "
            "the three names is missing?",
            think="The text asks for three linear layers. What does a layer have that a bare "
            "matrix has not, for example when `qkv_bias` is true?",
            nearly="Look at the query in `__init__`. Make it the same kind of thing as key and "
            "value, and call it in `forward` as you call those.",
        ),
    ),
    Misconception(
        "tied",
        "CausalAttention",
        "W_key and W_query have all their parameters in common",
        (("self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)", "self.W_key = self.W_query"),),
        hint=KEYS_ARE_QUERIES,
    ),
    Misconception(
        "layers_in_forward",
        "CausalAttention",
        "makes a new value layer in every call, which is never trained",
        (("self.W_value(x)", "nn.Linear(*self.W_value.weight.shape[::-1]).to(x)(x)"),),
        hint=NOT_REGISTERED,
    ),
    Misconception(
        "value_in_list",
        "CausalAttention",
        "no W_value is registered, as where a plain list or dictionary holds it",
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
        "weights_detached",
        "CausalAttention",
        "cuts the weights off from the gradient: queries and keys never learn",
        (("weights @ values", "weights.detach() @ values"),),
        hint=WEIGHTS_CUT_OFF,
    ),
    Misconception(
        "values_detached",
        "CausalAttention",
        "cuts the values off from the gradient",
        (("weights @ values", "weights @ values.detach()"),),
        hint=GRADIENT_CUT_OFF,
    ),
    Misconception(
        "keys_detached",
        "CausalAttention",
        "cuts the keys off from the gradient",
        (("keys.transpose", "keys.detach().transpose"),),
        hint=GRADIENT_CUT_OFF,
    ),
    Misconception(
        "inplace",
        "CausalAttention",
        "scales the x that it is given in its place, before the queries are made",
        (
            (
                "queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)",
                "keys, values = self.W_key(x), self.W_value(x)\n"
                "        x /= math.sqrt(keys.shape[-1])\n"
                "        queries = self.W_query(x)",
            ),
            ("(-2, -1) / math.sqrt(keys.shape[-1])", "(-2, -1)"),
        ),
        hint=INPUT_OVERWRITTEN,
    ),
    Misconception(
        "centred_inplace",
        "CausalAttention",
        "subtracts from each token its mean, in the caller's x",
        (("T = x.shape[1]", "x -= x.mean(dim=-1, keepdim=True)\n        T = x.shape[1]"),),
        hint=INPUT_CENTRED,
    ),
    Misconception(
        "first_sequence",
        "CausalAttention",
        "weights all sequences as the first one",
        (("weights @ values", "weights[0] @ values"),),
        hint=SEQUENCES_MEET,
    ),
    Misconception(
        "returns_tuple",
        "CausalAttention",
        "returns the weights too",
        (("return weights @ values", "return weights @ values, weights"),),
        hint=Hint(
            look="Print the type of what `forward` returns. Is it a tensor?",
            think="The modules around this one will feed its result to the next layer. Can that "
            "layer do anything with a pair?",
            nearly="The docstring of the class says what is returned, with its shape. Compare "
            "that with your return line.",
        ),
    ),
    Misconception(
        "squeezed",
        "CausalAttention",
        "squeezes the result, so that a batch of one loses its dimension",
        (("return weights @ values", "return (weights @ values).squeeze()"),),
        hint=Hint(
            look="Run a batch of one sequence and print the shape of x and of the result. How "
            "many dimensions has each?",
            think="A batch of one is still a batch. Somebody who asks for `out[0]` expects a "
            "whole sequence; what would they get?",
            nearly="Look at the end of `forward` for a call that removes dimensions of size 1. "
            "Is there any dimension that should go?",
        ),
    ),
    Misconception(
        "out_proj",
        "CausalAttention",
        "has one more linear layer behind the mixture",
        (
            (
                "        self.dropout = nn.Dropout(dropout)\n",
                "        self.dropout = nn.Dropout(dropout)\n"
                "        self.out_proj = nn.Linear(d_out, d_out)\n",
            ),
            ("return weights @ values", "return self.out_proj(weights @ values)"),
        ),
        hint=LAYER_TOO_MANY,
    ),
    Misconception(
        "mask_in_training_only",
        "CausalAttention",
        "applies the mask in training only",
        (
            (
                "masked = scores.masked_fill(~self.mask[:T, :T], -torch.inf)",
                "masked = scores.masked_fill(~self.mask[:T, :T] & self.training, -torch.inf)",
            ),
        ),
        hint=MASK_IN_TRAINING_ONLY,
    ),
    Misconception(
        "mask_parameter_frozen",
        "CausalAttention",
        "the mask is a parameter, though one that asks for no gradient",
        (
            (
                'self.register_buffer("mask", may_look)',
                "self.mask = nn.Parameter(may_look.float(), requires_grad=False)",
            ),
            ("~self.mask[:T, :T]", "self.mask[:T, :T] == 0"),
        ),
        hint=MASK_IS_PARAMETER,
    ),
    Misconception(
        "order",
        "CausalAttention",
        "creates W_key before W_query: the same seed gives other numbers",
        (
            ("self.W_query = nn", "first = nn"),
            (
                "self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)",
                "self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)\n        self.W_key = first",
            ),
        ),
        hint=ORDER_OF_LAYERS,
    ),
    Misconception(
        "bias_on_values",
        "CausalAttention",
        "the layer of the values always has a bias",
        (
            (
                "self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)",
                "self.W_value = nn.Linear(d_in, d_out)",
            ),
        ),
        hint=BIAS_NOT_ASKED,
    ),
    Misconception(
        "no_sqrt",
        "CausalAttention",
        "divides by d_out in all, not by its root",
        (("math.sqrt(keys.shape[-1])", "keys.shape[-1]"),),
        hint=WRONG_ROOT,
    ),
    Misconception(
        "multiplied",
        "CausalAttention",
        "makes the scores larger by the root of d_out, not smaller",
        (("/ math.sqrt(", "* math.sqrt("),),
        hint=SCALED_UP,
    ),
    Misconception(
        "scale_after",
        "CausalAttention",
        "divides by the root of d_out only after the softmax",
        (
            (" / math.sqrt(keys.shape[-1])", ""),
            (
                "torch.softmax(masked, dim=-1)",
                "torch.softmax(masked, dim=-1) / math.sqrt(keys.shape[-1])",
            ),
        ),
        hint=WEIGHTS_SCALED,
    ),
    Misconception(
        "mask_of_d_out",
        "CausalAttention",
        "makes the mask as large as a value has features",
        (("torch.ones(context_length, context_length,", "torch.ones(d_out, d_out,"),),
        hint=MASK_OF_WRONG_SIZE,
    ),
    Misconception(
        "mask_one_short",
        "CausalAttention",
        "makes the mask for one token less than a sequence may have",
        (
            (
                "torch.ones(context_length, context_length,",
                "torch.ones(context_length - 1, context_length - 1,",
            ),
        ),
        hint=MASK_OF_WRONG_SIZE,
    ),
    Misconception(
        "bias_of_query_only",
        "CausalAttention",
        "gives a bias to the query layer only",
        (
            (
                "self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)",
                "self.W_key = nn.Linear(d_in, d_out, bias=False)",
            ),
            (
                "self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)",
                "self.W_value = nn.Linear(d_in, d_out, bias=False)",
            ),
        ),
        hint=BIAS_NOT_ASKED,
    ),
    Misconception(
        "dropout_renamed",
        "CausalAttention",
        "has no argument with the name dropout",
        (
            ("dropout: float", "drop_rate: float"),
            ("nn.Dropout(dropout)", "nn.Dropout(drop_rate)"),
        ),
        hint=ARGUMENT_NAMES,
    ),
    Misconception(
        "bias_renamed",
        "CausalAttention",
        "has no argument with the name qkv_bias",
        (
            ("qkv_bias: bool = False", "bias: bool = False"),
            (
                "self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)",
                "self.W_query = nn.Linear(d_in, d_out, bias=bias)",
            ),
            (
                "self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)",
                "self.W_key = nn.Linear(d_in, d_out, bias=bias)",
            ),
            (
                "self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)",
                "self.W_value = nn.Linear(d_in, d_out, bias=bias)",
            ),
        ),
        hint=ARGUMENT_NAMES,
    ),
    Misconception(
        "dropout_tenth",
        "CausalAttention",
        "drops a tenth of the weights, whatever dropout is given",
        (("nn.Dropout(dropout)", "nn.Dropout(0.1)"),),
        hint=DROPOUT_WRITTEN_DOWN,
    ),
    Misconception(
        "sdpa_mask_inverted",
        "CausalAttention",
        "shows the future alone, as an inverted attn_mask does; the last token gets 0",
        (
            (
                "return weights @ values",
                "p = self.dropout.p if self.training else 0.0\n"
                "        return nn.functional.scaled_dot_product_attention(\n"
                "            queries, keys, values, attn_mask=~self.mask[:T, :T], "
                "dropout_p=p\n"
                "        )",
            ),
        ),
        hint=MASK_MEANS_THE_OPPOSITE,
    ),
    Misconception(
        "order_value_first",
        "CausalAttention",
        "creates W_value before the others: the same seed gives other numbers",
        (
            (
                "self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)\n"
                "        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)\n"
                "        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)",
                "self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)\n"
                "        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)\n"
                "        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)",
            ),
        ),
        hint=ORDER_OF_LAYERS,
    ),
    Misconception(
        "dropout_in_eval_only",
        "CausalAttention",
        "drops in evaluation and not in training",
        (
            (
                "self.dropout(torch.softmax(masked, dim=-1))",
                "nn.functional.dropout(\n"
                "            torch.softmax(masked, dim=-1), self.dropout.p, not "
                "self.training\n"
                "        )",
            ),
        ),
        hint=DROPS_AFTER_EVAL,
    ),
    Misconception(
        "dropout_scaled_in_eval",
        "CausalAttention",
        "drops without making the rest larger, and makes all weights smaller in evaluation",
        (
            (
                "self.dropout(torch.softmax(masked, dim=-1))",
                "torch.softmax(masked, dim=-1)\n"
                "        if self.training:\n"
                "            weights = weights * (torch.rand_like(weights) >= "
                "self.dropout.p)\n"
                "        else:\n"
                "            weights = weights * (1 - self.dropout.p)",
            ),
        ),
        hint=SCALED_IN_EVALUATION,
    ),
    Misconception(
        "mask_parameter_of_future",
        "CausalAttention",
        "the mask is a parameter that holds 1 for each hidden place",
        (
            (
                'self.register_buffer("mask", may_look)',
                "self.mask = nn.Parameter(1 - may_look.float())",
            ),
            ("~self.mask[:T, :T]", "self.mask[:T, :T] == 1"),
        ),
        hint=MASK_TRAINED,
    ),
]
