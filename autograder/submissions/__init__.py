"""Take in what strangers hand in: files and archives as bytes, within limits, and their names."""
