"""Prove what the kit claims: grade all solutions that are known to be right or wrong, and count."""
