"""Wrong solutions of transformer, as students write them."""

from autograder.misconceptions import Hint, Misconception

POSITIONS_NOT_FROM_ZERO = Hint(
    look=(
        "Print the numbers with which you look into position_embedding, for a sequence of three "
        "tokens. Which number does the first token get, and which the last?"
    ),
    think=(
        "A position says how many tokens stand in front of a token. How many stand in front of "
        "the first one, and does that change when the sequence gets longer?"
    ),
    nearly=(
        "Look at the range of numbers that you make for the look-up: where it begins, and in "
        "which direction it runs. A short sequence uses the first T rows of the table, in their "
        "order."
    ),
)

POSITIONS_ALIKE = Hint(
    look=(
        "Give your model one token three times, for example [2, 2, 2]. Compare the logits at "
        "positions 0 and 1."
    ),
    think=(
        "Two equal tokens at different places should look different to the model. Do the numbers "
        "that choose the rows of position_embedding differ from place to place, even where the "
        "tokens are equal?"
    ),
    nearly=(
        "Print the index that you hand to position_embedding. It should come from the place t "
        "alone: not from the token that stands there, and it should not be one number for the "
        "whole sequence."
    ),
)

MASK_WITHOUT_EFFECT = Hint(
    look=(
        "Change the last token of a sequence and compare the logits at position 0 before and "
        "after. Then print the weights of one head: where are the zeros?"
    ),
    think=(
        "A token that is to predict the next one must not see it. What has to happen to the "
        "scores of later positions before the softmax?"
    ),
    nearly=(
        "Look at the tensor that goes into your softmax. Is it the one in which later scores have "
        "been replaced (masked_fill gives back a new tensor and leaves the old one as it is)?"
    ),
)

BLOCKS_NOT_REGISTERED = Hint(
    look=(
        "Count the numbers in the parameters() of TinyTransformer(5, 4, 2, 2, 3). You get 37 and "
        "not 241; which line of the table in the statement is missing?"
    ),
    think=(
        "An optimizer changes what parameters() lists, and PyTorch lists only parts that it was "
        "given to keep. Where must the blocks be made, and in what must they be kept, to be among "
        "them?"
    ),
    nearly=(
        "PyTorch does not look into a plain Python list, and what forward makes is forgotten "
        "after the call. Blocks are made once, in __init__; the statement names the container to "
        "use."
    ),
)

SOFTMAX_AT_THE_END = Hint(
    look=(
        "Print the smallest and the largest of the logits that a fresh model gives. Which signs "
        "do they have?"
    ),
    think=(
        "Logits are free scores, some above 0 and some below. Which function turns them into "
        "probabilities, or into logarithms of probabilities, and who calls it during training?"
    ),
    nearly=(
        "The loss function cross_entropy has a softmax built in. Look at what you do with the "
        "result of the head before you return it."
    ),
)

AXIS_MISSING = Hint(
    look=(
        "Build a model with a vocabulary of 5, give it two sequences of three tokens and print "
        "the shape of the result. Which of the axes B, T and vocab_size is missing?"
    ),
    think=(
        "At every position the model guesses what comes next, and a guess is a score for each "
        "token of the vocabulary. How many numbers are that for a sequence of three tokens?"
    ),
    nearly=(
        "Somewhere near the end you average over an axis or choose from it. Whoever uses the "
        "model does such things later; look at what stands around the head."
    ),
)

BLOCKS_READ_EMBEDDINGS = Hint(
    look=(
        "Build a model with three blocks and print a few numbers of what each block receives. Do "
        "all of them get the same?"
    ),
    think=(
        "The blocks stand one after the other: the second works on what the first has found out. "
        "Which block reads the result of the first in your code?"
    ),
    nearly=(
        "Look at what a block is given in your loop. It should be what the block before it "
        "returned, and only the first block gets the embeddings."
    ),
)

RESHAPE_MIXES_TOKENS = Hint(
    look=(
        "In the check by hand token 0 should give its own numbers, [2, 4, 1, 0]. Which of the "
        "numbers that you get for it have to do with token 1?"
    ),
    think=(
        "reshape and view leave all numbers in their order in memory and only cut them anew. In "
        "which order do tokens, heads and features lie before, and which order does the new shape "
        "assume?"
    ),
    nearly=(
        "Splitting into heads exchanges the axes T and H, and merging exchanges them back. Look "
        "at both places: cutting anew cannot exchange axes, rearrange or transpose can."
    ),
)

NEW_TENSORS_ON_CPU = Hint(
    look=(
        "Print torch.arange(3).device: there PyTorch puts a new tensor if nobody says otherwise. "
        "Which tensors does your forward make itself, and where do they lie when the model runs "
        "on a GPU?"
    ),
    think=(
        "Tensors on different devices cannot be used together. Who decides where the model runs: "
        "your code, or whoever hands over idx?"
    ),
    nearly=(
        "The functions that make the positions and the mask take a device, and one of yours is "
        "not told any. Which tensor at hand knows the right one?"
    ),
)

HEAD_FROM_TABLE = Hint(
    look=(
        "Set all numbers of token_embedding.weight to 0 and call the model. Do the logits of "
        "different positions still differ, as they should?"
    ),
    think=(
        "One table says what a token means on its way in, the head scores the tokens on the way "
        "out. What does the statement say about weights that both of them use?"
    ),
    nearly=(
        "Search your code for a second place where token_embedding.weight is used. The logits "
        "come from the head, with a weight that belongs to it alone."
    ),
)

TOKENS_REPLACED = Hint(
    look=(
        "Change only token 0 of a sequence and compare the logits at position 0 before and after. "
        "Do they move?"
    ),
    think=(
        "The logits at position t say what follows after token t, so they need token t itself. "
        "Who compares them with the token one place further on: the model, or the loss?"
    ),
    nearly=(
        "Print idx when it enters forward, and again when it is looked up in token_embedding. "
        "Something is moved or written over in between; the model should read idx as it comes and "
        "leave it alone."
    ),
)

POSITIONS_WITHOUT_TABLE = Hint(
    look=(
        "Write other numbers into position_embedding.weight and call the model again. Do the "
        "logits move?"
    ),
    think=(
        "What a place means is to be learned, as a row of a table. The bare number t would not "
        "help: it raises all features of a token alike, and the norm takes that away again."
    ),
    nearly=(
        "Look at the line that makes x. The row of the token is in it; what stands beside that "
        "row, and was it looked up in position_embedding?"
    ),
)

EMBEDDINGS_NOT_SUMMED = Hint(
    look=(
        "Set all numbers of position_embedding.weight to 0 and print x in front of the first "
        "block. Is it what token_embedding has for these tokens, dim_h numbers for each?"
    ),
    think=(
        "A position of zeros should leave the vector of the token as it is. Which way of putting "
        "two vectors together has this property?"
    ),
    nearly=(
        "Both tables have dim_h columns, and the statement has one operation between their rows. "
        "Look at how you make x: is there another operation, or a factor, in it?"
    ),
)

FIXED_LENGTH = Hint(
    look=(
        "Call a model with block_size 6 on a sequence of 5 tokens and read the two sizes in the "
        "message. One of them is T; where does the other come from?"
    ),
    think=(
        "A sequence may be shorter than block_size. Which tensors need one row for each token, "
        "and for how many tokens are yours made?"
    ),
    nearly=(
        "Look at the mask and at the rows of the positions. The length at hand stands in the "
        "shape of idx and of x; one of the two takes its size from somewhere else."
    ),
)

POSITIONS_NOT_TRAINED = Hint(
    look=(
        "Call backward on the sum of the logits and go through named_parameters(). Is the table "
        "of the positions there, and is its grad a tensor or None?"
    ),
    think=(
        "Training changes only what is a parameter, and only if the gradient reaches it. Nobody "
        "knows beforehand which vector suits position 3; how is it to be found?"
    ),
    nearly=(
        "Look at two places: what kind of thing position_embedding is in __init__, and what is "
        "done to its rows between the look-up and the sum."
    ),
)

NO_NORM_BEFORE_HEAD = Hint(
    look=(
        "Print the mean and the standard deviation of each token's features as the head receives "
        "them, in a fresh model. Are they about 0 and 1?"
    ),
    think=(
        "Each block adds something to the main path, so its numbers change their size from block "
        "to block. What brings them to one size before the head reads them?"
    ),
    nearly=(
        "Follow x in your forward from the last block to the head. Where is ln_f applied, if it "
        "is, and does the head read what it gives?"
    ),
)

PARAMETERS_DIFFER = Hint(
    look=(
        "Print the names and shapes of all parameters of TinyTransformer(5, 4, 2, 2, 3) and "
        "compare them with the table that counts them by hand. Which part has more numbers than "
        "there, or fewer?"
    ),
    think=(
        "A linear layer may have a bias or not, and a norm may have learned numbers or not. What "
        "does the statement say about to_qkv, to_out, head and ln_f?"
    ),
    nearly=(
        "PyTorch gives these parts all their learned numbers unless an argument says otherwise. "
        "Find the part that stood out, and check its arguments in __init__."
    ),
)

WRONG_LAST_SIZE = Hint(
    look=(
        "Build TinyTransformer(5, 4, 6, 2, 1), whose first three sizes are all different. How "
        "many numbers does it give at each position, and which of the sizes is that?"
    ),
    think=(
        "The result has one score for every token that could come next. How many tokens are there?"
    ),
    nearly=(
        "The last step turns the dim_h features of a token into its scores. Check the two sizes "
        "of the head in __init__, and whether x passes through the head at the end of forward."
    ),
)

SHAPED_FOR_THE_LOSS = Hint(
    look=(
        "Build a model with a vocabulary of 5, give it two sequences of three tokens and print "
        "the shape of the result. Compare it with (B, T, vocab_size), axis by axis."
    ),
    think=(
        "cross_entropy wants its numbers in a shape of its own. Who should bring them into that "
        "shape: the model, or whoever computes the loss?"
    ),
    nearly=(
        "The head gives the shape that is asked for. Look at what you do to its result, and at "
        "answer_loss further down, which arranges the logits itself."
    ),
)

SAME_BLOCK_AGAIN = Hint(
    look=(
        "Print id(...) of each block that x passes in your loop, for a model with three blocks. "
        "How many different numbers are there?"
    ),
    think=(
        "Each block is to learn something of its own. How many blocks with weights of their own "
        "does x meet in your model?"
    ),
    nearly=(
        "Check two places: whether __init__ makes a new Block for each entry of the list (a list "
        "times a number repeats one object), and which block is called in each round of the loop "
        "in forward."
    ),
)

NUMBER_OF_BLOCKS = Hint(
    look=(
        "Let Block print a word in its forward, and call a model with n_layers = 1 and one with "
        "n_layers = 4. How often does each print it?"
    ),
    think=(
        "n_layers says how many blocks x passes, one after the other. Where does this number "
        "enter your code, and does the loop run to its end?"
    ),
    nearly=(
        "Check two places: how many blocks __init__ puts into the list, and what stands inside "
        "the loop in forward, which the indentation decides."
    ),
)

ADDED_ONCE_TOO_OFTEN = Hint(
    look=(
        "Set all parameters of attn.to_out and ffl.secondlayer to 0, in every block. Does ln_f "
        "get the same numbers as the first block?"
    ),
    think=(
        "A block whose two branches give 0 hands its input on as it is. Where is something added "
        "to it all the same?"
    ),
    nearly=(
        "The formulas of a block have two sums, and they are all that is needed. Look "
        "for a third one: in the block, in the attention, which returns nothing but its"
        " own result, or in the loop over the blocks."
    ),
)

SEQUENCES_MIXED = Hint(
    look=(
        "Give your model a batch of two sequences and change only the first of them. Do the "
        "logits of the second move?"
    ),
    think=(
        "The sequences of a batch know nothing of each other. Attention mixes along one axis; is "
        "it that of the tokens, or has the batch got into it?"
    ),
    nearly=(
        "Print the shape of your scores for B = 2 and T = 3 and compare it with (B, H, T, T). "
        "Then look for the place where axes are named or reshaped so that sequences pass for "
        "tokens."
    ),
)

DROPOUT = Hint(
    look=(
        "Call your model twice on the same idx, and then twice more after model.eval(). Which "
        "results are equal?"
    ),
    think=(
        "Chance has a part in one of your steps. Which layer throws numbers away at random while "
        "a model is being trained, and does the statement ask for it?"
    ),
    nearly=(
        "Go through your three classes and look for a dropout, be it a module or a function. The "
        "formulas have no place for one."
    ),
)

OTHER_NAMES = Hint(
    look=(
        "Print the names of all parameters of your model. Compare them with the names in the "
        "statement and, for ffl, with those in your FeedForwardLayer."
    ),
    think=(
        "Weights are loaded by their names. What becomes of a weight if your model has no part of "
        "that name?"
    ),
    nearly=(
        "The name of a parameter is made of the attributes on the way to it. Check what you call "
        "the parts in __init__, and whether ffl is the layer that you wrote earlier or something "
        "built anew."
    ),
)

MASK_WRONG_TRIANGLE = Hint(
    look=(
        "Print the scores of one head right before the softmax, for three tokens. Which are minus "
        "infinity in the row of token 0, and which in the row of token 2?"
    ),
    think=(
        "The row belongs to the token that looks, the column to the token that is looked at. How "
        "many entries may token 0 keep, and how many token 2?"
    ),
    nearly=(
        "Sketch a square of 3 by 3 and mark what must be hidden. Compare it with your mask: which "
        "triangle do triu and tril give, and does True in your mask mean hidden or seen?"
    ),
)

MASK_BORDER = Hint(
    look=(
        "Print the scores of one head right before the softmax, for three tokens. How many in "
        "each row are not minus infinity?"
    ),
    think=(
        "The token at position t looks at positions 0 to t. How many are these for the first "
        "token, and is the token itself among them?"
    ),
    nearly=(
        "The border of your mask is one place off. triu takes a diagonal: try some values of it "
        "on a small square of ones, and watch what happens to the main diagonal."
    ),
)

HIDDEN_SCORE_NEAR_ZERO = Hint(
    look=(
        "Print the weights of one head for two tokens. Token 0 should see only itself; which "
        "weight does it give to token 1?"
    ),
    think=(
        "Softmax raises e to the power of each score. How large is that for the number that "
        "stands at the hidden places in your scores?"
    ),
    nearly=(
        "You hide the right places; look at the number that is put there. It must be so low that "
        "nothing at all is left of it after the softmax, and the statement names it."
    ),
)

CHANGED_AFTER_SOFTMAX = Hint(
    look=(
        "Add up each row of the weights, as they are when they meet the values. Which of the sums "
        "are not 1?"
    ),
    think=(
        "Softmax shares out a total of 1 among the keys. What becomes of the total when the "
        "shares are changed afterwards?"
    ),
    nearly=(
        "One of your steps comes too late: it works on the weights, or on what they "
        "mix, but should work on the scores. Look at what you do behind the softmax, "
        "and at the brackets in the formula of the statement."
    ),
)

QUERIES_AND_KEYS_EXCHANGED = Hint(
    look=(
        "Take the check by hand: token 1 should have the weights 1/4 and 3/4 in head 1. Which do "
        "you get, and which when you exchange the first two thirds of to_qkv.weight?"
    ),
    think=(
        "In the scores a row belongs to the token that asks and a column to the token that is "
        "asked. Which of q and k asks?"
    ),
    nearly=(
        "The roles can be exchanged in two places: where you give names to the thirds of to_qkv's "
        "result, and where you multiply queries by keys. Compare both with the statement."
    ),
)

VALUES_FROM_WRONG_THIRD = Hint(
    look=(
        "Token 0 sees only itself, so the attention hands on its value. Change the second third "
        "of to_qkv.weight, and then the last: which of the two moves the result for token 0?"
    ),
    think=(
        "Queries and keys decide who is listened to; the values are what is said. In which third "
        "do the values lie?"
    ),
    nearly=(
        "Check two places: which name each third of to_qkv's result gets, and which of the three "
        "meets the weights at the end."
    ),
)

HEADS_ALTERNATE = Hint(
    look=(
        "Send the numbers 0, 1, 2, 3 as the features of one token through your splitting into two "
        "heads, and then through your merging. Which does head 0 get, and in which order do they "
        "come out?"
    ),
    think=(
        "The heads follow each other: all features of head 0 come first, then those of head 1. "
        "Which letter in a bracket of rearrange changes with every step, the first or the last?"
    ),
    nearly=(
        "Two brackets matter, the one where you split and the one where you merge. Compare the "
        "order of their letters with the one that the statement gives."
    ),
)

SIZE_OF_HEADS = Hint(
    look=(
        "Print the shape of q for dim_h = 8 and nr_heads = 2. Which number stands in the place of "
        "H, and which in that of d?"
    ),
    think=(
        "The heads share the dim_h features among them. How many heads should there be here, and "
        "how many features does each get?"
    ),
    nearly=(
        "Where you split the features, you tell one of the two sizes and the other follows from "
        "it. Look at which size you tell, and which number you give it."
    ),
)

SCALE = Hint(
    look=(
        "Take dim_h = 32, two heads and five tokens, and print a score before and after the "
        "scaling. Which factor lies between the two, and which does the statement ask for here?"
    ),
    think=(
        "Long queries and keys have large dot products. One head has d features; by what must the "
        "scores be divided to stay in bounds, whatever d is?"
    ),
    nearly=(
        "Look at what you do to the product of queries and keys: is it made smaller, is there a "
        "root, and is the number under it the size of one head?"
    ),
)

SOFTMAX_ALONG_WRONG_AXIS = Hint(
    look=(
        "Print the weights of one head for three tokens and add up each row. Which of the sums "
        "are 1, and is there a nan among them?"
    ),
    think=(
        "Whoever looks has one whole attention to give, and shares it out among the tokens looked "
        "at. Along which axis of the scores (B, H, T, T) do those lie?"
    ),
    nearly=(
        "Say in words what each of the four axes of the scores stands for. Which one does the dim "
        "of your softmax name?"
    ),
)

PART_NOT_CALLED = Hint(
    look=(
        "Call backward on the sum of the logits and print the names of the parameters whose grad "
        "is None. To which part do they belong?"
    ),
    think=(
        "The gradient reaches only what had a share in the result. Which step of the formulas "
        "does not take place in your forward?"
    ),
    nearly=(
        "A part is made in __init__ and never called. Go through the formulas of the attention "
        "and of the block, one operation after the other, and look for each of them in your code."
    ),
)

NORM_ON_MAIN_PATH = Hint(
    look=(
        "Set all parameters of attn.to_out and ffl.secondlayer to 0 and send 100 * torch.randn(1, "
        "3, 6) through Block(6, 2). Do numbers of that size come out, or much smaller ones?"
    ),
    think=(
        "Nothing stands on the main path: the branches leave it, pass their norms and come back. "
        "What should come out of a block whose branches add nothing?"
    ),
    nearly=(
        "In pre-norm only attn and ffl read what a norm gives. Look at what their results are "
        "added to, and whether a norm has been there first or comes afterwards."
    ),
)

BRANCH_READS_RAW_NUMBERS = Hint(
    look=(
        "Send 100 * torch.randn(1, 3, 6) through a fresh Block(6, 2) and print what attn and ffl "
        "receive. Which of them gets numbers that are far from 1?"
    ),
    think=(
        "In pre-norm each branch begins with its norm, so that attn and ffl always read numbers "
        "of about the same size. What do yours read?"
    ),
    nearly=(
        "Read the two formulas of the block from the inside of their brackets outwards, and "
        "compare in each branch what comes first and what comes second in your forward."
    ),
)

NO_SKIP = Hint(
    look=(
        "Set all parameters of attn.to_out and ffl.secondlayer to 0 and send a random x through "
        "the block. What comes out?"
    ),
    think=(
        "A branch adds to the main path and does not take its place. What should be left of x "
        "when both branches give 0?"
    ),
    nearly=(
        "Count the sums in the forward of your Block and compare them with the two formulas of "
        "the statement. In which of them is what came in lost?"
    ),
)

FEED_FORWARD_BEFORE_ATTENTION = Hint(
    look=(
        "Print what ffl receives in a block, change the numbers of attn.to_out and print it "
        "again. Does it change?"
    ),
    think=(
        "First the tokens gather from each other, then each of them works on what it has "
        "gathered. On what does your feed-forward part work?"
    ),
    nearly=(
        "The second formula of the block uses the result of the first. Look at what you hand to "
        "ln2: has attention been added to it by then?"
    ),
)

WRONG_NORM = Hint(
    look=(
        "Set weight and bias of ln1 to 0 and print what attn and ffl receive. Which of the two "
        "gets nothing but zeros?"
    ),
    think=(
        "Each branch has a norm of its own, which learns what suits this branch. Which one "
        "belongs to attention, and which to the feed-forward part?"
    ),
    nearly=(
        "Compare the numbers in the names of the norms in the two formulas with those in your "
        "forward, one branch after the other."
    ),
)

WRONG_WIDTH = Hint(
    look=("Print the shape of ffl.firstlayer.weight in Block(6, 2). How many rows does it have?"),
    think=(
        "The feed-forward part gives each token more room to work in, and then returns to dim_h. "
        "How many times as wide is that room in the statement?"
    ),
    nearly=(
        "Your FeedForwardLayer takes two sizes, and the second is the width in between. Look at "
        "what you hand over there in the __init__ of Block."
    ),
)

WRONG_ACTIVATION = Hint(
    look=(
        "Send 1.0 and -1.0 through ffl.activation of a block and print five decimals. The exact "
        "GELU gives 0.84134 and -0.15866; what do you get?"
    ),
    think=(
        "Several functions bend numbers in a similar way, and some of them differ only in the "
        "fourth decimal. Which one did you build in the earlier assignment?"
    ),
    nearly=(
        "Your own FeedForwardLayer brings its activation along. Look for a place in Block where "
        "it is replaced, or for an argument that makes it only an approximation."
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

LOGITS_ALONE = Hint(
    look=(
        "Print the type of what your model returns for a batch of tokens. Is it a tensor of "
        "shape (B, T, vocab_size), or something around one?"
    ),
    think=(
        "A loss belongs to training, and is computed outside of this model. What does the "
        "statement say that forward returns?"
    ),
    nearly=(
        "Look at what stands behind `return`. How many things are there, and which one is asked "
        "for?"
    ),
)

ARGUMENTS_IN_ORDER = Hint(
    look=(
        "Build TinyTransformer(5, 4, 2, 2, 3) and print the shapes of the two tables of "
        "embeddings. Has the one for tokens 5 rows, and the one for positions 4?"
    ),
    think=(
        "A caller hands over five numbers by their places. What does the statement say about "
        "their order?"
    ),
    nearly=(
        "Compare the head of your `__init__` with that of the statement, and then the sizes of "
        "the two tables: which argument says how many rows each one has?"
    ),
)

HIDDEN_NOT_FOR_SURE = Hint(
    look=(
        "Make to_qkv.weight so large that scores lie thousands apart. Does a later "
        "token get any weight?"
    ),
    think=(
        "A fixed number hides a token only while all other scores are far above it. Which "
        "score is below every other one?"
    ),
    nearly=("Look at the number that you fill in, and compare it with the one in the statement."),
)

POSITIONS_FROM_TOKENS = Hint(
    look=(
        "Put the same tokens in another order and print what you look up in "
        "position_embedding. Does it move along with the tokens?"
    ),
    think=(
        "The first token is at position 0, whatever token it is. What do you need to know of "
        "idx to number the positions?"
    ),
    nearly=(
        "Look at what you hand to position_embedding. The numbers of the tokens belong to the "
        "other table."
    ),
)

MISCONCEPTIONS: list[Misconception] = [
    Misconception(
        "pos_one_based",
        "TinyTransformer",
        "counts positions from 1, so that row 0 is never used",
        (("torch.arange(idx.shape[1], device", "torch.arange(1, idx.shape[1] + 1, device"),),
        hint=POSITIONS_NOT_FROM_ZERO,
    ),
    Misconception(
        "pos_by_token",
        "TinyTransformer",
        "looks up positions by the numbers of the tokens",
        (("self.position_embedding(positions)", "self.position_embedding(idx)"),),
        hint=POSITIONS_ALIKE,
    ),
    Misconception(
        "no_mask",
        "TinyTransformer",
        "no mask takes effect: every token sees the whole sequence",
        (("scores.masked_fill(later, -math.inf).softmax", "scores.softmax"),),
        within="CausalMultiHeadAttention",
        hint=MASK_WITHOUT_EFFECT,
    ),
    Misconception(
        "blocks_list",
        "TinyTransformer",
        "PyTorch does not see the blocks, as where a plain list holds them",
        (
            ("nn.ModuleList([", "["),
            ("range(n_layers)])", "range(n_layers)]"),
        ),
        hint=BLOCKS_NOT_REGISTERED,
    ),
    Misconception(
        "softmax_out",
        "TinyTransformer",
        "returns probabilities, not logits",
        (("self.head(self.ln_f(x))", "self.head(self.ln_f(x)).softmax(dim=-1)"),),
        hint=SOFTMAX_AT_THE_END,
    ),
    Misconception(
        "pooled",
        "TinyTransformer",
        "averages over all positions: one prediction for the whole sequence",
        (("self.head(self.ln_f(x))", "self.head(self.ln_f(x).mean(dim=1))"),),
        hint=AXIS_MISSING,
    ),
    Misconception(
        "last_block_only",
        "TinyTransformer",
        "gives the embeddings to every block, so that only the last one counts",
        (
            ("x = self.token", "embedded = self.token"),
            ("x = block(x)", "x = block(embedded)"),
        ),
        hint=BLOCKS_READ_EMBEDDINGS,
    ),
    Misconception(
        "merge_view",
        "TinyTransformer",
        "reshapes straight back to (B, T, dim_h), which mixes tokens and heads",
        (('rearrange(weights @ v, "b h n d -> b n (h d)")', "(weights @ v).reshape(x.shape)"),),
        within="CausalMultiHeadAttention",
        hint=RESHAPE_MIXES_TOKENS,
    ),
    Misconception(
        "cpu_pos",
        "TinyTransformer",
        "has a tensor on the CPU, wherever idx is",
        ((", device=idx.device", ""),),
        hint=NEW_TENSORS_ON_CPU,
    ),
    Misconception(
        "tied_untold",
        "TinyTransformer",
        "the head shares its weight with token_embedding",
        (
            (
                "self.head = nn.Linear(dim_h, vocab_size)",
                (
                    "self.head = nn.Linear(dim_h, vocab_size)\n"
                    "        self.head.weight = self.token_embedding.weight"
                ),
            ),
        ),
        hint=HEAD_FROM_TABLE,
    ),
    Misconception(
        "shifted_tokens",
        "TinyTransformer",
        "shifts the tokens to the right inside the model",
        (("positions = ", ("idx = nn.functional.pad(idx[:, :-1], (1, 0))\n        positions = ")),),
        hint=TOKENS_REPLACED,
    ),
    Misconception(
        "no_positions",
        "TinyTransformer",
        "position_embedding has no part in the result",
        ((" + self.position_embedding(positions)", ""),),
        hint=POSITIONS_WITHOUT_TABLE,
    ),
    Misconception(
        "multiplied",
        "TinyTransformer",
        "multiplies the two embeddings",
        (("(idx) + self", "(idx) * self"),),
        hint=EMBEDDINGS_NOT_SUMMED,
    ),
    Misconception(
        "concatenated",
        "TinyTransformer",
        "puts the two embeddings side by side, each of half the width",
        (
            ("nn.Embedding(vocab_size, dim_h)", "nn.Embedding(vocab_size, dim_h // 2)"),
            ("nn.Embedding(block_size, dim_h)", "nn.Embedding(block_size, dim_h - dim_h // 2)"),
            (
                "x = self.token_embedding(idx) + self.position_embedding(positions)",
                (
                    "p = self.position_embedding(positions).expand(*idx.shape, -1)\n"
                    "        x = torch.cat([self.token_embedding(idx), p], dim=-1)"
                ),
            ),
        ),
        hint=EMBEDDINGS_NOT_SUMMED,
    ),
    Misconception(
        "pos_reversed",
        "TinyTransformer",
        "counts positions from the end of the sequence",
        (
            (
                "torch.arange(idx.shape[1], device=idx.device)",
                "torch.arange(idx.shape[1], device=idx.device).flip(0)",
            ),
        ),
        hint=POSITIONS_NOT_FROM_ZERO,
    ),
    Misconception(
        "pos_right_aligned",
        "TinyTransformer",
        "gives the last token the last position, however short the sequence",
        (
            (
                "torch.arange(idx.shape[1], device=idx.device)",
                (
                    "torch.arange(idx.shape[1], device=idx.device)\n"
                    "        positions += self.position_embedding.num_embeddings - idx.shape[1]"
                ),
            ),
        ),
        hint=POSITIONS_NOT_FROM_ZERO,
    ),
    Misconception(
        "pos_whole_block",
        "TinyTransformer",
        "adds all block_size positions, which fits full sequences only",
        (("self.position_embedding(positions)", "self.position_embedding.weight"),),
        hint=FIXED_LENGTH,
    ),
    Misconception(
        "pos_of_batch",
        "TinyTransformer",
        "numbers the sequences of the batch, not the tokens",
        (
            ("idx.shape[1]", "idx.shape[0]"),
            ("self.position_embedding(positions)", "self.position_embedding(positions)[:, None]"),
        ),
        hint=Hint(
            look=(
                "Give your model a batch of two equal sequences, and compare the two results. "
                "Should they be equal, and are they?"
            ),
            think=(
                "idx has the shape (B, T). Along which of these two axes does a position count?"
            ),
            nearly=(
                "Look at the size from which you make the positions, and at the axis along which "
                "their rows are spread out. Both should be that of the tokens in a sequence, not "
                "that of the sequences in a batch."
            ),
        ),
    ),
    Misconception(
        "pos_zero",
        "TinyTransformer",
        "looks up position 0 for every token",
        (("torch.arange(idx.shape[1], device=idx.device)", "torch.zeros_like(idx)"),),
        hint=POSITIONS_ALIKE,
    ),
    Misconception(
        "pos_by_length",
        "TinyTransformer",
        "looks up the length of the sequence for every token",
        (
            (
                "torch.arange(idx.shape[1], device=idx.device)",
                "torch.full_like(idx, idx.shape[1] - 1)",
            ),
        ),
        hint=POSITIONS_ALIKE,
    ),
    Misconception(
        "pos_raw",
        "TinyTransformer",
        "position_embedding has no part in the result",
        (("self.position_embedding(positions)", "positions[:, None]"),),
        hint=POSITIONS_WITHOUT_TABLE,
    ),
    Misconception(
        "pos_frozen",
        "TinyTransformer",
        "cuts the position embeddings off from the gradient",
        (("self.position_embedding(positions)", "self.position_embedding(positions).detach()"),),
        hint=POSITIONS_NOT_TRAINED,
    ),
    Misconception(
        "pos_buffer",
        "TinyTransformer",
        "no parameter holds the position embeddings, as where a buffer does",
        (
            (
                "self.position_embedding = nn.Embedding(block_size, dim_h)",
                'self.register_buffer("position_embedding", torch.randn(block_size, dim_h))',
            ),
            ("self.position_embedding(positions)", "self.position_embedding[positions]"),
        ),
        hint=POSITIONS_NOT_TRAINED,
    ),
    Misconception(
        "pos_in_every_block",
        "TinyTransformer",
        "adds the position embeddings anew before every block",
        (
            ("x = block(x)", "x = block(x + self.position_embedding(positions))"),
            (
                "self.token_embedding(idx) + self.position_embedding(positions)",
                "self.token_embedding(idx)",
            ),
        ),
        hint=Hint(
            look=(
                "Build a model with three blocks and set all parameters of attn.to_out and "
                "ffl.secondlayer to 0, so that no block adds anything. How often is the row of a "
                "position contained in what leaves the last block?"
            ),
            think=(
                "The main path carries everything that is put on it to its end. What becomes of "
                "something that is put on it again before each block?"
            ),
            nearly=(
                "The positions are part of the embeddings. Look at what you hand to a block in "
                "the loop, and at what x is before the loop begins."
            ),
        ),
    ),
    Misconception(
        "embedding_scaled",
        "TinyTransformer",
        "multiplies the token embeddings by the root of dim_h, as the first transformer did",
        (
            (
                "self.token_embedding(idx)",
                "self.token_embedding(idx) * math.sqrt(self.head.in_features)",
            ),
        ),
        hint=EMBEDDINGS_NOT_SUMMED,
    ),
    Misconception(
        "token_embedding_linear",
        "TinyTransformer",
        "feeds the numbers of the tokens to a linear layer",
        (
            ("nn.Embedding(vocab_size, dim_h)", "nn.Linear(1, dim_h)"),
            (
                "self.token_embedding(idx)",
                "self.token_embedding(idx[..., None].to(self.head.weight.dtype))",
            ),
        ),
        hint=Hint(
            look=(
                "Print the vectors that token_embedding gives for the tokens 0, 1, 2 and 3. What "
                "do you find when you subtract each from the next?"
            ),
            think=(
                "The number of a token is a name and not a size: token 4 is not twice token 2. "
                "How can every token have a vector that has nothing to do with those of its "
                "neighbours?"
            ),
            nearly=(
                "Look at the kind of module that token_embedding is. It should look up one of "
                "vocab_size rows, and not multiply by the number of the token."
            ),
        ),
    ),
    Misconception(
        "positions_by_vocabulary",
        "TinyTransformer",
        "position_embedding has a row for each token of the vocabulary, not for each position",
        (("nn.Embedding(block_size, dim_h)", "nn.Embedding(vocab_size, dim_h)"),),
        hint=ARGUMENTS_IN_ORDER,
    ),
    Misconception(
        "arguments_exchanged",
        "TinyTransformer",
        "takes block_size before vocab_size",
        (("vocab_size: int, block_size: int", "block_size: int, vocab_size: int"),),
        hint=ARGUMENTS_IN_ORDER,
    ),
    Misconception(
        "padding_idx",
        "TinyTransformer",
        "treats token 0 as padding, which is never trained",
        (("nn.Embedding(vocab_size, dim_h)", "nn.Embedding(vocab_size, dim_h, padding_idx=0)"),),
        hint=Hint(
            look=(
                "Print row 0 of token_embedding.weight in a fresh model, and row 0 of its grad "
                "after a backward on sequences in which token 0 occurs. How do they differ from "
                "the other rows?"
            ),
            think=(
                "Token 0 is a token like all others; in the sorting task it is the digit 0. How "
                "would it learn its vector?"
            ),
            nearly=(
                "Look at the arguments with which you make the table of tokens. One of them says "
                "that a token only fills gaps and is not to be learned."
            ),
        ),
    ),
    Misconception(
        "no_ln_f",
        "TinyTransformer",
        "has no norm before the head",
        (
            ("        self.ln_f = nn.LayerNorm(dim_h)\n", ""),
            ("self.head(self.ln_f(x))", "self.head(x)"),
        ),
        hint=NO_NORM_BEFORE_HEAD,
    ),
    Misconception(
        "ln_f_unused",
        "TinyTransformer",
        "makes ln_f and does not apply it",
        (("self.head(self.ln_f(x))", "self.head(x)"),),
        hint=NO_NORM_BEFORE_HEAD,
    ),
    Misconception(
        "ln_f_first",
        "TinyTransformer",
        "applies ln_f to the embeddings, before the blocks",
        (
            ("        for block", "        x = self.ln_f(x)\n        for block"),
            ("self.head(self.ln_f(x))", "self.head(x)"),
        ),
        hint=NO_NORM_BEFORE_HEAD,
    ),
    Misconception(
        "ln_f_twice",
        "TinyTransformer",
        "applies ln_f to the embeddings too",
        (("for block in self.blocks", "x = self.ln_f(x)\n        for block in self.blocks"),),
        hint=NO_NORM_BEFORE_HEAD,
    ),
    Misconception(
        "ln_f_everywhere",
        "TinyTransformer",
        "applies ln_f after every block",
        (
            ("x = block(x)", "x = self.ln_f(block(x))"),
            ("self.head(self.ln_f(x))", "self.head(x)"),
        ),
        hint=Hint(
            look=(
                "Build a model with three blocks and count how often ln_f is called when the "
                "model is called once."
            ),
            think=(
                "The main path runs from the embeddings to the last block, and the blocks only "
                "add to it. How often, and where, does ln_f occur in the formula for the logits?"
            ),
            nearly=(
                "Look at what stands inside your loop and what stands behind it. The last norm "
                "prepares the numbers for the head, not for the next block."
            ),
        ),
    ),
    Misconception(
        "ln_f_no_affine",
        "TinyTransformer",
        "the last norm has no weight and no bias",
        (("nn.LayerNorm(dim_h)", "nn.LayerNorm(dim_h, elementwise_affine=False)"),),
        hint=PARAMETERS_DIFFER,
    ),
    Misconception(
        "head_no_bias",
        "TinyTransformer",
        "the head has no bias",
        (("nn.Linear(dim_h, vocab_size)", "nn.Linear(dim_h, vocab_size, bias=False)"),),
        hint=PARAMETERS_DIFFER,
    ),
    Misconception(
        "head_to_block_size",
        "TinyTransformer",
        "the head leads to block_size logits",
        (("nn.Linear(dim_h, vocab_size)", "nn.Linear(dim_h, block_size)"),),
        hint=WRONG_LAST_SIZE,
    ),
    Misconception(
        "no_head",
        "TinyTransformer",
        "returns the features, without the head",
        (("self.head(self.ln_f(x))", "self.ln_f(x)"),),
        hint=WRONG_LAST_SIZE,
    ),
    Misconception(
        "head_first",
        "TinyTransformer",
        "uses the table of tokens as head, and the head not at all",
        (("self.head(self.ln_f(x))", "self.ln_f(x) @ self.token_embedding.weight.T"),),
        hint=HEAD_FROM_TABLE,
    ),
    Misconception(
        "log_softmax_out",
        "TinyTransformer",
        "returns the logarithms of probabilities, not logits",
        (("self.head(self.ln_f(x))", "self.head(self.ln_f(x)).log_softmax(dim=-1)"),),
        hint=SOFTMAX_AT_THE_END,
    ),
    Misconception(
        "argmax_out",
        "TinyTransformer",
        "returns the most likely token in place of logits",
        (("self.head(self.ln_f(x))", "self.head(self.ln_f(x)).argmax(dim=-1)"),),
        hint=AXIS_MISSING,
    ),
    Misconception(
        "last_position",
        "TinyTransformer",
        "returns the logits of the last position only",
        (("self.head(self.ln_f(x))", "self.head(self.ln_f(x))[:, -1]"),),
        hint=AXIS_MISSING,
    ),
    Misconception(
        "vocab_second",
        "TinyTransformer",
        "returns (B, vocab_size, T), as cross_entropy wants it",
        (("self.head(self.ln_f(x))", "self.head(self.ln_f(x)).transpose(1, 2)"),),
        hint=SHAPED_FOR_THE_LOSS,
    ),
    Misconception(
        "flattened",
        "TinyTransformer",
        "returns (B T, vocab_size), the batch flattened away",
        (("self.head(self.ln_f(x))", "self.head(self.ln_f(x)).flatten(0, 1)"),),
        hint=SHAPED_FOR_THE_LOSS,
    ),
    Misconception(
        "returns_loss_too",
        "TinyTransformer",
        "returns a pair: the logits, and None for a loss",
        (("return self.head(self.ln_f(x))", "return self.head(self.ln_f(x)), None"),),
        hint=LOGITS_ALONE,
    ),
    Misconception(
        "shared_block",
        "TinyTransformer",
        "all blocks are one: they have all their parameters in common",
        (
            (
                "[Block(dim_h, nr_heads) for _ in range(n_layers)]",
                "[Block(dim_h, nr_heads)] * n_layers",
            ),
        ),
        hint=SAME_BLOCK_AGAIN,
    ),
    Misconception(
        "first_block_again",
        "TinyTransformer",
        "sends x through block 0 every time",
        (
            ("x = block(x)", "x = self.blocks[0](x)"),
            ("for block in", "for _ in"),
        ),
        hint=SAME_BLOCK_AGAIN,
    ),
    Misconception(
        "one_block",
        "TinyTransformer",
        "x passes the first block only, as where the loop returns at once",
        (
            (
                "            x = block(x)\n        return",
                "            x = block(x)\n            return",
            ),
        ),
        hint=NUMBER_OF_BLOCKS,
    ),
    Misconception(
        "two_blocks",
        "TinyTransformer",
        "makes two blocks, whatever n_layers says",
        (("range(n_layers)", "range(2)"),),
        hint=NUMBER_OF_BLOCKS,
    ),
    Misconception(
        "one_too_few",
        "TinyTransformer",
        "makes n_layers - 1 blocks",
        (("range(n_layers)", "range(1, n_layers)"),),
        hint=NUMBER_OF_BLOCKS,
    ),
    Misconception(
        "blocks_reversed",
        "TinyTransformer",
        "passes the blocks from the last to the first",
        (("in self.blocks", "in reversed(self.blocks)"),),
        hint=Hint(
            look=("Let your loop print which entry of blocks x passes first, and which last."),
            think=(
                "Formulas with brackets are read from the inside: block_1 gets the embeddings, "
                "and block_n gets what all the others have made of them. Which block gets the "
                "embeddings in your model?"
            ),
            nearly=(
                "Nothing is wrong with the blocks themselves. Look at the direction in which "
                "forward goes through the list."
            ),
        ),
    ),
    Misconception(
        "blocks_summed",
        "TinyTransformer",
        "adds up what each block makes of the embeddings",
        (
            (
                "        for block in self.blocks:\n            x = block(x)\n",
                "        x = sum(block(x) for block in self.blocks)\n",
            ),
        ),
        hint=BLOCKS_READ_EMBEDDINGS,
    ),
    Misconception(
        "outer_skip",
        "TinyTransformer",
        "adds x to what the block returns, which has its skips inside",
        (("x = block(x)", "x = x + block(x)"),),
        hint=ADDED_ONCE_TOO_OFTEN,
    ),
    Misconception(
        "new_in_forward",
        "TinyTransformer",
        "makes fresh blocks in every call",
        (
            (
                "self.blocks = nn.ModuleList([Block(dim_h, nr_heads) for _ in range(n_layers)])",
                "self.sizes, self.n_layers = (dim_h, nr_heads), n_layers",
            ),
            (
                "for block in self.blocks:\n            x = block(x)",
                ("for _ in range(self.n_layers):\n            x = Block(*self.sizes).to(x)(x)"),
            ),
        ),
        hint=BLOCKS_NOT_REGISTERED,
    ),
    Misconception(
        "heads_exchanged",
        "TinyTransformer",
        "the blocks take nr_heads for dim_h, and dim_h for nr_heads",
        (("Block(dim_h, nr_heads)", "Block(nr_heads, dim_h)"),),
        hint=Hint(
            look=(
                "Print the shape of ln1.weight in the first block of TinyTransformer(5, 4, 8, 2, "
                "1). Which of the five sizes is that?"
            ),
            think=(
                "Two whole numbers look alike to Python: only their places say which is which. In "
                "which order does Block take its sizes?"
            ),
            nearly=(
                "Compare the line that begins the __init__ of Block with the place where your "
                "model makes its blocks."
            ),
        ),
    ),
    Misconception(
        "start_token",
        "TinyTransformer",
        "writes 0 over the first token, in the idx that it is given",
        (("positions = ", "idx[:, 0] = 0\n        positions = "),),
        hint=TOKENS_REPLACED,
    ),
    Misconception(
        "batch_flattened",
        "TinyTransformer",
        "makes one long sequence of the whole batch",
        (
            ("x = self.token", "B, T = idx.shape\n        x = self.token"),
            ("        for block", "        x = x.reshape(1, B * T, -1)\n        for block"),
            ("self.head(self.ln_f(x))", "self.head(self.ln_f(x)).reshape(B, T, -1)"),
        ),
        hint=SEQUENCES_MIXED,
    ),
    Misconception(
        "dropout",
        "TinyTransformer",
        "a dropout on the embeddings, which nobody asked for",
        (
            ("self.ln_f = ", "self.dropout = nn.Dropout(0.1)\n        self.ln_f = "),
            ("        for block", "        x = self.dropout(x)\n        for block"),
        ),
        hint=DROPOUT,
    ),
    Misconception(
        "other_names",
        "TinyTransformer",
        "calls the embeddings wte and wpe, as a well-known code does",
        (
            ("self.token_embedding = ", "self.wte = "),
            ("self.position_embedding = ", "self.wpe = "),
            ("self.token_embedding(", "self.wte("),
            ("self.position_embedding(", "self.wpe("),
        ),
        hint=OTHER_NAMES,
    ),
    Misconception(
        "no_super",
        "TinyTransformer",
        "puts parts into self before nn.Module has prepared itself",
        (("        super().__init__()\n", ""),),
        hint=Hint(
            look=(
                "Build the model and read the message. At which line of __init__ does it stop, "
                "and what was done before that line?"
            ),
            think=(
                "nn.Module keeps lists of its parts and parameters. When does it get a chance to "
                "set them up?"
            ),
            nearly=(
                "One of your classes inherits from nn.Module, but does not let its parent prepare "
                "itself. Compare how the __init__ of each of the three classes begins."
            ),
        ),
    ),
    Misconception(
        "mask_past",
        "TinyTransformer",
        "hides the past: a token sees itself and those behind it",
        (("triu(diagonal=1)", "tril(diagonal=-1)"),),
        within="CausalMultiHeadAttention",
        hint=MASK_WRONG_TRIANGLE,
    ),
    Misconception(
        "mask_inverted",
        "TinyTransformer",
        "hides what may be seen and shows what may not",
        (("masked_fill(later,", "masked_fill(~later,"),),
        within="CausalMultiHeadAttention",
        hint=MASK_WRONG_TRIANGLE,
    ),
    Misconception(
        "mask_diagonal",
        "TinyTransformer",
        "hides the token itself too; the first has nothing left to see",
        (("diagonal=1", "diagonal=0"),),
        within="CausalMultiHeadAttention",
        hint=MASK_BORDER,
    ),
    Misconception(
        "mask_one_late",
        "TinyTransformer",
        "the mask begins one place too late: each token sees the next one",
        (("diagonal=1", "diagonal=2"),),
        within="CausalMultiHeadAttention",
        hint=MASK_BORDER,
    ),
    Misconception(
        "mask_zero",
        "TinyTransformer",
        "the future's scores are 0, or next to 0, which is a score like any other",
        (("-math.inf", "0.0"),),
        within="CausalMultiHeadAttention",
        hint=HIDDEN_SCORE_NEAR_ZERO,
    ),
    Misconception(
        "mask_tiny",
        "TinyTransformer",
        "the future's scores are 0, or next to 0, which is a score like any other",
        (("-math.inf", "-1e-9"),),
        within="CausalMultiHeadAttention",
        hint=HIDDEN_SCORE_NEAR_ZERO,
    ),
    Misconception(
        "adds_minus100",
        "TinyTransformer",
        "lowers the future's scores by a number, too little where they are far higher",
        (("scores.masked_fill(later, -math.inf)", "(scores - 100.0 * later)"),),
        within="CausalMultiHeadAttention",
        hint=Hint(
            look="Make the weights of to_qkv forty times as large and change the last token of a "
            "sentence. Do the logits of the tokens before it stay as they were?",
            think="A number that is taken off leaves the order of scores as it was when they lie "
            "further apart than that number. How far apart can scores be?",
            nearly="Do not lower the future's scores by a fixed amount: put something in their "
            "place that no score can ever be below.",
        ),
    ),
    Misconception(
        "mask_after",
        "TinyTransformer",
        "the softmax counts the future too, whose share is then lost",
        (
            (
                "scores.masked_fill(later, -math.inf).softmax(dim=-1)",
                "scores.softmax(dim=-1).masked_fill(later, 0.0)",
            ),
        ),
        within="CausalMultiHeadAttention",
        hint=CHANGED_AFTER_SOFTMAX,
    ),
    Misconception(
        "mask_multiplied",
        "TinyTransformer",
        "the future's scores are 0, or next to 0, which is a score like any other",
        (("scores.masked_fill(later, -math.inf)", "(scores * ~later)"),),
        within="CausalMultiHeadAttention",
        hint=HIDDEN_SCORE_NEAR_ZERO,
    ),
    Misconception(
        "mask_unused",
        "TinyTransformer",
        "no mask takes effect: every token sees the whole sequence",
        (
            (
                "weights = scores.masked_fill(later, -math.inf).softmax",
                ("scores.masked_fill(later, -math.inf)\n        weights = scores.softmax"),
            ),
        ),
        within="CausalMultiHeadAttention",
        hint=MASK_WITHOUT_EFFECT,
    ),
    Misconception(
        "mask_cpu",
        "TinyTransformer",
        "has a tensor on the CPU, wherever idx is",
        ((", device=x.device", ""),),
        within="CausalMultiHeadAttention",
        hint=NEW_TENSORS_ON_CPU,
    ),
    Misconception(
        "mask_first_head",
        "TinyTransformer",
        "hides later tokens from head 0 only",
        (
            (
                "weights = scores.masked_fill(later, -math.inf).softmax",
                ("scores[:, 0].masked_fill_(later, -math.inf)\n        weights = scores.softmax"),
            ),
        ),
        within="CausalMultiHeadAttention",
        hint=Hint(
            look=(
                "Print the weights of head 0 and those of head 1, for three tokens. In which of "
                "them are all places above the diagonal 0?"
            ),
            think=(
                "Every head has a square of scores of its own. Which of the heads may look ahead?"
            ),
            nearly=(
                "The scores have the shape (B, H, T, T), and a mask of shape (T, T) fits every "
                "square in it. Look at which part of the scores you pick out before you mask."
            ),
        ),
    ),
    Misconception(
        "mask_fixed",
        "TinyTransformer",
        "the mask is made for 8 tokens and fits no other length",
        (("T = x.shape[1]", "T = 8"),),
        within="CausalMultiHeadAttention",
        hint=FIXED_LENGTH,
    ),
    Misconception(
        "mask_not_cut",
        "TinyTransformer",
        "the mask is made for block_size tokens, however few there are",
        (
            (
                "        positions = ",
                (
                    "        T, size = idx.shape[1], "
                    "self.position_embedding.num_embeddings\n        later = torch.ones(size, "
                    "size, dtype=torch.bool, device=idx.device).triu(1)\n        torch.zeros(1, "
                    "1, T, T, device=idx.device).masked_fill(later, -math.inf)\n        "
                    "positions = "
                ),
            ),
        ),
        hint=FIXED_LENGTH,
    ),
    Misconception(
        "order_kqv",
        "TinyTransformer",
        "exchanges queries and keys: another layout of the weights",
        (("q, k, v = (", "k, q, v = ("),),
        within="CausalMultiHeadAttention",
        hint=QUERIES_AND_KEYS_EXCHANGED,
    ),
    Misconception(
        "order_qvk",
        "TinyTransformer",
        "takes the thirds for queries, values and keys: another layout of the weights",
        (("q, k, v = (", "q, v, k = ("),),
        within="CausalMultiHeadAttention",
        hint=VALUES_FROM_WRONG_THIRD,
    ),
    Misconception(
        "per_head_chunk",
        "TinyTransformer",
        "takes each head's queries, keys and values in one run: another layout of the weights",
        (
            ("(h d) -> b h n d", "(h qkv d) -> qkv b h n d"),
            ("rearrange(t, ", "rearrange(self.to_qkv(x), "),
            ("h=self.nr_heads)", "h=self.nr_heads, qkv=3)"),
            ("            for t in self.to_qkv(x).chunk(3, dim=-1)\n", ""),
        ),
        within="CausalMultiHeadAttention",
        hint=Hint(
            look=(
                "Take dim_h = 4 and two heads, and send the numbers 0 to 11 through your "
                "splitting in place of to_qkv's result. Which of them become the queries of head "
                "1?"
            ),
            think=(
                "The 12 features can be sorted by heads first, or by queries, keys and values "
                "first. Which of these does the statement prescribe?"
            ),
            nearly=(
                "The thirds are the coarse cut, the heads the fine one within each third. Look at "
                "which of your cuts comes first; in a bracket of rearrange the first letter is "
                "the coarsest."
            ),
        ),
    ),
    Misconception(
        "split_dh",
        "TinyTransformer",
        "splits into heads with their features alternating: another layout of the weights",
        (("b n (h d) ->", "b n (d h) ->"),),
        within="CausalMultiHeadAttention",
        hint=HEADS_ALTERNATE,
    ),
    Misconception(
        "merge_dh",
        "TinyTransformer",
        "merges the heads with their features alternating: another layout of the weights",
        (("-> b n (h d)", "-> b n (d h)"),),
        within="CausalMultiHeadAttention",
        hint=HEADS_ALTERNATE,
    ),
    Misconception(
        "split_merge_dh",
        "TinyTransformer",
        "lets the heads' features alternate throughout: another layout of the weights",
        (
            ("b n (h d) ->", "b n (d h) ->"),
            ("-> b n (h d)", "-> b n (d h)"),
        ),
        within="CausalMultiHeadAttention",
        hint=HEADS_ALTERNATE,
    ),
    Misconception(
        "view_split",
        "TinyTransformer",
        "reshapes straight to (B, H, T, d), which mixes tokens and heads",
        (
            (
                'rearrange(t, "b n (h d) -> b h n d", h=self.nr_heads)',
                "t.reshape(x.shape[0], self.nr_heads, x.shape[1], -1)",
            ),
        ),
        within="CausalMultiHeadAttention",
        hint=RESHAPE_MIXES_TOKENS,
    ),
    Misconception(
        "token_first",
        "TinyTransformer",
        "takes the batch for the tokens, as nn.MultiheadAttention does by default",
        (
            ("b n (h d) ->", "n b (h d) ->"),
            ("-> b n (h d)", "-> n b (h d)"),
            ("x.shape[1]", "x.shape[0]"),
        ),
        within="CausalMultiHeadAttention",
        hint=SEQUENCES_MIXED,
    ),
    Misconception(
        "one_head",
        "TinyTransformer",
        "does not split into heads: one head of the whole width",
        (("h=self.nr_heads)", "h=1)"),),
        within="CausalMultiHeadAttention",
        hint=SIZE_OF_HEADS,
    ),
    Misconception(
        "d_heads",
        "TinyTransformer",
        "takes nr_heads for the size of a head",
        (("h=self.nr_heads)", "d=self.nr_heads)"),),
        within="CausalMultiHeadAttention",
        hint=SIZE_OF_HEADS,
    ),
    Misconception(
        "scale_dim_h",
        "TinyTransformer",
        "divides by the root of dim_h, not of the size of a head",
        (("q.shape[-1]", "x.shape[-1]"),),
        within="CausalMultiHeadAttention",
        hint=SCALE,
    ),
    Misconception(
        "scale_T",
        "TinyTransformer",
        "divides by the root of the number of tokens",
        (("q.shape[-1]", "q.shape[-2]"),),
        within="CausalMultiHeadAttention",
        hint=SCALE,
    ),
    Misconception(
        "scale_heads",
        "TinyTransformer",
        "divides by the root of the number of heads",
        (("q.shape[-1]", "self.nr_heads"),),
        within="CausalMultiHeadAttention",
        hint=SCALE,
    ),
    Misconception(
        "no_scale",
        "TinyTransformer",
        "leaves the scores as large as they are",
        ((" / math.sqrt(q.shape[-1])", ""),),
        within="CausalMultiHeadAttention",
        hint=SCALE,
    ),
    Misconception(
        "no_sqrt",
        "TinyTransformer",
        "divides by the size of a head in all, not by its root",
        (("math.sqrt(q.shape[-1])", "q.shape[-1]"),),
        within="CausalMultiHeadAttention",
        hint=SCALE,
    ),
    Misconception(
        "half_outside",
        "TinyTransformer",
        "divides by twice the size, as `/ d ** 1 / 2` does, not by the root",
        (("/ math.sqrt(q.shape[-1])", "/ q.shape[-1] ** 1 / 2"),),
        within="CausalMultiHeadAttention",
        hint=EXPONENT_CUT_IN_TWO,
    ),
    Misconception(
        "half_as_factor",
        "TinyTransformer",
        "divides by half the size, as `/ (d ** 1 / 2)` does, not by the root",
        (("/ math.sqrt(q.shape[-1])", "/ (q.shape[-1] ** 1 / 2)"),),
        within="CausalMultiHeadAttention",
        hint=EXPONENT_CUT_IN_TWO,
    ),
    Misconception(
        "scale_in_int",
        "TinyTransformer",
        "rounds the root down to a whole number",
        (("math.sqrt(q.shape[-1])", "math.isqrt(q.shape[-1])"),),
        within="CausalMultiHeadAttention",
        hint=ROOT_CUT_TO_A_WHOLE,
    ),
    Misconception(
        "queries_detached",
        "TinyTransformer",
        "cuts the queries off from the gradient",
        (("scores = q @", "scores = q.detach() @"),),
        within="CausalMultiHeadAttention",
        hint=GRADIENT_CUT_OFF,
    ),
    Misconception(
        "multiplied_scale",
        "TinyTransformer",
        "makes the scores larger by the root, not smaller",
        (("/ math.sqrt", "* math.sqrt"),),
        within="CausalMultiHeadAttention",
        hint=SCALE,
    ),
    Misconception(
        "scale_after",
        "TinyTransformer",
        "divides by the root only after the softmax",
        (
            (" / math.sqrt(q.shape[-1])", ""),
            ("softmax(dim=-1)", "softmax(dim=-1) / math.sqrt(q.shape[-1])"),
        ),
        within="CausalMultiHeadAttention",
        hint=CHANGED_AFTER_SOFTMAX,
    ),
    Misconception(
        "softmax_queries",
        "TinyTransformer",
        "the softmax runs over the queries: columns add up to 1",
        (("softmax(dim=-1)", "softmax(dim=-2)"),),
        within="CausalMultiHeadAttention",
        hint=SOFTMAX_ALONG_WRONG_AXIS,
    ),
    Misconception(
        "softmax_heads",
        "TinyTransformer",
        "the softmax runs over the heads",
        (("softmax(dim=-1)", "softmax(dim=1)"),),
        within="CausalMultiHeadAttention",
        hint=SOFTMAX_ALONG_WRONG_AXIS,
    ),
    Misconception(
        "naive_exp",
        "TinyTransformer",
        "a softmax by hand that overflows for large scores",
        (
            (
                "scores.masked_fill(later, -math.inf).softmax(dim=-1)",
                (
                    "scores.masked_fill(later, -math.inf).exp()\n"
                    "        weights = weights / weights.sum(dim=-1, keepdim=True)"
                ),
            ),
        ),
        within="CausalMultiHeadAttention",
        hint=Hint(
            look=(
                "Compute torch.exp of the tensors 1000.0 and -1000.0. What do you get, and what "
                "is each of them divided by itself?"
            ),
            think=(
                "A softmax stays the same when all scores of a row become smaller or larger by "
                "the same amount. How could that keep the powers of e in bounds?"
            ),
            nearly=(
                "Your formula is right, but not for scores far from 0. Look at the line where you "
                "write the softmax by hand: PyTorch has a function for this step that takes care "
                "of it."
            ),
        ),
    ),
    Misconception(
        "keys_by_queries",
        "TinyTransformer",
        "exchanges queries and keys: another layout of the weights",
        (("q @ k.transpose", "k @ q.transpose"),),
        within="CausalMultiHeadAttention",
        hint=QUERIES_AND_KEYS_EXCHANGED,
    ),
    Misconception(
        "values_are_keys",
        "TinyTransformer",
        "mixes the keys, and the values not at all",
        (("weights @ v", "weights @ k"),),
        within="CausalMultiHeadAttention",
        hint=VALUES_FROM_WRONG_THIRD,
    ),
    Misconception(
        "relu_on_values",
        "TinyTransformer",
        "sets what is negative in the values to 0, as a relu does",
        (("weights @ v", "weights @ torch.relu(v)"),),
        within="CausalMultiHeadAttention",
        hint=VALUES_BENT,
    ),
    Misconception(
        "qkv_bias",
        "TinyTransformer",
        "to_qkv has a bias",
        ((", bias=False", ""),),
        within="CausalMultiHeadAttention",
        hint=PARAMETERS_DIFFER,
    ),
    Misconception(
        "out_no_bias",
        "TinyTransformer",
        "to_out has no bias",
        (("nn.Linear(dim_h, dim_h)", "nn.Linear(dim_h, dim_h, bias=False)"),),
        within="CausalMultiHeadAttention",
        hint=PARAMETERS_DIFFER,
    ),
    Misconception(
        "no_to_out",
        "TinyTransformer",
        "returns the heads side by side, past to_out",
        (
            (
                'self.to_out(rearrange(weights @ v, "b h n d -> b n (h d)"))',
                'rearrange(weights @ v, "b h n d -> b n (h d)")',
            ),
        ),
        within="CausalMultiHeadAttention",
        hint=PART_NOT_CALLED,
    ),
    Misconception(
        "attention_skip",
        "TinyTransformer",
        "adds the normed x to the attention branch too, besides x",
        (("return self.to_out", "return x + self.to_out"),),
        within="CausalMultiHeadAttention",
        hint=ADDED_ONCE_TOO_OFTEN,
    ),
    Misconception(
        "dropout_weights",
        "TinyTransformer",
        "drops weights, which nobody asked for",
        (
            (
                "softmax(dim=-1)",
                (
                    "softmax(dim=-1)\n"
                    "        weights = nn.functional.dropout(weights, 0.1, self.training)"
                ),
            ),
        ),
        within="CausalMultiHeadAttention",
        hint=DROPOUT,
    ),
    Misconception(
        "detached",
        "TinyTransformer",
        "cuts the weights off from the gradient",
        (("weights @ v", "weights.detach() @ v"),),
        within="CausalMultiHeadAttention",
        hint=Hint(
            look=(
                "Call backward on the sum of what your attention returns, and print the grad of "
                "to_qkv.weight, third by third. Which thirds are all 0?"
            ),
            think=(
                "Queries and keys can learn only if the gradient comes back to them. Which way "
                "does it take from the result to the scores?"
            ),
            nearly=(
                "Between the softmax and the product with the values something stops the "
                "gradient. Look there for detach, no_grad or data."
            ),
        ),
    ),
    Misconception(
        "values_detached",
        "TinyTransformer",
        "cuts the values off from the gradient",
        (("weights @ v", "weights @ v.detach()"),),
        within="CausalMultiHeadAttention",
        hint=GRADIENT_CUT_OFF,
    ),
    Misconception(
        "keys_detached",
        "TinyTransformer",
        "cuts the keys off from the gradient",
        (("k.transpose", "k.detach().transpose"),),
        within="CausalMultiHeadAttention",
        hint=GRADIENT_CUT_OFF,
    ),
    Misconception(
        "post_norm",
        "TinyTransformer",
        "post-norm: each norm stands after its sum, on the main path",
        (
            ("y = x + self.attn(self.ln1(x))", "y = self.ln1(x + self.attn(x))"),
            ("y + self.ffl(self.ln2(y))", "self.ln2(y + self.ffl(y))"),
        ),
        within="Block",
        hint=NORM_ON_MAIN_PATH,
    ),
    Misconception(
        "branch_post_norm",
        "TinyTransformer",
        "each norm stands at the end of its branch",
        (
            ("self.attn(self.ln1(x))", "self.ln1(self.attn(x))"),
            ("self.ffl(self.ln2(y))", "self.ln2(self.ffl(y))"),
        ),
        within="Block",
        hint=BRANCH_READS_RAW_NUMBERS,
    ),
    Misconception(
        "skip_from_norm",
        "TinyTransformer",
        "adds the attention branch to the normed x, not to x",
        (("y = x + self.attn(self.ln1(x))", "x = self.ln1(x)\n        y = x + self.attn(x)"),),
        within="Block",
        hint=NORM_ON_MAIN_PATH,
    ),
    Misconception(
        "skip2_from_norm",
        "TinyTransformer",
        "adds the feed-forward branch to the normed y, not to y",
        (("return y + self.ffl(self.ln2(y))", "y = self.ln2(y)\n        return y + self.ffl(y)"),),
        within="Block",
        hint=NORM_ON_MAIN_PATH,
    ),
    Misconception(
        "no_skip1",
        "TinyTransformer",
        "does not add x to the attention branch",
        (("y = x + self", "y = self"),),
        within="Block",
        hint=NO_SKIP,
    ),
    Misconception(
        "no_skip2",
        "TinyTransformer",
        "does not add y to the feed-forward branch",
        (("return y + self", "return self"),),
        within="Block",
        hint=NO_SKIP,
    ),
    Misconception(
        "no_skips",
        "TinyTransformer",
        "adds neither x to the attention branch nor y to the feed-forward branch",
        (
            ("y = x + self", "y = self"),
            ("return y + self", "return self"),
        ),
        within="Block",
        hint=NO_SKIP,
    ),
    Misconception(
        "skip2_from_x",
        "TinyTransformer",
        "adds the feed-forward branch to x, so that attention's part is lost",
        (("return y", "return x"),),
        within="Block",
        hint=Hint(
            look=(
                "Set only the parameters of ffl.secondlayer to 0 and compare what the block "
                "returns with x. Has attention left a trace?"
            ),
            think=(
                "The second branch is added to the main path as the first branch has left it. "
                "What is the main path called at this point?"
            ),
            nearly=(
                "Look at the last sum in the forward of your Block. To which variable is the "
                "feed-forward branch added, and is the result of attention in it?"
            ),
        ),
    ),
    Misconception(
        "parallel",
        "TinyTransformer",
        "both branches leave from x, side by side",
        (("self.ln2(y)", "self.ln2(x)"),),
        within="Block",
        hint=FEED_FORWARD_BEFORE_ATTENTION,
    ),
    Misconception(
        "ffl_first",
        "TinyTransformer",
        "the feed-forward branch comes first, attention second",
        (
            ("x + self.attn(self.ln1(x))", "x + self.ffl(self.ln2(x))"),
            ("y + self.ffl(self.ln2(y))", "y + self.attn(self.ln1(y))"),
        ),
        within="Block",
        hint=FEED_FORWARD_BEFORE_ATTENTION,
    ),
    Misconception(
        "no_norm1",
        "TinyTransformer",
        "attention reads the raw x past the first norm",
        (("self.ln1(x)", "x"),),
        within="Block",
        hint=BRANCH_READS_RAW_NUMBERS,
    ),
    Misconception(
        "no_norm2",
        "TinyTransformer",
        "the feed-forward branch reads y past the second norm",
        (("self.ln2(y)", "y"),),
        within="Block",
        hint=BRANCH_READS_RAW_NUMBERS,
    ),
    Misconception(
        "one_norm",
        "TinyTransformer",
        "uses the first norm in both branches",
        (("self.ln2(y)", "self.ln1(y)"),),
        within="Block",
        hint=WRONG_NORM,
    ),
    Misconception(
        "norms_exchanged",
        "TinyTransformer",
        "ln2 stands in the first branch, ln1 in the second",
        (
            ("self.ln1(x)", "self.ln2(x)"),
            ("self.ln2(y)", "self.ln1(y)"),
        ),
        within="Block",
        hint=WRONG_NORM,
    ),
    Misconception(
        "inplace_skip",
        "TinyTransformer",
        "changes in its place a tensor that the gradient still needs",
        (("y = x + self.attn(self.ln1(x))", "x += self.attn(self.ln1(x))\n        y = x"),),
        within="Block",
        hint=Hint(
            look=(
                "Call backward on the sum of the logits and read the message. Then keep a clone"
                " of x, call the block on x and compare the two. Is x still what it was?"
            ),
            think=(
                "Whoever hands over x may need it again, and so does the gradient, since a norm"
                " has read it. Which operations make a new tensor, and which write into the old"
                " one?"
            ),
            nearly=(
                "Look at the sums with which the branches end. The sign += writes into the "
                "tensor on its left; the statement gives the result a name of its own."
            ),
        ),
    ),
    Misconception(
        "width_two",
        "TinyTransformer",
        "widens to another width than 4 dim_h: with two heads to 2 dim_h",
        (("FeedForwardLayer(dim_h, 4", "FeedForwardLayer(dim_h, 2"),),
        within="Block",
        hint=WRONG_WIDTH,
    ),
    Misconception(
        "no_widening",
        "TinyTransformer",
        "the feed-forward part does not widen",
        (("FeedForwardLayer(dim_h, 4 * dim_h)", "FeedForwardLayer(dim_h, dim_h)"),),
        within="Block",
        hint=WRONG_WIDTH,
    ),
    Misconception(
        "relu",
        "TinyTransformer",
        "bends with ReLU in place of GELU",
        (
            (
                "FeedForwardLayer(dim_h, 4 * dim_h)",
                ("FeedForwardLayer(dim_h, 4 * dim_h)\n        self.ffl.activation = nn.ReLU()"),
            ),
        ),
        within="Block",
        hint=WRONG_ACTIVATION,
    ),
    Misconception(
        "gelu_tanh",
        "TinyTransformer",
        "bends with the tanh approximation of GELU",
        (
            (
                "FeedForwardLayer(dim_h, 4 * dim_h)",
                (
                    "FeedForwardLayer(dim_h, 4 * dim_h)\n"
                    '        self.ffl.activation = nn.GELU(approximate="tanh")'
                ),
            ),
        ),
        within="Block",
        hint=WRONG_ACTIVATION,
    ),
    Misconception(
        "ffl_sequential",
        "TinyTransformer",
        "calls the layers of the feed-forward part 0 and 2, as in a Sequential",
        (
            (
                "FeedForwardLayer(dim_h, 4 * dim_h)",
                (
                    "nn.Sequential(\n"
                    "            nn.Linear(dim_h, 4 * dim_h),\n"
                    "            nn.GELU(),\n"
                    "            nn.Linear(4 * dim_h, dim_h),\n"
                    "        )"
                ),
            ),
        ),
        within="Block",
        hint=OTHER_NAMES,
    ),
    Misconception(
        "no_ffl",
        "TinyTransformer",
        "leaves the feed-forward branch out",
        (("return y + self.ffl(self.ln2(y))", "return y"),),
        within="Block",
        hint=PART_NOT_CALLED,
    ),
    Misconception(
        "dropout_block",
        "TinyTransformer",
        "a dropout on the attention branch, which nobody asked for",
        (
            (
                "x + self.attn(self.ln1(x))",
                "x + nn.functional.dropout(self.attn(self.ln1(x)), 0.1, self.training)",
            ),
        ),
        within="Block",
        hint=DROPOUT,
    ),
    Misconception(
        "norm_over_tokens",
        "TinyTransformer",
        "the first norm runs over the tokens, not over the features",
        (
            (
                "y = x + self.attn(self.ln1(x))",
                (
                    "h = nn.functional.layer_norm(x.mT, x.shape[1:2]).mT\n"
                    "        h = h * self.ln1.weight + self.ln1.bias\n"
                    "        y = x + self.attn(h)"
                ),
            ),
        ),
        within="Block",
        hint=Hint(
            look=(
                "Print what attn receives in a fresh block, for three tokens. Is the mean 0 for "
                "each token along its features, or for each feature along the tokens?"
            ),
            think=(
                "A mean along the tokens contains the later ones as well. What does that do to a "
                "model that must not look ahead?"
            ),
            nearly=(
                "nn.LayerNorm(dim_h) works along the last axis, where the features lie. Look at "
                "how you apply the first norm: are axes exchanged there, or is it given another "
                "size?"
            ),
        ),
    ),
    Misconception(
        "positions_of_tokens",
        "TinyTransformer",
        "looks up the tokens in the table of positions",
        (
            (
                "self.position_embedding(positions)",
                "self.position_embedding(idx % self.position_embedding.num_embeddings)",
            ),
        ),
        hint=POSITIONS_FROM_TOKENS,
    ),
    Misconception(
        "mask_minus_hundred",
        "TinyTransformer",
        "fills the future with a number such as -100, and scores can be lower than that",
        (("masked_fill(later, -math.inf)", "masked_fill(later, -100.0)"),),
        hint=HIDDEN_NOT_FOR_SURE,
        within="CausalMultiHeadAttention",
    ),
]
