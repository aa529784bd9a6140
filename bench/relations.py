"""Entities and relations that the rules alone find in a file of conversations, and their use.

`python -m bench.relations locomo10.json` prints for each conversation how many texts relate
somebody, what is related, and for how many of its questions a chain of relations leads anywhere.
"""

import sys
from collections import Counter
from pathlib import Path

from muniment.adapters.evaluation import question_sets
from muniment.adapters.evaluation.question_sets import QuestionSet
from muniment.retrieval.entities import question_hops, relation_dates, relation_rules, relation_walk
from muniment.retrieval.entities.entity_graph import EntityGraph
from muniment.retrieval.entities.entity_names import Joins
from muniment.retrieval.entities.entity_relation import ToldRelation

HEAD = ("conversation", "texts", "relating", "relations", "entities", "questions", "chained", "led")


def main() -> int:
    if len(sys.argv) < 2:
        sys.exit("name a file of LoCoMo, LongMemEval or your own questions")
    kinds, totals = Counter[str](), Counter[str]()
    print("".join(f"{each:>13}" for each in HEAD))
    for told in question_sets.read(Path(sys.argv[1])):
        row, found = counted(told)
        kinds.update(found)
        totals.update(row)
        print(f"{told.name:>13}" + "".join(f"{row[each]:>13}" for each in HEAD[1:]))
    print(f"{'all':>13}" + "".join(f"{totals[each]:>13}" for each in HEAD[1:]))
    print(", ".join(f"{name} {count}" for name, count in kinds.most_common()))
    return 0


def counted(told: QuestionSet) -> tuple[Counter[str], Counter[str]]:
    """What one set relates, and how often each relation is said in it."""
    found: list[ToldRelation] = []
    for text in told.texts:
        found += [
            relation_dates.dated(each, moment=text.at, evidence=text.id)
            for each in relation_rules.relations(text.text, text.speaker)
        ]
    graph = EntityGraph(found, Joins())
    chained = [each for each in told.questions if question_hops.is_related(each.question)]
    led = [each for each in chained if relation_walk.bridges(each.question, graph)]
    row = Counter(
        texts=len(told.texts),
        relating=len({each.said.evidence for each in found}),
        relations=len(found),
        entities=len(graph.entities("")),
        questions=len(told.questions),
        chained=len(chained),
        led=len(led),
    )
    return row, Counter(each.said.relation for each in found)


if __name__ == "__main__":
    sys.exit(main())
