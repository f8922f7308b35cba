"""Watch what attacks do: what they gain, say, find and leave behind."""
