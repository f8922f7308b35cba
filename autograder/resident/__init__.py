"""One grader per folder of a kit that stays, so that a verdict takes a tenth of a second.

Whoever needs it first starts it. It has imported PyTorch and keeps a warm process for the student's
code. It ends after twenty minutes without a request, and when the kit has changed. Without it
everything works as before, only slower.
"""
