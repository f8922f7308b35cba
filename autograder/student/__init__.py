"""What students do with their copy besides grading: hand in, and update."""
