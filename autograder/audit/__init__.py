"""Prove what the kit claims: grade all that is known to be right or wrong, and count."""
