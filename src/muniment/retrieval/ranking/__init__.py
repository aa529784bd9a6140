"""Ranking: query analysis, BM25, features, weights and reranking in whole numbers."""
