"""Services for phones and browsers beside the changes of an organiser: who may enter which page."""
