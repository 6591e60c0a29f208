"""The values of a tournament, frozen. No input, no output, no other package of ours."""
