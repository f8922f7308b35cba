"""Make wrong solutions out of right ones, each by one small change of the syntax tree."""
