"""Rules of memos: gate, eviction, chunks, clustering, thinning, summaries, threads."""
