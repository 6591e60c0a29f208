"""The use cases, one verb each, one file per noun: load, compute, save in one transaction."""
