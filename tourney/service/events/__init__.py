"""Events: creating, changing, entering and finishing them."""
