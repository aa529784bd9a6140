"""Judgement: pure verdicts; each rule answers one question and knows no other rule."""
