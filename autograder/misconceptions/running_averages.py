"""Wrong solutions of running_averages, as students write them."""

from autograder.misconceptions import Hint, Misconception

MEAN_OVER_CHANNELS = Hint(
    look=(
        "Take a slice with all three tokens of the statement and print the shape of its mean, as "
        "your code computes it. Two channels should leave two numbers."
    ),
    think=(
        "Each channel is averaged for itself. Which direction of the slice has to disappear in the "
        "mean, and which has to stay?"
    ),
    nearly=(
        "The `dim` of a mean is the direction that it runs along and that disappears. Look at the "
        "one that you give, if you give one: do the tokens lie along it?"
    ),
)
WRONG_DIVISOR = Hint(
    look=(
        "Compare your rows with those that the statement gives for its three tokens. How many "
        "times too large or too small is row 0, then row 1, then row 2?"
    ),
    think=(
        "A mean is a sum divided by how many things were added. Counting starts at 0, so how many "
        "tokens are added up for row 0, and how many for row t?"
    ),
    nearly=(
        "You add up the right tokens. Look at what you divide their sum by, if by anything: does "
        "it count the tokens in the slice?"
    ),
)
FIRST_SEQUENCE_FOR_ALL = Hint(
    look=(
        "Put two different sequences into one batch, and then give your function the second one "
        "alone. Does it get the same averages both times?"
    ),
    think="Every sequence is averaged from its own tokens. Whose tokens are in your second result?",
    nearly=(
        "Look at the place where you take the tokens out of `x`. A fixed number there picks the "
        "same sequence every time; how does each sequence get its turn?"
    ),
)
RESULT_TYPE = Hint(
    look=(
        "Call your function with `x.double()` and print the `dtype` of what comes back. Is it that "
        "of the tensor you put in?"
    ),
    think=(
        "A tensor keeps the type that it was made with. What becomes of a number with many "
        "decimals when you store it in a tensor of another type?"
    ),
    nearly=(
        "Look at the line that makes the tensor of results, or at one that converts numbers. The "
        "type should be that of `x`; what decides about it now?"
    ),
)
SLICE_ENDS_BEFORE_T = Hint(
    look=(
        "Average the three tokens of the statement: which of the rows that are printed there is "
        "your row 2? Now change the last token: does any row of yours change?"
    ),
    think="Token t counts in its own average. Is it among the tokens that you take for row t?",
    nearly=(
        "The end of a slice is the first index that is left out. Write down which tokens are in "
        "your slice, or in your sum, for t = 0, 1 and 2; with the right ones, row 0 needs no "
        "special treatment."
    ),
)
BATCH_AVERAGED = Hint(
    look=(
        "Put two different sequences into one batch and compare their results with each other. "
        "What changes when you give each sequence alone?"
    ),
    think=(
        "The sequences of a batch know nothing of each other. Along which dimension do the tokens "
        "lie, and along which the sequences?"
    ),
    nearly=(
        "Look at every mean in your code and at the dimensions that it runs along. The dimension "
        "of the sequences should not be averaged."
    ),
)
ARGUMENT_CHANGED = Hint(
    look=(
        "Keep a copy with `x.clone()`, call your function, and compare `x` with the copy. Are they "
        "still equal?"
    ),
    think=(
        "Whoever calls your function may still need the tokens. Into which tensors do you write "
        "or add, and who owns them?"
    ),
    nearly=(
        "A second name for `x`, or for a piece of it, is not a second tensor, and writing into "
        "it changes `x`. Look at what you store and add up: it needs a tensor of its own."
    ),
)
WRONG_SIZES = Hint(
    look=(
        "Take one sequence of three tokens with two channels. Print `x.shape` and next to it the T "
        "that your code works with, and B where you use it."
    ),
    think=(
        "The shape is (B, T, C): sequences, tokens, channels. Which of its three numbers counts "
        "the tokens, and do you have that one for every `x`?"
    ),
    nearly=(
        "Look at where T gets its value, and B if you have it. Each has to be read from `x`, at "
        "the position that belongs to it."
    ),
)
LOOP_LEAVES_OUT = Hint(
    look=(
        "Take a batch of two sequences in which no number is 0 and print your whole result. Which "
        "rows are still 0?"
    ),
    think=(
        "A place of the result stays 0 until your loops arrive there. Write down all values that b "
        "and t take: does everybody get a turn?"
    ),
    nearly=(
        "`range` begins at 0 or at the first of two numbers, and ends before the last one; so "
        "does a slice. Look at the numbers that you give to the one that leaves something out."
    ),
)
UNEQUAL_SHARES = Hint(
    look=(
        "Use one channel and the tokens 1, 0, 0, then 0, 1, 0, then 0, 0, 1. What is your row 2 "
        "each time?"
    ),
    think=(
        "These three numbers are the shares of the three tokens. How large should each be if all "
        "tokens count the same, the old ones too?"
    ),
    nearly=(
        "Look at what goes into row t: the last average and a new token, or only the newest "
        "tokens? Neither gives equal shares; which tokens have to be averaged afresh for every t?"
    ),
)
ROUNDED = Hint(
    look=(
        "Call `torch.set_printoptions(precision=8)` and print your result for the three tokens of "
        "the statement. How do the digits in row 2 go on?"
    ),
    think=(
        "The statement shows four decimals so that its tables stay short. Is 0.3333 a third, or a "
        "number near it?"
    ),
    nearly=(
        "Somewhere in your code numbers are rounded. That is good for showing them; what does it "
        "do to those that you return?"
    ),
)
ROWS_NOT_DIVIDED = Hint(
    look="Add up each row of your table for three tokens. Which of the sums are 1?",
    think=(
        "Row t shares out 1 among t + 1 tokens. Can the same divisor be right for row 0 and for "
        "row 2?"
    ),
    nearly=(
        "Look at the step that leads from the triangle to the weights. Each row needs a divisor of "
        "its own, taken from that row; what do you divide by now, if by anything?"
    ),
)
TABLE_TYPE = Hint(
    look=(
        "Call your function with `x.double()`. Which `dtype` do the weights and the means have, or "
        "which two types does the error message name?"
    ),
    think=(
        "`torch.ones` and `torch.zeros` make float32 when nothing else is said. Which type should "
        "everything have if `x` is float64?"
    ),
    nearly=(
        "Look at the line that makes your table: say there which type you want. Then the product "
        "works with `x` as it is, and nothing has to be converted."
    ),
)
TABLE_DEVICE = Hint(
    look=(
        'Call your function with `x.to("meta")`, a pretend device that every computer has. Which '
        "two devices does the error message name, or has the result the `device` of `x`?"
    ),
    think=(
        "A tensor made from nothing lies on the CPU when nothing else is said. What happens in "
        "your product when `x` lies on a graphics card?"
    ),
    nearly=(
        "Look at each line that makes a new tensor. It says which size you want, but not where "
        "the tensor should lie; who knows that?"
    ),
)
TRIANGLE_ON_THE_WRONG_SIDE = Hint(
    look=(
        "Print your table for three tokens. Which tokens have a weight in row 0, and which in row "
        "2, or is it NaN because no token is left?"
    ),
    think=(
        "A row belongs to an average, a column to a token. On which side of the diagonal are the "
        "tokens that come later?"
    ),
    nearly=(
        "Look at your triangle before the division. Ones belong where a token may be seen; which "
        "half do you keep, and do you swap ones and zeros afterwards?"
    ),
)
DIAGONAL_LEFT_OUT = Hint(
    look=(
        "Print rows 0 and 1 of your weights. Which token has everything in row 1, and what has "
        "happened to row 0?"
    ),
    think=(
        "A token sees itself too, so row 0 has one token to look at. Where in the table does a "
        "token meet itself?"
    ),
    nearly=(
        "Tokens meet themselves on the diagonal. `tril` and `triu` have an argument `diagonal` "
        "that moves the cut; on which side of the cut does the diagonal lie in your code?"
    ),
)
DIAGONAL_TOO_MANY = Hint(
    look="Print row 0 of your weights for three tokens. Which tokens get a share?",
    think=(
        "Nothing comes before token 0, so row 0 has one token to look at. How many tokens may row "
        "t see, and how many does it see in your table?"
    ),
    nearly=(
        "The cut between seen and hidden lies one place too far to the right. Look at the "
        "`diagonal` that you give to `tril` or `triu`, and draw what it leaves of a small table."
    ),
)
RETURNED_PAIR = Hint(
    look=(
        "Print the type of what your function returns for one sequence of three tokens, and the "
        "shape of each of its parts."
    ),
    think="Two results are asked for, in a fixed order. Which one does the docstring name first?",
    nearly=(
        "Your numbers are fine. Look at what stands behind `return`: are both results there, and "
        "in the order of the docstring?"
    ),
)
WRONG_TABLE_RETURNED = Hint(
    look="Your means are right. Now add up each row of the table that you return: is every sum 1?",
    think=(
        "On the way to the means you make several tables, one out of the other. Which of them says "
        "how much of each token goes into an average?"
    ),
    nearly=(
        "Compare two places: the table that you multiply with `x`, and the table behind `return`. "
        "Is it the same one?"
    ),
)
WEIGHTS_TRANSPOSED = Hint(
    look="Your table is right. Change the last of three tokens: which rows of the means change?",
    think=(
        "Row t of a product is made with row t of its left factor. Which numbers of the table "
        "should make row 0 of the means, and which ones make yours?"
    ),
    nearly=(
        "Look at the left factor of your product. Is it the table as you return it, or one with "
        "rows and columns exchanged?"
    ),
)
NOTHING_ADDED_UP = Hint(
    look=(
        "Take one sequence of two tokens, both of them [1, 1]. Every average should be [1, 1]; "
        "what is your row 1?"
    ),
    think=(
        "A matrix product multiplies and then adds up. Where in your code are the parts of "
        "different tokens added to each other?"
    ),
    nearly=(
        "Look at the operator between the table and `x`. `*` takes numbers in pairs and adds "
        "nothing; which operator is the matrix product?"
    ),
)
LOOPS = Hint(
    look="Count how often the line in your loop runs for three tokens. And for a thousand?",
    think=(
        "One product computes all rows at once, and a whole table can be made at once too. What "
        "does your loop do one by one, for tokens or for rows?"
    ),
    nearly=(
        "Your numbers are right, but this exercise asks for them without a loop. The statement "
        "names a function that makes the whole triangle, and the product takes the whole table."
    ),
)
SOFTMAX_DIRECTION = Hint(
    look=(
        "Add up each row of your weights, then each column, then the whole table. Which of these "
        "sums are 1?"
    ),
    think=(
        "One row belongs to one average, and its weights share out 1. Among which numbers does "
        "your softmax share it out?"
    ),
    nearly=(
        "Look at what you hand to the softmax and at its `dim`, the direction in which it shares "
        "out. Which one leads along a row, from token to token?"
    ),
)
MASK_WITHOUT_EFFECT = Hint(
    look=(
        "For three tokens, print the numbers that go into the softmax, and row 0 of the weights. "
        "Is anything hidden from row 0?"
    ),
    think=(
        "A hidden token needs the weight 0. Which score has the exponential 0, and do your later "
        "tokens have that score when the softmax begins?"
    ),
    nearly=(
        "Check three things: is there a mask, is the number that you fill in far below 0 (1e-9 is "
        "almost 0), and do you go on with the result? `masked_fill` gives a new tensor and leaves "
        "the old one as it was."
    ),
)
MASK_ON_THE_WRONG_SIDE = Hint(
    look=(
        "Print your weights for three tokens. Which tokens does row 0 see, and which does row 2, "
        "or is it NaN because no token is left?"
    ),
    think=(
        "Row 0 should see token 0 only, and row 2 all three. Which places of the table have to be "
        "hidden for this?"
    ),
    nearly=(
        "The mask is true where something is hidden: where the column is greater than the row. "
        "Print yours: on which side of the diagonal is it true?"
    ),
)
UNEQUAL_SCORES = Hint(
    look="Print your weights for three tokens. In row 2, do all three tokens get the same share?",
    think=(
        "Softmax gives equal weights to equal scores. In a plain average nobody is preferred; what "
        "does this say about the scores?"
    ),
    nearly=(
        "Look at the table that you begin with, before the mask. In this exercise neither chance "
        "nor position nor the tokens themselves have a say in it."
    ),
)
FILL_WITHOUT_MINUS = Hint(
    look=(
        "For three tokens, print row 0 of the scores right before the softmax. Which scores are "
        "the largest, and to which tokens do they belong?"
    ),
    think=(
        "The larger a score, the larger its weight. Should the scores of hidden tokens lie above "
        "all others or below?"
    ),
    nearly=(
        "Your mask covers the right places. Look at the number that you fill in there: what would "
        "its exponential be, and what should it be?"
    ),
)
ZERO_IS_NOT_HIDDEN = Hint(
    look=(
        "For three tokens, your row 0 gives 0.2119 to tokens 1 and 2. Print what goes into your "
        "softmax, the last one if there are two: what stands there for these tokens?"
    ),
    think=(
        "What is the exponential of 0, or of -1? Does such a score mean that a token gets nothing?"
    ),
    nearly=(
        "Zeros and ones, or finished weights, are not the scores that you want here. Look at what "
        "you hand to the softmax, and at the number that the statement fills in for hidden tokens."
    ),
)
NOT_SHARED_OUT = Hint(
    look="Add up each row of your weights for three tokens. Are the sums the same for all rows?",
    think=(
        "To share something out, each score must be compared with the others of its row. Does a "
        "weight of yours change when another score of the row does?"
    ),
    nearly=(
        "The function that makes your weights looks at each score alone. The formula of the "
        "statement has a division in it, by a sum over the row; which function does both?"
    ),
)

FIRST_SEQUENCE_FILLED = Hint(
    look=(
        "Give your function a batch of three different sequences. For how many of them is the "
        "result more than zeros?"
    ),
    think=(
        "Every sequence of the batch has averages of its own. How does each of them get its turn "
        "in your code?"
    ),
    nearly=(
        "Look at three places: the range of a loop over the sequences, how far your `return` is "
        "indented (within a loop it ends it at once), and a fixed 0 where a sequence is meant."
    ),
)

STOPS_EARLY = Hint(
    look=(
        "Give your function one sequence of twenty different tokens. From which row on is the "
        "result 0?"
    ),
    think=(
        "Sentences differ in length. How does your loop know how many tokens it has to go through?"
    ),
    nearly=(
        "Look at where the loop over the tokens ends. Is there a number, or a condition, that "
        "does not come from the shape of `x`?"
    ),
)

SHARES_DIVIDED_BY_COLUMNS = Hint(
    look=(
        "For three tokens, print your table before the division, and the sum of each row. By "
        "which of the sums was each number of row 1 divided?"
    ),
    think=(
        "Row t is divided by the sum of row t. When (T, T) is divided by (T,), does PyTorch "
        "lay the T sums down the rows or along the columns?"
    ),
    nearly=(
        "Look at the shape of your sums. `sum` has an argument that keeps the dimension, so "
        "that every sum stays in its own row."
    ),
)

TABLE_PER_SEQUENCE = Hint(
    look=(
        "Print the shape of your weights for a batch of two sequences of three tokens. The "
        "statement says (3, 3)."
    ),
    think=("The shares depend on the places alone. Does another sequence need another table?"),
    nearly=(
        "The means are right. Look at the dimensions with which you make the scores, and at "
        "what you do to the weights before you return them."
    ),
)

FUTURE_SHINES = Hint(
    look=("Print row 0 of your weights. Are the weights of the later tokens exactly 0?"),
    think=(
        "The exponential of -5 is about 0.0067: small, but not 0. Which score leaves a token "
        "nothing at all, whatever the other scores are?"
    ),
    nearly=(
        "Mask and softmax are in the right places. Compare the number that you fill in with "
        "the one in the statement."
    ),
)

SHAPE_OF_MEANS = Hint(
    look=(
        "Print the shape of your result for one sequence of three tokens, and for two such "
        "sequences. The statement says (B, T, C)."
    ),
    think=(
        "Every average belongs to a sequence and to a token. Along which dimension of your result "
        "do the tokens lie, and is there one for the sequences?"
    ),
    nearly=(
        "The averages are right. Look at the step that puts them together, a `stack`, a `cat` or a "
        "`reshape`: at which dimension does it set the tokens side by side?"
    ),
)
TOTAL_RUNS_ON = Hint(
    look=(
        "Put two different sequences into one batch. Is row 0 of the second result the first token "
        "of the second sequence?"
    ),
    think=(
        "Every sequence starts afresh, with one token in its row 0. What has your sum in it when "
        "the second sequence begins?"
    ),
    nearly=(
        "Look at where the sum, or the count, gets its first value, and how far that line is "
        "indented: once for the whole batch, or once for every sequence?"
    ),
)
VIEW_FAILS = Hint(
    look=(
        "Call your function with `x.transpose(0, 1)`, or with every second token, `x[:, ::2]`. "
        "What does the error message advise?"
    ),
    think=(
        "A `view` shows the same memory in another shape. Why can it not do so for every tensor?"
    ),
    nearly=(
        "Look at each `view` in your code. The statement names another method, which copies where "
        "it must; or do you need no other shape at all?"
    ),
)
DIAGONAL_NOT_SEEN = Hint(
    look=(
        "Print rows 0 and 1 of your weights, and add up each row. Which token has no share in its "
        "own row?"
    ),
    think=(
        "A token sees itself too. Where in the table does a token meet itself, and is that place "
        "seen or hidden in yours?"
    ),
    nearly=(
        "Tokens meet themselves on the diagonal. Look at how the triangle is made: a `diagonal` "
        "given to `tril` or `triu`, or too strict a comparison of two places, leaves it out."
    ),
)
SOFTMAX_NOT_ASKED = Hint(
    look=(
        "For three tokens, your row 0 gives 0.2119 to tokens 1 and 2. What stood at these places "
        "before your softmax?"
    ),
    think="What is the exponential of 0? Does a softmax leave a 0 as it is?",
    nearly=(
        "This exercise needs no softmax yet. The numbers of a row have to add up to 1; which plain "
        "operation with their sum makes it so?"
    ),
)
SEQUENCES_MIXED = Hint(
    look=(
        "Put two different sequences into one batch, and give your function each of them alone. Do "
        "they get the same averages in the batch?"
    ),
    think=(
        "`reshape` takes the numbers as they lie in memory, one sequence after the other, and "
        "exchanges no dimensions. Whose numbers stand in row 0 of your table of tokens?"
    ),
    nearly=(
        "Look at the shape that `x` has in your product. A product with a table works on the last "
        "two dimensions, for every sequence by itself; is there any need for another shape?"
    ),
)
BATCH_SUMMED = Hint(
    look=(
        "Put two different sequences into one batch and compare the results, in shape and numbers, "
        "with those that each sequence gets alone."
    ),
    think=(
        "The sequences of a batch know nothing of each other. Along which dimension of `x` do they "
        "lie, and is it still there behind your product?"
    ),
    nearly=(
        "Look for a step that adds up over the sequences: a `sum`, or an einsum in which the "
        "letter of the sequences is missing on the right."
    ),
)
NOTHING_BUT_NAN = Hint(
    look=(
        "For three tokens, print what goes into your softmax. What stands there for the tokens "
        "that may be seen: 0, NaN, or minus infinity?"
    ),
    think=(
        "A softmax gives NaN where it meets NaN or nothing but minus infinity. What is 0 times "
        "infinity? And can scores that are 0 everywhere tell what is to be hidden?"
    ),
    nearly=(
        "Look at how the infinity gets into your scores. It is not multiplied: the statement names "
        "functions that put a value in where a mask is true, and the mask knows the places, not "
        "the scores."
    ),
)

SOFTMAX_BEHIND_PRODUCT = Hint(
    look="Add up the channels of each of your means. Why is it always the same number?",
    think=(
        "A softmax makes shares that are together 1. Is a mean of tokens a set of shares, or a "
        "token like those that are averaged?"
    ),
    nearly=(
        "One softmax is enough: it makes the weights out of the scores. Look at what you do behind "
        "the product."
    ),
)
APPLIED_TWICE = Hint(
    look=(
        "For the tokens of the statement your row 1 is [3, 6.25]. Now take the two "
        "averages [2, 7] and [4, 5.5] from the statement: what is their mean?"
    ),
    think=(
        "An average of tokens is wanted. What are the rows that you average in the end: "
        "tokens, or averages already?"
    ),
    nearly=(
        "Count how often the table takes part in a product in your code. How many times "
        "does it take to get from tokens to averages?"
    ),
)


FACTORS_EXCHANGED = Hint(
    look=(
        "Write down the shapes of the two factors of your product, the left one first, for one "
        "sequence of three tokens with two channels. Do they fit?"
    ),
    think=(
        "In a product each row of the left factor makes a row of the result. Which of the two has "
        "a row for every average, with a share for every token?"
    ),
    nearly=(
        "Both factors are the right ones. Look at which of them stands in front of the product "
        "sign."
    ),
)


RESULT_DEVICE = Hint(
    look=(
        'Call your function with `x.to("meta")`, a pretend device that every computer has. Which '
        "two devices does the error message name?"
    ),
    think=(
        "A tensor made from nothing lies on the CPU when nothing else is said. What happens when "
        "you add to it what lies on a graphics card?"
    ),
    nearly=(
        "Look at each line that makes a new tensor, the one for a sum as well. It says which size "
        "you want, but not where the tensor should lie; who knows that?"
    ),
)
FIRST_COUNTED_TWICE = Hint(
    look=(
        "Use one channel and the tokens 1, 0, 0. The averages should be 1, 0.5 and 0.3333; how "
        "many times as large are yours?"
    ),
    think=(
        "Each token is added once. Which tokens are in your sum before the loop begins, and which "
        "does the loop add?"
    ),
    nearly=(
        "Look at what your sum begins with, and at the first t of the loop: one of them takes care "
        "of token 0, not both."
    ),
)
ONE_SEQUENCE = Hint(
    look=(
        "Take one sequence of three tokens and print the shapes of `x` and of your result. How "
        "many dimensions has each?"
    ),
    think=(
        "The result has a place for every token of every sequence, also when there is only one "
        "sequence. Where did the dimension of the batch go?"
    ),
    nearly=(
        "Look at the size of the tensor that you fill, and at what stands behind `return`: an "
        "index there, or a tensor without that dimension, leaves room for one sequence only."
    ),
)

MASKED_TOO_LATE = Hint(
    look="For three tokens, print your weights. Is there anything but shares between 0 and 1?",
    think=(
        "Minus infinity is a score: its exponential is 0. What is it as a weight, and what does a "
        "token times minus infinity do to a mean?"
    ),
    nearly=(
        "You fill in the right number at the right places. Look at which table you fill: the one "
        "that goes into the softmax, or the one that comes out?"
    ),
)


MISCONCEPTIONS: list[Misconception] = [
    Misconception(
        "suffix",
        "running_mean_loop",
        "averages the tokens from t on, not those up to t",
        (("x[b, : t + 1]", "x[b, t:]"),),
        hint=Hint(
            look=(
                "Change the last of three tokens and see which rows of your result change. Then "
                "change the first token instead."
            ),
            think=(
                "A sequence is read from left to right. Which tokens may row 0 know, and which may "
                "row 2?"
            ),
            nearly=(
                "A slice has a beginning and an end. On which side of the colon does t stand in "
                "yours, and which tokens does that leave?"
            ),
        ),
    ),
    Misconception(
        "scalar_mean",
        "running_mean_loop",
        "averages over the channels too: one number for all of them",
        ((".mean(dim=0)", ".mean()"),),
        hint=MEAN_OVER_CHANNELS,
    ),
    Misconception(
        "sum",
        "running_mean_loop",
        "adds the tokens up and does not divide",
        ((".mean(dim=0)", ".sum(dim=0)"),),
        hint=WRONG_DIVISOR,
    ),
    Misconception(
        "div_by_T",
        "running_mean_loop",
        "divides every sum by the length of the sequence",
        ((".mean(dim=0)", ".sum(dim=0) / T"),),
        hint=WRONG_DIVISOR,
    ),
    Misconception(
        "first_batch_only",
        "running_mean_loop",
        "gives every sequence the averages of the first one",
        (("x[b, : t + 1]", "x[0, : t + 1]"),),
        hint=FIRST_SEQUENCE_FOR_ALL,
    ),
    Misconception(
        "float32_out",
        "running_mean_loop",
        "returns float32 whatever the type of x (float32 only)",
        (("torch.zeros_like(x)", "torch.zeros(x.shape, device=x.device)"),),
        hint=RESULT_TYPE,
    ),
    Misconception(
        "slice_ends_early",
        "running_mean_loop",
        "averages the tokens before t only; row 0, which has none, is NaN",
        (("x[b, : t + 1]", "x[b, :t]"),),
        hint=SLICE_ENDS_BEFORE_T,
    ),
    Misconception(
        "without_itself",
        "running_mean_loop",
        "averages the tokens before t only; row 0 is token 0",
        (("x[b, : t + 1]", "x[b, : max(t, 1)]"),),
        hint=SLICE_ENDS_BEFORE_T,
    ),
    Misconception(
        "slice_ends_late",
        "running_mean_loop",
        "averages the tokens up to t + 1, one of the future",
        (("x[b, : t + 1]", "x[b, : t + 2]"),),
        hint=Hint(
            look=(
                "For the three tokens of the statement your row 0 is [4, 5.5]. Which tokens are "
                "mixed in it?"
            ),
            think=(
                "Nothing comes before token 0, so row 0 has one token to average. How many should "
                "row t have?"
            ),
            nearly=(
                "The end of a slice is the first index that is left out. Put t = 0 into yours and "
                "count the tokens that you get."
            ),
        ),
    ),
    Misconception(
        "div_by_t",
        "running_mean_loop",
        "divides by t, one too few",
        ((".mean(dim=0)", ".sum(dim=0) / max(t, 1)"),),
        hint=WRONG_DIVISOR,
    ),
    Misconception(
        "channel_mean",
        "running_mean_loop",
        "averages over the channels, not over the tokens",
        (("mean(dim=0)", "mean(dim=1)"),),
        hint=MEAN_OVER_CHANNELS,
    ),
    Misconception(
        "whole_mean",
        "running_mean_loop",
        "every token gets the mean of the whole sequence",
        (("x[b, : t + 1]", "x[b]"),),
        hint=Hint(
            look=(
                "Compare the rows of your result with each other. Then change the last token: does "
                "row 0 change too?"
            ),
            think=(
                "Token 0 cannot know what is still to come. Which tokens belong into row t, and "
                "where does t play a part in your mean?"
            ),
            nearly=(
                "Look at what you take the mean of: it is the same for every t. A slice of the "
                "sequence can grow along with t."
            ),
        ),
    ),
    Misconception(
        "batch_mean",
        "running_mean_loop",
        "averages over the sequences of the batch too",
        (("x[b, : t + 1].mean(dim=0)", "x[:, : t + 1].mean(dim=(0, 1))"),),
        hint=BATCH_AVERAGED,
    ),
    Misconception(
        "runs_on",
        "running_mean_loop",
        "the average runs on from one sequence into the next",
        (("x[b, : t + 1].mean(dim=0)", "x.reshape(B * T, -1)[: b * T + t + 1].mean(dim=0)"),),
        hint=Hint(
            look=(
                "Put two different sequences into one batch. Is row 0 of the second result the "
                "first token of the second sequence?"
            ),
            think=(
                "Every sequence starts afresh, with one token in its row 0. Which tokens are in "
                "your row 0 of the second sequence?"
            ),
            nearly=(
                "Where does sequence b begin in your code: at its own first token, with a sum and "
                "a count that start afresh, or at the start of the batch?"
            ),
        ),
    ),
    Misconception(
        "in_place",
        "running_mean_loop",
        "writes the averages into x, and reads them again as tokens",
        (("torch.zeros_like(x)", "x"),),
        hint=ARGUMENT_CHANGED,
    ),
    Misconception(
        "in_place_backwards",
        "running_mean_loop",
        "changes the tensor that it is given",
        (
            ("torch.zeros_like(x)", "x"),
            ("range(T)", "reversed(range(T))"),
        ),
        hint=ARGUMENT_CHANGED,
    ),
    Misconception(
        "sizes_exchanged",
        "running_mean_loop",
        "takes B for T and T for B",
        (("B, T, _", "T, B, _"),),
        hint=WRONG_SIZES,
    ),
    Misconception(
        "hard_coded",
        "running_mean_loop",
        "takes the sizes of the worked example for granted",
        (("x.shape", "4, 8, 2"),),
        hint=WRONG_SIZES,
    ),
    Misconception(
        "last_left_out",
        "running_mean_loop",
        "the last row stays 0",
        (("range(T)", "range(T - 1)"),),
        hint=LOOP_LEAVES_OUT,
    ),
    Misconception(
        "first_left_out",
        "running_mean_loop",
        "row 0 stays 0",
        (("range(T)", "range(1, T)"),),
        hint=LOOP_LEAVES_OUT,
    ),
    Misconception(
        "last_sequence_left_out",
        "running_mean_loop",
        "the averages of the last sequence stay 0",
        (("range(B)", "range(B - 1)"),),
        hint=LOOP_LEAVES_OUT,
    ),
    Misconception(
        "returns_early",
        "running_mean_loop",
        "only the first sequence is averaged; the others stay 0",
        (("\n    return means", "\n        return means"),),
        hint=FIRST_SEQUENCE_FILLED,
    ),
    Misconception(
        "loop_of_one",
        "running_mean_loop",
        "only the first sequence is averaged; the others stay 0",
        (("for b in range(B)", "for b in range(1)"),),
        hint=FIRST_SEQUENCE_FILLED,
    ),
    Misconception(
        "stops_at_eight",
        "running_mean_loop",
        "stops after eight tokens: the rows behind them stay 0",
        (("for t in range(T)", "for t in range(min(T, 8))"),),
        hint=STOPS_EARLY,
    ),
    Misconception(
        "no_return",
        "running_mean_loop",
        "returns None, not the averages",
        (("\n    return means", ""),),
        hint=Hint(
            look=(
                "Print what your function gives for the three tokens of the statement. Is it a "
                "tensor?"
            ),
            think=(
                "What is computed inside a function is gone when it ends, unless it is handed "
                "over. Where does yours hand over its averages?"
            ),
            nearly=(
                "Your loops may well be right. Look at the end of the function, behind the loops: "
                "what is still missing there?"
            ),
        ),
    ),
    Misconception(
        "one_sequence",
        "running_mean_loop",
        "returns the averages of the first sequence only",
        (("return means", "return means[0]"),),
        hint=ONE_SEQUENCE,
    ),
    Misconception(
        "half_and_half",
        "running_mean_loop",
        "the mean of the last average and the new token: old tokens fade away",
        (("x[b, : t + 1].mean(dim=0)", "x[b, t] if t == 0 else (means[b, t - 1] + x[b, t]) / 2"),),
        hint=UNEQUAL_SHARES,
    ),
    Misconception(
        "last_two",
        "running_mean_loop",
        "a moving average of the last two tokens",
        (("x[b, : t + 1]", "x[b, max(t - 1, 0) : t + 1]"),),
        hint=UNEQUAL_SHARES,
    ),
    Misconception(
        "median",
        "running_mean_loop",
        "the median in place of the mean",
        ((".mean(dim=0)", ".median(dim=0).values"),),
        hint=Hint(
            look=(
                "For the tokens [2, 7] and [6, 4] of the statement your row 1 is [2, 4]. Where do "
                "these two numbers come from?"
            ),
            think=(
                "Both of them stand in the tokens already. Which number lies halfway between 2 and "
                "6?"
            ),
            nearly=(
                "Your slice and your `dim` are right. Look at the name of the function that you "
                "call on the slice: does it add up and divide, or does it pick one number?"
            ),
        ),
    ),
    Misconception(
        "rounded",
        "running_mean_loop",
        "rounds to the four decimals of the statement",
        ((".mean(dim=0)", ".mean(dim=0).round(decimals=4)"),),
        hint=ROUNDED,
    ),
    Misconception(
        "integers",
        "running_mean_loop",
        "the results are whole numbers: their decimals are cut off",
        (("torch.zeros_like(x)", "torch.zeros_like(x, dtype=torch.long)"),),
        hint=RESULT_TYPE,
    ),
    Misconception(
        "length_hard_coded",
        "running_mean_loop",
        "takes the 8 tokens of the worked example for granted",
        (("B, T, _ = x.shape", "B, T = x.shape[0], 8"),),
        hint=WRONG_SIZES,
    ),
    Misconception(
        "div_by_t_plus_2",
        "running_mean_loop",
        "divides by t + 2, one too many",
        ((".mean(dim=0)", ".sum(dim=0) / (t + 2)"),),
        hint=WRONG_DIVISOR,
    ),
    Misconception(
        "mean_over_sequences",
        "running_mean_loop",
        "averages token t over the sequences of the batch, not over the tokens before it",
        (("x[b, : t + 1].mean", "x[:, t].mean"),),
        hint=BATCH_AVERAGED,
    ),
    Misconception(
        "channels_of_token",
        "running_mean_loop",
        "averages the channels of token t alone",
        (("x[b, : t + 1].mean(dim=0)", "x[b, t].mean()"),),
        hint=MEAN_OVER_CHANNELS,
    ),
    Misconception(
        "total_runs_on",
        "running_mean_loop",
        "adds on to the sum of the sequence before",
        (
            (
                "x[b, : t + 1].mean(dim=0)",
                "x.reshape(B * T, -1)[: b * T + t + 1].sum(dim=0) / (t + 1)",
            ),
        ),
        hint=TOTAL_RUNS_ON,
    ),
    Misconception(
        "count_runs_on",
        "running_mean_loop",
        "counts on from the sequence before: the divisor is too large for all but the first",
        ((".mean(dim=0)", ".sum(dim=0) / (b * T + t + 1)"),),
        hint=TOTAL_RUNS_ON,
    ),
    Misconception(
        "tokens_in_front",
        "running_mean_loop",
        "returns the averages with the tokens in front: (T, B, C)",
        (("return means", "return means.transpose(0, 1)"),),
        hint=SHAPE_OF_MEANS,
    ),
    Misconception(
        "tokens_behind",
        "running_mean_loop",
        "returns the averages with the tokens behind: (B, C, T)",
        (("return means", "return means.transpose(1, 2)"),),
        hint=SHAPE_OF_MEANS,
    ),
    Misconception(
        "sequences_strung_together",
        "running_mean_loop",
        "returns the averages of all sequences in one table: (B * T, C)",
        (("return means", "return means.flatten(0, 1)"),),
        hint=SHAPE_OF_MEANS,
    ),
    Misconception(
        "channels_strung_together",
        "running_mean_loop",
        "sets the averages of a sequence side by side: (B, T * C)",
        (("return means", "return means.flatten(1)"),),
        hint=SHAPE_OF_MEANS,
    ),
    Misconception(
        "token_alone",
        "running_mean_loop",
        "row t is token t alone: nothing is averaged",
        (("x[b, : t + 1].mean(dim=0)", "x[b, t]"),),
        hint=UNEQUAL_SHARES,
    ),
    Misconception(
        "last_average_not_multiplied",
        "running_mean_loop",
        "adds token t to the last average and divides by t + 1",
        (
            (
                "x[b, : t + 1].mean(dim=0)",
                "x[b, t] if t == 0 else (means[b, t - 1] + x[b, t]) / (t + 1)",
            ),
        ),
        hint=UNEQUAL_SHARES,
    ),
    Misconception(
        "steps_of_equal_size",
        "running_mean_loop",
        "goes 1/T of the way to each new token, beginning at 0",
        (
            (
                "x[b, : t + 1].mean(dim=0)",
                "means[b, t - 1] * (t > 0) * (1 - 1 / T) + x[b, t] / T",
            ),
        ),
        hint=UNEQUAL_SHARES,
    ),
    Misconception(
        "view_of_input",
        "running_mean_loop",
        "uses view, which fails for an x that is not contiguous",
        (("B, T, _ = x.shape", "B, T, C = x.shape\n    x = x.view(B * T, C).view(B, T, C)"),),
        hint=VIEW_FAILS,
    ),
    Misconception(
        "div_by_t_and_0",
        "running_mean_loop",
        "divides by t, and row 0 by 0",
        ((".mean(dim=0)", ".sum(dim=0) / t"),),
        hint=WRONG_DIVISOR,
    ),
    Misconception(
        "scalar_sum",
        "running_mean_loop",
        "adds up the channels too: one number for all of them",
        ((".mean(dim=0)", ".sum() / (t + 1)"),),
        hint=MEAN_OVER_CHANNELS,
    ),
    Misconception(
        "cpu_total",
        "running_mean_loop",
        "has a tensor on the CPU, wherever x is",
        (
            (
                "\n            means[b, t] = ",
                "\n            means[b, t] = torch.zeros(x.shape[2], dtype=x.dtype) + ",
            ),
        ),
        hint=RESULT_DEVICE,
    ),
    Misconception(
        "sum_before",
        "running_mean_loop",
        "adds up the tokens before t and divides by t + 1",
        (("x[b, : t + 1].mean(dim=0)", "x[b, :t].sum(dim=0) / (t + 1)"),),
        hint=SLICE_ENDS_BEFORE_T,
    ),
    Misconception(
        "mean_before",
        "running_mean_loop",
        "averages the tokens before t only; row 0 is 0",
        (("x[b, : t + 1].mean(dim=0)", "x[b, :t].sum(dim=0) / max(t, 1)"),),
        hint=SLICE_ENDS_BEFORE_T,
    ),
    Misconception(
        "half_from_zero",
        "running_mean_loop",
        "goes half of the way to each new token, beginning at 0",
        (("x[b, : t + 1].mean(dim=0)", "means[b, t - 1] * (t > 0) / 2 + x[b, t] / 2"),),
        hint=UNEQUAL_SHARES,
    ),
    Misconception(
        "first_twice",
        "running_mean_loop",
        "counts token 0 twice",
        (("x[b, : t + 1].mean(dim=0)", "(x[b, : t + 1].sum(dim=0) + x[b, 0]) / (t + 1)"),),
        hint=FIRST_COUNTED_TWICE,
    ),
    Misconception(
        "div_by_all_numbers",
        "running_mean_loop",
        "divides by how many numbers there are, all channels together",
        (("x[b, : t + 1].mean(dim=0)", "x[b, : t + 1].sum(dim=0) / x[b, : t + 1].numel()"),),
        hint=WRONG_DIVISOR,
    ),
    Misconception(
        "div_by_channels",
        "running_mean_loop",
        "divides by the number of channels",
        (("x[b, : t + 1].mean(dim=0)", "x[b, : t + 1].sum(dim=0) / x.shape[2]"),),
        hint=WRONG_DIVISOR,
    ),
    Misconception(
        "mean_of_all",
        "running_mean_loop",
        "averages over all sequences and channels",
        (("x[b, : t + 1].mean(dim=0)", "x[:, : t + 1].mean()"),),
        hint=BATCH_AVERAGED,
    ),
    Misconception(
        "batch_for_tokens",
        "running_mean_loop",
        "averages all sequences at once, over the dimension of the batch",
        (("means[b, t] = x[b, : t + 1].mean(dim=0)", "means[:, t] = x[:, : t + 1].mean(dim=0)"),),
        hint=BATCH_AVERAGED,
    ),
    Misconception(
        "last_sequence_only",
        "running_mean_loop",
        "returns the averages of the last sequence only",
        (("return means", "return means[-1]"),),
        hint=ONE_SEQUENCE,
    ),
    Misconception(
        "div_T",
        "running_mean_matmul",
        "divides every row by the length of the sequence",
        (("triangle.sum(dim=1, keepdim=True)", "T"),),
        hint=ROWS_NOT_DIVIDED,
    ),
    Misconception(
        "hard_coded_T",
        "running_mean_matmul",
        "a table for eight tokens, however many there are",
        (("x.shape[1]", "8"),),
        hint=WRONG_SIZES,
    ),
    Misconception(
        "cut_from_eight",
        "running_mean_matmul",
        "has a table for a fixed number of tokens: more of them find no row",
        (
            (
                "torch.ones(T, T, dtype=x.dtype, device=x.device)",
                "torch.ones(8, 8, dtype=x.dtype, device=x.device)",
            ),
            ("weights = triangle", "triangle = triangle[:T, :T]\n    weights = triangle"),
        ),
        hint=WRONG_SIZES,
    ),
    Misconception(
        "float32_weight",
        "running_mean_matmul",
        "the table is float32 always and cannot be multiplied with float64",
        ((", dtype=x.dtype", ""),),
        hint=TABLE_TYPE,
    ),
    Misconception(
        "float32_product",
        "running_mean_matmul",
        "computes in float32 whatever x is (float32 only)",
        (
            (", dtype=x.dtype", ""),
            ("weights @ x", "weights @ x.float()"),
        ),
        hint=TABLE_TYPE,
    ),
    Misconception(
        "cpu_weight",
        "running_mean_matmul",
        "has a tensor on the CPU, wherever x is",
        ((", device=x.device", ""),),
        hint=TABLE_DEVICE,
    ),
    Misconception(
        "triu",
        "running_mean_matmul",
        "the upper triangle: averages token t and what is still to come",
        (("torch.tril", "torch.triu"),),
        hint=TRIANGLE_ON_THE_WRONG_SIDE,
    ),
    Misconception(
        "no_keepdim",
        "running_mean_matmul",
        "the divisors of the rows divide the columns",
        ((", keepdim=True", ""),),
        hint=Hint(
            look=(
                "Print your table for three tokens. Column 0 held 1, 1, 1: by which of your "
                "divisors was each of these ones divided?"
            ),
            think=(
                "You have the right divisors, 1, 2 and 3. When a table of shape (3, 3) is divided "
                "by a plain row of three numbers, does each number meet a row or a column?"
            ),
            nearly=(
                "Print the shape of your divisors. The statement says which shape they need, and "
                "which argument of `sum` gives it to sums."
            ),
        ),
    ),
    Misconception(
        "columns_normalised",
        "running_mean_matmul",
        "divides every column by its sum, not every row",
        (("dim=1", "dim=0"),),
        hint=Hint(
            look="Add up each row of your table, and then each column. Which of these sums are 1?",
            think=(
                "One row belongs to one average and shares out the whole among its tokens. In "
                "which direction do you have to add to get one sum per row?"
            ),
            nearly=(
                "The `dim` of a sum is the direction that it runs along. Who walks along a row "
                "passes from column to column; which `dim` is that, and which one do you give?"
            ),
        ),
    ),
    Misconception(
        "total",
        "running_mean_matmul",
        "divides by the sum of the whole table",
        (("sum(dim=1, keepdim=True)", "sum()"),),
        hint=ROWS_NOT_DIVIDED,
    ),
    Misconception(
        "not_normalised",
        "running_mean_matmul",
        "multiplies with the triangle of ones: sums, not means",
        (("triangle / triangle.sum(dim=1, keepdim=True)", "triangle"),),
        hint=ROWS_NOT_DIVIDED,
    ),
    Misconception(
        "diag_left_out",
        "running_mean_matmul",
        "the triangle without its diagonal: row 0 divides 0 by 0",
        (("device=x.device)", "device=x.device), diagonal=-1"),),
        hint=DIAGONAL_LEFT_OUT,
    ),
    Misconception(
        "diag_above",
        "running_mean_matmul",
        "the triangle with one diagonal too many: one token of the future",
        (("device=x.device)", "device=x.device), diagonal=1"),),
        hint=DIAGONAL_TOO_MANY,
    ),
    Misconception(
        "no_triangle",
        "running_mean_matmul",
        "no triangle takes effect: every token gets the mean of the whole sequence",
        (
            (
                "torch.tril(torch.ones(T, T, dtype=x.dtype, device=x.device))",
                "torch.ones(T, T, dtype=x.dtype, device=x.device)",
            ),
        ),
        hint=Hint(
            look=(
                "Compare the rows of your table for three tokens. How does row 0 differ from row 2?"
            ),
            think=(
                "Row 0 may not see tokens 1 and 2. Which weight must these two have, and what in "
                "your code sees to it?"
            ),
            nearly=(
                "Your table is the same everywhere. Before the division, the ones of later tokens "
                "have to become 0; the statement names a function for this. Do you call it, and "
                "go on with what it returns?"
            ),
        ),
    ),
    Misconception(
        "inverted",
        "running_mean_matmul",
        "the triangle the wrong way round: 0 where a token may look",
        (("torch.tril(", "1 - torch.tril("),),
        hint=TRIANGLE_ON_THE_WRONG_SIDE,
    ),
    Misconception(
        "t_is_batch",
        "running_mean_matmul",
        "takes the number of sequences for the number of tokens",
        (("x.shape[1]", "x.shape[0]"),),
        hint=WRONG_SIZES,
    ),
    Misconception(
        "t_is_channels",
        "running_mean_matmul",
        "takes the number of channels for the number of tokens",
        (("x.shape[1]", "x.shape[2]"),),
        hint=WRONG_SIZES,
    ),
    Misconception(
        "means_first",
        "running_mean_matmul",
        "gives the means before the weights",
        (("return weights, means", "return means, weights"),),
        hint=RETURNED_PAIR,
    ),
    Misconception(
        "means_only",
        "running_mean_matmul",
        "gives the means only",
        (("return weights, means", "return means"),),
        hint=RETURNED_PAIR,
    ),
    Misconception(
        "weights_per_sequence",
        "running_mean_matmul",
        "gives the table once for every sequence",
        (("return weights, means", "return weights.expand(x.shape[0], T, T), means"),),
        hint=Hint(
            look=(
                "Print the shape of the weights for a batch of two sequences of three tokens. Then "
                "compare the two tables in it."
            ),
            think=(
                "Your weights depend on the number of tokens only. How many tables does a batch "
                "need, then?"
            ),
            nearly=(
                "The means are right, since PyTorch uses one table for each sequence by itself. "
                "Look at what you do to the weights before you return them."
            ),
        ),
    ),
    Misconception(
        "triangle_returned",
        "running_mean_matmul",
        "gives the triangle of ones as the weights",
        (("return weights,", "return triangle,"),),
        hint=WRONG_TABLE_RETURNED,
    ),
    Misconception(
        "weights_transposed",
        "running_mean_matmul",
        "multiplies with the transposed table",
        (("weights @ x", "weights.T @ x"),),
        hint=WEIGHTS_TRANSPOSED,
    ),
    Misconception(
        "reshaped_back",
        "running_mean_matmul",
        "reshapes means of (B, C, T) to (B, T, C), which mixes tokens and channels",
        (("weights @ x", "(x.transpose(1, 2) @ weights.T).reshape(x.shape)"),),
        hint=Hint(
            look=(
                "Take one sequence of three tokens with two channels, 1, 2, 3 in one and 10, 20, "
                "30 in the other, and print the means. In which columns do the tens stand?"
            ),
            think=(
                "reshape reads all numbers row by row and writes them row by row into another "
                "shape. What does it take for a row to become a column?"
            ),
            nearly=(
                "Look for what brings the means back to (B, T, C): two axes must change places, or "
                "the table stand on the side where nothing has to be turned."
            ),
        ),
    ),
    Misconception(
        "not_turned_back",
        "running_mean_matmul",
        "returns the means as (B, C, T): tokens and channels are exchanged",
        (("weights @ x", "x.transpose(1, 2) @ weights.T"),),
        hint=Hint(
            look=(
                "Take one sequence of three tokens with two channels and print the shapes of `x` "
                "and of the means. Which two sizes have changed places?"
            ),
            think=(
                "A product has as many rows as its left factor. Which of your two factors has one "
                "row for each token?"
            ),
            nearly=(
                "Look for a step that turns something round, `x` or the result. On which side "
                "must the table stand so that nothing has to be turned?"
            ),
        ),
    ),
    Misconception(
        "elementwise",
        "running_mean_matmul",
        "multiplies element by element, with no matrix product",
        (("weights @ x", "weights * x"),),
        hint=NOTHING_ADDED_UP,
    ),
    Misconception(
        "share_of_itself",
        "running_mean_matmul",
        "each token times its own weight: nothing is added up",
        (("weights @ x", "weights.diagonal().unsqueeze(1) * x"),),
        hint=NOTHING_ADDED_UP,
    ),
    Misconception(
        "first_sequence_only",
        "running_mean_matmul",
        "gives every sequence the averages of the first one",
        (("weights @ x", "(weights @ x[0]).expand_as(x)"),),
        hint=FIRST_SEQUENCE_FOR_ALL,
    ),
    Misconception(
        "batch_mean",
        "running_mean_matmul",
        "averages over the sequences too",
        (("weights @ x", "(weights @ x).mean(dim=0, keepdim=True).expand_as(x)"),),
        hint=BATCH_AVERAGED,
    ),
    Misconception(
        "applied_twice",
        "running_mean_matmul",
        "averages the averages once more",
        (("weights @ x", "weights @ (weights @ x)"),),
        hint=Hint(
            look=(
                "For the tokens of the statement your row 1 is [3, 6.25]. Now take the two "
                "averages [2, 7] and [4, 5.5] from the statement: what is their mean?"
            ),
            think=(
                "An average of tokens is wanted. What are the rows that you average in the end: "
                "tokens, or averages already?"
            ),
            nearly=(
                "Count how often the table takes part in a product in your code. How many times "
                "does it take to get from tokens to averages?"
            ),
        ),
    ),
    Misconception(
        "loop_over_tokens",
        "running_mean_matmul",
        "a product of its own for every token",
        (("weights @ x", "torch.stack([weights[t] @ x for t in range(T)], dim=1)"),),
        hint=LOOPS,
    ),
    Misconception(
        "loop_over_rows",
        "running_mean_matmul",
        "makes the table piece by piece: more tokens need more operations",
        (
            (
                "torch.tril(torch.ones(T, T, dtype=x.dtype, device=x.device))",
                (
                    "torch.zeros(T, T, dtype=x.dtype, device=x.device)\n"
                    "    for t in range(T):\n"
                    "        triangle[t, : t + 1] = 1"
                ),
            ),
        ),
        hint=LOOPS,
    ),
    Misconception(
        "in_place",
        "running_mean_matmul",
        "changes the tensor that it is given",
        (("weights @ x", "x.copy_(weights @ x)"),),
        hint=ARGUMENT_CHANGED,
    ),
    Misconception(
        "rounded",
        "running_mean_matmul",
        "rounds the weights to the four decimals of the statement",
        (("keepdim=True)", "keepdim=True)\n    weights = weights.round(decimals=4)"),),
        hint=ROUNDED,
    ),
    Misconception(
        "strict_triangle",
        "running_mean_matmul",
        "leaves the diagonal out and divides by t + 1: row 0 is 0",
        (
            (
                "weights = triangle / triangle.sum(dim=1, keepdim=True)",
                "weights = triangle.tril(-1) / triangle.sum(dim=1, keepdim=True)",
            ),
        ),
        hint=DIAGONAL_NOT_SEEN,
    ),
    Misconception(
        "one_ahead",
        "running_mean_matmul",
        "gives the next token a share as well; the rows add up to more than 1",
        (
            (
                "triangle = ",
                "counts = torch.arange(1, T + 1, device=x.device)[:, None]\n    triangle = ",
            ),
            ("device=x.device))\n", "device=x.device), diagonal=1)\n"),
            ("triangle.sum(dim=1, keepdim=True)", "counts"),
        ),
        hint=DIAGONAL_TOO_MANY,
    ),
    Misconception(
        "divided_by_column_sums",
        "running_mean_matmul",
        "divides row t by T - t, the sum of column t: the counts run backwards",
        (("triangle.sum(dim=1, keepdim=True)", "triangle.sum(dim=0).unsqueeze(1)"),),
        hint=ROWS_NOT_DIVIDED,
    ),
    Misconception(
        "counts_from_zero",
        "running_mean_matmul",
        "divides row t by t, and row 0 by 0",
        (("keepdim=True)", "keepdim=True).sub(1)"),),
        hint=ROWS_NOT_DIVIDED,
    ),
    Misconception(
        "counts_one_too_many",
        "running_mean_matmul",
        "divides row t by t + 2",
        (("keepdim=True)", "keepdim=True).add(1)"),),
        hint=ROWS_NOT_DIVIDED,
    ),
    Misconception(
        "divided_by_mean",
        "running_mean_matmul",
        "has T times the right weights: each row adds up to T",
        (("triangle.sum(", "triangle.mean("),),
        hint=ROWS_NOT_DIVIDED,
    ),
    Misconception(
        "softmax_of_triangle",
        "running_mean_matmul",
        "takes a softmax of ones and zeros, which leaves later tokens a share",
        (("triangle / triangle.sum(dim=1, keepdim=True)", "torch.softmax(triangle, dim=1)"),),
        hint=SOFTMAX_NOT_ASKED,
    ),
    Misconception(
        "reshaped",
        "running_mean_matmul",
        "reads the numbers of x as if they lay as (T, B, C), which mixes the sequences",
        (("weights @ x", "(weights @ x.reshape(T, -1)).reshape(x.shape)"),),
        hint=SEQUENCES_MIXED,
    ),
    Misconception(
        "sequences_added",
        "running_mean_matmul",
        "adds up the sequences: one table of means for all",
        (("weights @ x", "(weights @ x).sum(dim=0)"),),
        hint=BATCH_SUMMED,
    ),
    Misconception(
        "sequences_added_for_all",
        "running_mean_matmul",
        "adds up the sequences and gives the sum to each",
        (("weights @ x", "(weights @ x).sum(dim=0, keepdim=True).expand_as(x)"),),
        hint=BATCH_SUMMED,
    ),
    Misconception(
        "weights_batch_of_one",
        "running_mean_matmul",
        "returns the weights as (1, T, T), with a dimension for the batch",
        (("return weights, means", "return weights.unsqueeze(0), means"),),
        hint=TABLE_PER_SEQUENCE,
    ),
    Misconception(
        "t_is_batch_in_einsum",
        "running_mean_matmul",
        "takes the number of sequences for the number of tokens",
        (
            ("x.shape[1]", "x.shape[0]"),
            ("weights @ x", 'torch.einsum("ts,bsc->btc", weights, x)'),
        ),
        hint=WRONG_SIZES,
    ),
    Misconception(
        "view_of_input",
        "running_mean_matmul",
        "uses view, which fails for an x that is not contiguous",
        (("weights @ x", "weights @ x.view(-1, x.shape[2]).view(x.shape)"),),
        hint=VIEW_FAILS,
    ),
    Misconception(
        "factors_exchanged",
        "running_mean_matmul",
        "multiplies x with the table, not the table with x",
        (("weights @ x", "x @ weights"),),
        hint=FACTORS_EXCHANGED,
    ),
    Misconception(
        "strict_without_nan",
        "running_mean_matmul",
        "leaves the diagonal out, and row 0 is 0",
        (
            (
                "weights = triangle / triangle.sum(dim=1, keepdim=True)",
                (
                    "triangle = triangle.tril(-1)\n    weights = triangle / "
                    "triangle.sum(dim=1, keepdim=True).clamp(min=1)"
                ),
            ),
        ),
        hint=DIAGONAL_NOT_SEEN,
    ),
    Misconception(
        "weights_only",
        "running_mean_matmul",
        "gives the weights only",
        (("return weights, means", "return weights"),),
        hint=RETURNED_PAIR,
    ),
    Misconception(
        "mask_after",
        "running_mean_softmax",
        "gives each token of the past the share 1/T: the rows no longer add up to 1",
        (
            ('scores.masked_fill(later, float("-inf"))', "torch.softmax(scores, dim=-1)"),
            ("torch.softmax(masked, dim=-1)", "masked.masked_fill(later, 0.0)"),
        ),
        hint=Hint(
            look=(
                "Add up each row of your weights for three tokens. Which sums are 1, and where is "
                "the rest in the other rows?"
            ),
            think=(
                "Softmax shares out 1 among all the scores that it is given. Who gets a share that "
                "is taken away afterwards?"
            ),
            nearly=(
                "Look at the order of your steps. The later tokens have to be out before the "
                "sharing begins, and the statement has a special score for them."
            ),
        ),
    ),
    Misconception(
        "softmax_dim0",
        "running_mean_softmax",
        "the columns of the table add up to 1, not its rows",
        (("dim=-1", "dim=0"),),
        hint=SOFTMAX_DIRECTION,
    ),
    Misconception(
        "tiny_fill",
        "running_mean_softmax",
        "no mask takes effect: every token gets the mean of the whole sequence",
        (('float("-inf")', "-1e-9"),),
        hint=MASK_WITHOUT_EFFECT,
    ),
    Misconception(
        "mul_inf",
        "running_mean_softmax",
        "all weights and all means are NaN",
        (('scores.masked_fill(later, float("-inf"))', 'scores + later * float("-inf")'),),
        hint=NOTHING_BUT_NAN,
    ),
    Misconception(
        "triu",
        "running_mean_softmax",
        "masks the past: a token sees itself and what comes later",
        ((".triu(diagonal=1)", ".tril(diagonal=-1)"),),
        hint=MASK_ON_THE_WRONG_SIDE,
    ),
    Misconception(
        "diag_masked",
        "running_mean_softmax",
        "masks the diagonal too: row 0 has no token left",
        (("diagonal=1", "diagonal=0"),),
        hint=DIAGONAL_LEFT_OUT,
    ),
    Misconception(
        "random_logits",
        "running_mean_softmax",
        "random scores in place of equal ones",
        (("torch.zeros", "torch.randn"),),
        hint=UNEQUAL_SCORES,
    ),
    Misconception(
        "no_mask",
        "running_mean_softmax",
        "no mask takes effect: every token gets the mean of the whole sequence",
        (('scores.masked_fill(later, float("-inf"))', "scores"),),
        hint=MASK_WITHOUT_EFFECT,
    ),
    Misconception(
        "mask_late",
        "running_mean_softmax",
        "the mask begins one diagonal too late: one token of the future",
        (("diagonal=1", "diagonal=2"),),
        hint=DIAGONAL_TOO_MANY,
    ),
    Misconception(
        "inverted",
        "running_mean_softmax",
        "masks where a token may look",
        (("masked_fill(later,", "masked_fill(~later,"),),
        hint=MASK_ON_THE_WRONG_SIDE,
    ),
    Misconception(
        "plus_inf",
        "running_mean_softmax",
        "gives later tokens the score plus infinity: all rows but the last become NaN",
        (('float("-inf")', 'float("inf")'),),
        hint=FILL_WITHOUT_MINUS,
    ),
    Misconception(
        "fill_positive",
        "running_mean_softmax",
        "later tokens get all the weight: their scores are far above those of the past",
        (('float("-inf")', "1e9"),),
        hint=FILL_WITHOUT_MINUS,
    ),
    Misconception(
        "fill_ten",
        "running_mean_softmax",
        "gives later tokens the score -10: a little of the future shines through",
        (('float("-inf")', "-10.0"),),
        hint=Hint(
            look=(
                "Print row 0 of your weights with `torch.set_printoptions(precision=8)`. Are the "
                "weights of the later tokens exactly 0?"
            ),
            think=(
                "The exponential of -10 is about 0.00005: small, but not 0. Which score leaves a "
                "token nothing at all, whatever the other scores are?"
            ),
            nearly=(
                "Mask and softmax are in the right places. Look at the number that you fill in, "
                "and compare it with the one in the statement."
            ),
        ),
    ),
    Misconception(
        "softmax_of_triangle",
        "running_mean_softmax",
        "makes the scores of later tokens only 1 lower, which leaves them a share",
        (('scores.masked_fill(later, float("-inf"))', "scores.masked_fill(~later, 1.0)"),),
        hint=ZERO_IS_NOT_HIDDEN,
    ),
    Misconception(
        "mask_lost",
        "running_mean_softmax",
        "no mask takes effect: every token gets the mean of the whole sequence",
        (
            (
                'masked = scores.masked_fill(later, float("-inf"))',
                'scores.masked_fill(later, float("-inf"))',
            ),
            ("torch.softmax(masked, dim=-1)", "torch.softmax(scores, dim=-1)"),
        ),
        hint=MASK_WITHOUT_EFFECT,
    ),
    Misconception(
        "log_softmax",
        "running_mean_softmax",
        "takes the logarithms of the weights for the weights",
        (("torch.softmax", "torch.log_softmax"),),
        hint=Hint(
            look=(
                "Print your weights for three tokens. What is the smallest number among them, and "
                "can a share be like that?"
            ),
            think=(
                "Weights lie between 0 and 1, and each row adds up to 1. Take `torch.exp` of your "
                "table: what do you see?"
            ),
            nearly=(
                "Mask and direction are right. Look at the name of the function that makes your "
                "weights: what does it do beyond a softmax?"
            ),
        ),
    ),
    Misconception(
        "sigmoid",
        "running_mean_softmax",
        "gives every token up to t the weight 1/2, as a sigmoid of 0 does",
        (("torch.softmax(masked, dim=-1)", "torch.sigmoid(masked)"),),
        hint=NOT_SHARED_OUT,
    ),
    Misconception(
        "exp_only",
        "running_mean_softmax",
        "gives every token up to t the weight 1: nothing is divided by the sum of the row",
        (("torch.softmax(masked, dim=-1)", "torch.exp(masked)"),),
        hint=NOT_SHARED_OUT,
    ),
    Misconception(
        "softmax_twice",
        "running_mean_softmax",
        "takes the softmax of finished weights, which leaves later tokens a share",
        (
            (
                "torch.softmax(masked, dim=-1)",
                "torch.softmax(torch.softmax(masked, dim=-1), dim=-1)",
            ),
        ),
        hint=ZERO_IS_NOT_HIDDEN,
    ),
    Misconception(
        "softmax_flat",
        "running_mean_softmax",
        "the whole table adds up to 1, not each row of it",
        (("torch.softmax(masked, dim=-1)", "torch.softmax(masked.flatten(), dim=0).view(T, T)"),),
        hint=SOFTMAX_DIRECTION,
    ),
    Misconception(
        "softmax_of_product",
        "running_mean_softmax",
        "every mean is 1/C, as the softmax of equal numbers is",
        (("weights @ x", "torch.softmax(scores @ x, dim=-1)"),),
        hint=SOFTMAX_BEHIND_PRODUCT,
    ),
    Misconception(
        "scores_from_data",
        "running_mean_softmax",
        "computes the scores from the tokens already",
        (("torch.zeros(T, T, dtype=x.dtype, device=x.device)", "x @ x.transpose(1, 2)"),),
        hint=UNEQUAL_SCORES,
    ),
    Misconception(
        "positions_as_scores",
        "running_mean_softmax",
        "the scores count upwards: later tokens weigh more",
        (
            (
                "torch.zeros(T, T, dtype=x.dtype, device=x.device)",
                "torch.arange(T, dtype=x.dtype, device=x.device).repeat(T, 1)",
            ),
        ),
        hint=UNEQUAL_SCORES,
    ),
    Misconception(
        "float32_weight",
        "running_mean_softmax",
        "the weights are float32 always: the product with float64 fails",
        ((", dtype=x.dtype", ""),),
        hint=TABLE_TYPE,
    ),
    Misconception(
        "float32_product",
        "running_mean_softmax",
        "computes in float32 whatever x is (float32 only)",
        (
            (", dtype=x.dtype", ""),
            ("weights @ x", "weights @ x.float()"),
        ),
        hint=TABLE_TYPE,
    ),
    Misconception(
        "cpu_scores",
        "running_mean_softmax",
        "has a tensor on the CPU, wherever x is",
        ((", device=x.device", ""),),
        hint=TABLE_DEVICE,
    ),
    Misconception(
        "hard_coded_T",
        "running_mean_softmax",
        "scores for eight tokens, however many there are",
        (("x.shape[1]", "8"),),
        hint=WRONG_SIZES,
    ),
    Misconception(
        "t_is_batch",
        "running_mean_softmax",
        "takes the number of sequences for the number of tokens",
        (("x.shape[1]", "x.shape[0]"),),
        hint=WRONG_SIZES,
    ),
    Misconception(
        "t_is_channels",
        "running_mean_softmax",
        "takes the number of channels for the number of tokens",
        (("x.shape[1]", "x.shape[2]"),),
        hint=WRONG_SIZES,
    ),
    Misconception(
        "means_first",
        "running_mean_softmax",
        "gives the means before the weights",
        (("return weights, means", "return means, weights"),),
        hint=RETURNED_PAIR,
    ),
    Misconception(
        "means_only",
        "running_mean_softmax",
        "gives the means only",
        (("return weights, means", "return means"),),
        hint=RETURNED_PAIR,
    ),
    Misconception(
        "scores_returned",
        "running_mean_softmax",
        "gives the masked scores as the weights",
        (("return weights,", "return masked,"),),
        hint=WRONG_TABLE_RETURNED,
    ),
    Misconception(
        "weights_transposed",
        "running_mean_softmax",
        "multiplies with the transposed table",
        (("weights @ x", "weights.T @ x"),),
        hint=WEIGHTS_TRANSPOSED,
    ),
    Misconception(
        "in_place",
        "running_mean_softmax",
        "changes the tensor that it is given",
        (("weights @ x", "x.copy_(weights @ x)"),),
        hint=ARGUMENT_CHANGED,
    ),
    Misconception(
        "first_sequence_only",
        "running_mean_softmax",
        "gives every sequence the averages of the first one",
        (("weights @ x", "(weights @ x[0]).expand_as(x)"),),
        hint=FIRST_SEQUENCE_FOR_ALL,
    ),
    Misconception(
        "fill_five",
        "running_mean_softmax",
        "gives later tokens the score -5: a little of the future shines through",
        (('float("-inf")', "-5.0"),),
        hint=FUTURE_SHINES,
    ),
    Misconception(
        "weights_batch_of_one",
        "running_mean_softmax",
        "returns the weights as (1, T, T), with a dimension for the batch",
        (("return weights, means", "return weights.unsqueeze(0), means"),),
        hint=TABLE_PER_SEQUENCE,
    ),
    Misconception(
        "no_keepdim",
        "running_mean_softmax",
        "the divisors of the rows divide the columns",
        (("torch.softmax(masked, dim=-1)", "masked.exp() / masked.exp().sum(dim=-1)"),),
        hint=SHARES_DIVIDED_BY_COLUMNS,
    ),
    Misconception(
        "fill_minus_one",
        "running_mean_softmax",
        "makes the scores of later tokens only 1 lower, which leaves them a share",
        (('float("-inf")', "-1.0"),),
        hint=ZERO_IS_NOT_HIDDEN,
    ),
    Misconception(
        "uniform_scores",
        "running_mean_softmax",
        "random scores in place of equal ones",
        (("torch.zeros", "torch.rand"),),
        hint=UNEQUAL_SCORES,
    ),
    Misconception(
        "all_hidden",
        "running_mean_softmax",
        "all weights and all means are NaN",
        (("masked_fill(later,", "masked_fill(scores == 0,"),),
        hint=NOTHING_BUT_NAN,
    ),
    Misconception(
        "logarithms_returned",
        "running_mean_softmax",
        "gives the logarithms of the weights as the weights",
        (("return weights,", "return torch.log_softmax(masked, dim=-1),"),),
        hint=WRONG_TABLE_RETURNED,
    ),
    Misconception(
        "softmax_of_means",
        "running_mean_softmax",
        "sends the means through a softmax as well",
        (("weights @ x", "torch.softmax(weights @ x, dim=-1)"),),
        hint=SOFTMAX_BEHIND_PRODUCT,
    ),
    Misconception(
        "weights_per_sequence",
        "running_mean_softmax",
        "gives the table once for every sequence",
        (("return weights, means", "return weights.expand(x.shape[0], T, T), means"),),
        hint=TABLE_PER_SEQUENCE,
    ),
    Misconception(
        "cut_from_eight",
        "running_mean_softmax",
        "has scores for a fixed number of tokens: more of them find no row",
        (
            ("torch.zeros(T, T, dtype", "torch.zeros(8, 8, dtype"),
            ("device=x.device)", "device=x.device)[:T, :T]"),
        ),
        hint=WRONG_SIZES,
    ),
    Misconception(
        "elementwise",
        "running_mean_softmax",
        "multiplies element by element, with no matrix product",
        (("weights @ x", "weights * x"),),
        hint=NOTHING_ADDED_UP,
    ),
    Misconception(
        "reshaped",
        "running_mean_softmax",
        "reads the numbers of x as if they lay as (T, B, C), which mixes the sequences",
        (("weights @ x", "(weights @ x.reshape(T, -1)).reshape(x.shape)"),),
        hint=SEQUENCES_MIXED,
    ),
    Misconception(
        "sequences_added",
        "running_mean_softmax",
        "adds up the sequences: one table of means for all",
        (("weights @ x", "(weights @ x).sum(dim=0)"),),
        hint=BATCH_SUMMED,
    ),
    Misconception(
        "batch_mean",
        "running_mean_softmax",
        "averages over the sequences too",
        (("weights @ x", "(weights @ x).mean(dim=0, keepdim=True).expand_as(x)"),),
        hint=BATCH_AVERAGED,
    ),
    Misconception(
        "applied_twice",
        "running_mean_softmax",
        "averages the averages once more",
        (("weights @ x", "weights @ (weights @ x)"),),
        hint=APPLIED_TWICE,
    ),
    Misconception(
        "view_of_input",
        "running_mean_softmax",
        "uses view, which fails for an x that is not contiguous",
        (("weights @ x", "weights @ x.view(-1, x.shape[2]).view(x.shape)"),),
        hint=VIEW_FAILS,
    ),
    Misconception(
        "factors_exchanged",
        "running_mean_softmax",
        "multiplies x with the table, not the table with x",
        (("weights @ x", "x @ weights"),),
        hint=FACTORS_EXCHANGED,
    ),
    Misconception(
        "fill_one",
        "running_mean_softmax",
        "gives later tokens the score 1, so that they weigh more",
        (('float("-inf")', "1.0"),),
        hint=FILL_WITHOUT_MINUS,
    ),
    Misconception(
        "fill_ten_above",
        "running_mean_softmax",
        "gives later tokens the score 10, so that they weigh more",
        (('float("-inf")', "10.0"),),
        hint=FILL_WITHOUT_MINUS,
    ),
    Misconception(
        "diag_masked_but_first",
        "running_mean_softmax",
        "masks the diagonal too, and lets token 0 see everything",
        (
            (
                "triu(diagonal=1)",
                "triu(diagonal=0)\n    later[0] = False",
            ),
        ),
        hint=DIAGONAL_NOT_SEEN,
    ),
    Misconception(
        "weights_only",
        "running_mean_softmax",
        "gives the weights only",
        (("return weights, means", "return weights"),),
        hint=RETURNED_PAIR,
    ),
    Misconception(
        "triangle_returned",
        "running_mean_softmax",
        "returns a triangle of ones as the weights",
        (("return weights, means", "return torch.ones_like(scores).tril(), means"),),
        hint=WRONG_TABLE_RETURNED,
    ),
    Misconception(
        "zeros_returned",
        "running_mean_softmax",
        "returns the scores, 0 everywhere, as the weights",
        (("return weights, means", "return scores, means"),),
        hint=WRONG_TABLE_RETURNED,
    ),
    Misconception(
        "minus_inf_after",
        "running_mean_softmax",
        "gives later tokens the weight minus infinity, after the softmax",
        (
            ('scores.masked_fill(later, float("-inf"))', "torch.softmax(scores, dim=-1)"),
            ("torch.softmax(masked, dim=-1)", 'masked.masked_fill(later, float("-inf"))'),
        ),
        hint=MASKED_TOO_LATE,
    ),
    Misconception(
        "scores_from_data_scaled",
        "running_mean_softmax",
        "computes the scores from the tokens already, and scales them",
        (
            (
                "torch.zeros(T, T, dtype=x.dtype, device=x.device)",
                "x @ x.transpose(1, 2) / x.shape[2] ** 0.5",
            ),
        ),
        hint=UNEQUAL_SCORES,
    ),
]
