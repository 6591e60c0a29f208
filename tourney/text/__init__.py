"""Exchange with people: translated messages, names, text made safe for a terminal, and interrupts (signals)."""
