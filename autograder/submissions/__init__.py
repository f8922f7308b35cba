"""Find and read submissions: files and archives of strangers, within limits; nothing is run."""
