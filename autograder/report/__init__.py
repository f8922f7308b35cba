"""Write grades: for people to a terminal and as pages, for programs as JSON, CSV, exit codes."""
