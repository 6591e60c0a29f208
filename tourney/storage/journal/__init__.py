"""The journal: entries as text, what of them stands after undo, and the folds that check them."""
