"""The one way in: check, tokenise, encode, save; one transaction; a report."""
