"""Build the students' copy of the course; pack work to hand in, and update that copy."""
