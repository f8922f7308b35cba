"""What is made out of the solutions for others to use."""
