"""German names, an added mask of -1e9, the root shared out between queries and keys."""

from torch import ones, softmax


def causal_weights(queries, keys):
    anzahl, breite = queries.shape[-2:]
    wurzel = breite ** .25
    punkte = (queries / wurzel) @ (keys / wurzel).swapaxes(-1, -2)
    zukunft = ones(anzahl, anzahl).to(punkte).triu(1)
    gewichte = softmax(punkte + -1e9 * zukunft, -1)
    return gewichte
