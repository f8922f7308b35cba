"""Help an author: write the beginnings of an exercise, say what it lacks, record a mistake."""
