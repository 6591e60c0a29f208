"""Players to tables over rounds, and how good that is. Pure values; standard library only."""
