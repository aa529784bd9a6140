"""A fact is noted, used twice and consolidated; at the end of the job it becomes an episode."""

import muniment

memory = muniment.open(":memory:")
ada = memory.agent("ada")

with ada.job("breakfast-1", session="breakfast") as job:
    fact = job.wm_insert({"type": "fact", "value": "the guest likes green tea"})
    job.wm_insert({"type": "hint", "value": "the kettle is on", "ttl_ticks": 1})
    print("working:     ", [entry.value for entry in job.wm_find()])

    job.reference(fact)  # twice within four ticks: worth keeping together
    job.reference(fact)
    job.tick()
    print("working:     ", [entry.value for entry in job.wm_find()])
    print("consolidated:", [item.value for item in job.cwm_find()])

for found in ada.episodic_query("which tea does the guest like?"):
    print("episodic:    ", found.entry.summary, f"({found.score_ppm / 10_000:.0f} %)")

# Another job of the same session begins with what the first one consolidated.
with ada.job("breakfast-2", session="breakfast") as job:
    print("next job:    ", [item.value for item in job.cwm_find()])

# Nothing of this is a governed fact: that takes a person's or the council's yes.
print("governed:    ", ada.sem_search(""))

(proof,) = memory.prove()
print(f"{proof.entries} entries, each one decided again: the same to the byte")
