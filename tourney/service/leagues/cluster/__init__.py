"""Leagues on many machines: the workers of a scheduler play blocks, and this process keeps them."""
