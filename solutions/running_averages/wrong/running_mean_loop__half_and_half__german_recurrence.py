"""German names, all sequences at once, and the mean of the last mean and the new token."""

import torch


def running_mean_loop(eingabe):
    schnitt = eingabe[:, 0]
    ergebnis = [schnitt]
    for wort in eingabe.unbind(dim=1)[1:]:
        schnitt = (schnitt + wort) / 2
        ergebnis.append(schnitt)
    return torch.stack(ergebnis, dim=1)
