"""Topics of a life: the words in which each language tells of home, work, health and the like."""
