"""How well recall finds the evidence, in public and in made-up conversations."""
