"""Score sheets of games that people played: could these points have happened?"""
