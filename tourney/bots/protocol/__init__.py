"""The protocol of programs: its lines, and the referee's side of a conversation."""
