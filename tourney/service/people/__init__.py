"""Players: registering, finding, renaming, merging and erasing them."""
