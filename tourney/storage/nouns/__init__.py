"""The parts of a reader and of a store, one for each noun: what a noun's reader reads, its store also writes."""
