"""Tie-breaks: the criteria that rank players who are level. Each is an object in a module; `registry` lists them."""
