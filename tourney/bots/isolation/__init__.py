"""Walls between a bot from outside and the program: levels, how a bot is started at each, and their proof."""
