"""The hands of a whole game in order: contract by contract, or knock until one player is left."""
