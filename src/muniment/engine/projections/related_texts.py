"""Related texts: which entries may relate somebody or end a relation, as an index knows it.

An index keeps a term for each text in which a rule may find a relation. So a process that has just
started opens those entries, and not a whole life. What may end a relation names what it ends, and
that is a term of its own anyway.
"""

from collections.abc import Iterable
from typing import Final

from muniment.retrieval.entities import relation_rules
from muniment.retrieval.index import document_features
from muniment.retrieval.index.collection import Collection, Document
from muniment.retrieval.index.document_features import Traits
from muniment.retrieval.languages import ended_values
from muniment.retrieval.text import tokenizer

TERM: Final = tokenizer.key("#relates")  # no word is spelled so


def features(document: Document) -> Traits:
    """What a text shows, and whether it may relate somebody; its length stays as it is."""
    counted, flags = document_features.of(document)
    related = {TERM: 0} if relation_rules.may_relate(document.text) else {}
    return {**counted, **related}, flags


def seqs(collection: Collection, after: int) -> list[int]:
    """The entries behind one whose texts may relate somebody, in their order."""
    ((documents, _),) = collection.postings.find([TERM], collection.count)
    found = set(collection.seqs[documents].tolist())
    return sorted(seq for seq in found if seq > after)


def ending_seqs(collection: Collection, stems: Iterable[str]) -> list[int]:
    """The entries whose texts say that one of these words is over, in their order."""
    keys = [tokenizer.key(ended_values.term_of(each)) for each in sorted({*stems})]
    found = collection.postings.find(keys, collection.count) if keys else []
    return sorted({seq for documents, _ in found for seq in collection.seqs[documents].tolist()})
