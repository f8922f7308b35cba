"""Make a class's folder from a download of submissions: Canvas, Moodle or Gradescope."""
