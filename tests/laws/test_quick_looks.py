"""Laws: a quick look before a table or a pattern leaves out nothing that the whole would find."""

import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest
from bench.sentences import sentences
from hypothesis import example, given
from hypothesis import strategies as st

from muniment.model import unicode14
from muniment.model.languages import language_table, relation_heads, vocabulary
from muniment.model.languages.common_words import COMMON_ENGLISH
from muniment.model.languages.language_table import Language, flat
from muniment.model.languages.relation_words import HOP_NOUNS, RelationPhrases
from muniment.model.languages.row_pattern import RowPattern
from muniment.model.languages.synonyms import SYNONYMS
from muniment.model.languages.tables import LATIN, OTHERS
from muniment.model.languages.topics import life_topics
from muniment.model.languages.word_marks import plain
from muniment.model.languages.word_pattern import SIZES, heads_of
from muniment.model.text import sentences as sentence_ends
from muniment.retrieval.entities import relation_rules
from muniment.retrieval.languages import (
    disclosure,
    ended_values,
    query_expansion,
    small_talk,
    state_phrases,
    value_mentions,
)
from muniment.retrieval.languages.detect_language import detect_languages
from muniment.retrieval.text import tokenizer


class WordTable(Protocol):
    def __call__(self, *, of_ascii: bool) -> frozenset[str]: ...


LANGUAGES = (*LATIN, *OTHERS)
KIN = [
    (relation, row)
    for each in LANGUAGES
    if each.relations
    for relation, row in each.relations.kin.items()
]
ROWS = [*(row for _, row in KIN), *HOP_NOUNS.values()]


def table_words() -> Iterator[str]:
    """Every word that a quick look may pass over."""
    for each in LANGUAGES:
        rows = (*each.months, *each.months_short, *each.weekdays)
        yield from (form for row in rows for form in row.split("|") if form)
        asked = (*(asked for asked, _ in each.state_synonyms), *each.subjects)
        yield from (word for row in asked for word in row.split())


def test_a_word_of_another_script_has_no_piece_in_ascii() -> None:
    far = [word for word in table_words() if tokenizer.is_far(word)]

    assert len(far) > 100
    assert not [word for word in far for piece in tokenizer.spelled(word) if piece.isascii()]
    assert not [word for word in far if query_expansion._stem(word).isascii()]


def test_words_in_ascii_are_found_without_the_tables_of_other_scripts() -> None:
    every = {word for word in ended_values._calendar_words(of_ascii=False) if word.isascii()}
    found = {word for word in ended_values._calendar_words(of_ascii=True) if word.isascii()}

    assert {each for each in every if not each.isdigit()} <= found <= every


def test_states_are_found_by_first_letters_as_by_all_their_words() -> None:
    by_stem: dict[str, list[tuple[int, str]]] = {}
    words = [each for row in query_expansion._state_words().values() for each in row]
    for place, word, told in words:
        by_stem.setdefault(query_expansion._stem(word), []).append((place, told))
    asked = {*(word for _, word, _ in words), *(w for row in SYNONYMS for w in row.split())}

    assert len(words) > 1_000
    for word in (tokenizer.spelled(each)[0] for each in asked):
        stem = tokenizer.stem(word)
        found = query_expansion._state_rows(query_expansion._initials(word, stem), stem)
        assert found == [told for _, told in sorted({*by_stem.get(stem, ())})]


@pytest.mark.parametrize(
    "table", [tokenizer.adverbs, ended_values.calendar_stems, value_mentions._common]
)
def test_a_set_of_words_has_the_same_of_ascii_without_other_scripts(table: WordTable) -> None:
    every, quick = table(of_ascii=False), table(of_ascii=True)

    assert {*filter(str.isascii, quick)} == {*filter(str.isascii, every)}
    assert len(quick) < len(every)


def test_a_courtesy_in_ascii_begins_as_it_does_among_those_of_all_scripts() -> None:
    begin = {phrase.split(" ", 1)[0] for phrase in small_talk._phrases(of_ascii=False)}

    assert {*filter(str.isascii, small_talk._begin())} == {*filter(str.isascii, begin)}


def test_a_plain_word_of_a_vocabulary_is_its_own_folded_form() -> None:
    tables = [*vocabulary._TABLES.values(), vocabulary._ENGLISH, COMMON_ENGLISH]
    words = {word for each in tables for word in each.split()}

    assert {form for word in words for form in (word, flat(word))} == vocabulary._words(
        " ".join(words)
    )


@pytest.mark.parametrize("row", ROWS)
def test_a_row_is_found_as_its_pattern_finds_it(row: str) -> None:
    whole = re.compile(rf"(?<!\w)(?:{row})(?!\w)", re.IGNORECASE)
    words = {word for each in ROWS for word in re.split(r"[^\w]+", each) if word}
    texts = [*words, *(f"my {word.upper()}, at last" for word in words), ""]
    looked = RowPattern(row)

    for text in texts:
        assert [m.span() for m in looked.finditer(text)] == [m.span() for m in whole.finditer(text)]
        assert bool(looked.search(text)) == bool(whole.search(text))
        assert bool(looked.fullmatch(text)) == bool(whole.fullmatch(text))


@given(st.text(max_size=2 * unicode14.FEW))
def test_what_is_not_newer_is_known_at_a_glance(text: str) -> None:
    assert unicode14._is_old(text) == (unicode14._MAY_BE_NEWER.search(text) is None)


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each.relations])
def test_the_heads_of_relations_are_those_of_their_patterns(language: Language) -> None:
    """Where this fails, what is on the right belongs into `relation_heads.HEADS`."""
    if isinstance(language.relations, RelationPhrases):
        assert language.name not in relation_heads.HEADS
    else:
        assert language.relations is not None
        heads = heads_of(relation_rules.hint_of(language.relations))
        assert relation_heads.HEADS[language.name] == "|".join(sorted(heads)).replace("ς", "σ")


RELATING = [
    "My sister Ann lives in Rome.",
    "“My wife’s called Ann.”",
    "—Mein Bruder Tom wohnt in Köln.",
    "MEIN BRUDER heißt Tom",
    "Meine Großmutter heißt Erna.",
    "MEINE GROẞMUTTER Erna wohnt in Köln",
    "Ma sœur s’appelle Anne",
    "J’habite à Lyon",
    "Η αδελφή μου λέγεται Άννα",
    "Ο ΑΔΕΛΦΟΣ ΜΟΥ λέγεται Νίκος",
    "Моя сестра Анна живёт в Риме",
    "我的妹妹叫小红",
    "제 아내는 수진입니다",
    "KIZ KARDEŞİM, my ſister Ann, İs Ann",
]


@given(st.lists(st.sampled_from(RELATING) | st.text(max_size=12), max_size=4))
def test_the_quick_look_for_relations_leaves_out_none(parts: list[str]) -> None:
    text = unicode14.known(" ".join(parts))
    for language in (each for each in LANGUAGES if each.relations):
        if relation_rules._rules(language.name).hint.search(text):
            assert relation_heads.may_be_in(language, text)
            assert relation_rules.may_relate(text)


PIECES_OF_STATES = [piece for each in LANGUAGES for piece in each.state_pieces if piece]
STATED = [*PIECES_OF_STATES, *RELATING, "I moved in", "how's", "HOW\u2019S", "\u0130stanbul home"]
GLUED = ["", " ", "  ", ", ", "\n", "'", "_", "-"]


@given(st.lists(st.sampled_from(RELATING) | st.text(max_size=12), max_size=4))
def test_a_text_that_no_language_may_relate_anybody_in_has_no_word_that_begins_so(
    parts: list[str],
) -> None:
    text = " ".join(parts)
    small = f"{plain(text)} "
    begun = {
        small[at : at + size] for at in range(len(small)) if begins(small, at) for size in SIZES
    }
    heads = {head for row in relation_heads.HEADS.values() for head in row.split("|")}

    assert relation_heads.may_be_of_any(text) == (not heads.isdisjoint(begun))


def begins(small: str, at: int) -> bool:
    return re.match(r"\w", small[at]) is not None and not re.match(r"\w", small[at - 1 : at])


@given(st.lists(st.sampled_from(STATED) | st.text(max_size=12), max_size=5), st.sampled_from(GLUED))
def test_a_text_is_read_for_states_in_every_language_that_has_a_piece_of_one(
    parts: list[str], glue: str
) -> None:
    text = glue.join(parts)
    read = detect_languages(text)
    language, seen = read[-1]
    shown = {each.language.name for each in read}

    expected = [
        each.name
        for each in LANGUAGES
        if each.states_have
        and (each in LATIN or each.name in shown)
        and (each is language or not each.reads_case)
        and any(piece in seen.lower() for piece in each.state_pieces)
    ]

    assert [each.language.name for each in state_phrases._readings(read)] == expected


ENDED = [
    "I don't live in Rome", "Ann is not my sister", "No longer at Bosch", "Je n'habite plus a Lyon",
    "Ya no vivo en Roma", "Non vivo a Roma", "Ik werk niet bij Bosch", "I used to work at Bosch",
    "My ex-wife Ann", "meine Ex-Frau Ann", "My former boss", "I was living in Rome", "quit my job",
    "We broke up", "I got fired", "Karl retired", "Ik ben ontslagen", "Wir haben uns getrennt",
]  # fmt: skip


@given(st.lists(st.sampled_from(ENDED) | st.text(max_size=12), max_size=4))
def test_the_quick_looks_for_what_is_over_leave_out_nothing(parts: list[str]) -> None:
    text = unicode14.known(" ".join(parts))
    for language in (each for each in LANGUAGES if each.relations):
        rules = relation_rules._rules(language.name)
        if text.isascii() and (rules.over.search(text) or relation_rules.is_denied(text)):
            beside = rules.over.search(text)
            is_beside = beside is not None and beside.lastgroup == "beside"
            assert is_beside or relation_rules._MAY_DENY.search(text.lower())
        if any(pattern.search(text) for _, _, pattern in rules.ended):
            assert not rules.signs or relation_heads.may_have(rules.signs, text)


LINES = tuple(
    line
    for path in sorted((Path(__file__).parents[2] / "bench/lives/phrases").glob("*.txt"))
    for line in path.read_text("utf-8").splitlines()
)
PIECES = st.sampled_from(
    ["I'm", "it's", "Ann's", "l'ecole", "don't", "e.g.", "v2.1", "Dr.", "my", "we live", "Rome",
     "?", "!", "...", '."', ".)", ". ", ".  ", "\t", "\n", " \n ", " ", "'", "`", "_", "\u2019"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=10).map("".join))
@example("He left. \"Why?\" she asked.  It's 3.5 o'clock...")
def test_sentences_and_words_in_ascii_are_those_of_the_patterns_for_all_scripts(text: str) -> None:
    ends = [end for end in sentence_ends._END.finditer(text) if sentence_ends._is_end(text, end)]
    joined = text
    for parted in (tokenizer._POSSESSIVE, tokenizer._ELIDED, tokenizer._CASE_ENDING):
        joined = parted.sub("", joined)
    places = [0, *(end.end() for end in ends), len(text)]
    pieces = [text[one:other] for one, other in itertools.pairwise(places)]

    assert sentence_ends.sentences(text) == tuple(filter(None, pieces))
    assert tokenizer._joined(text) == tokenizer._APOSTROPHE.sub("", joined)
    if text.isascii():
        assert flat(text) == language_table._GAPS.sub(" ", text.casefold())


SPACELESS = (
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f]+"
)
ALONE = "[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]|^[\uac00-\ud7af](?=.)"
LETTERS = st.text(
    st.sampled_from("a1é我在北京トヨタで私저는삼성에ไทยက\u3400\ufaff\U0003134f\ud7af_"), min_size=1
)


@given(
    LETTERS | st.text(st.characters(min_codepoint=0xE00, exclude_categories=("Z", "C")), min_size=1)
)
def test_a_word_without_spaces_is_cut_as_a_class_of_its_letters_cuts_it(word: str) -> None:
    expected: list[str] = []
    for run in re.findall(f"{SPACELESS}|(?:(?!{SPACELESS}).)+", word):
        if len(run) > 1 and re.match(SPACELESS, run):
            expected += [run[n : n + 2] for n in range(len(run) - 1)]
            expected += re.findall(ALONE, run)
        else:
            expected.append(run)

    assert tokenizer._pieces(word) == expected


def test_whether_somebody_speaks_of_themselves_is_told_by_words_as_by_the_sentences() -> None:
    told = 0
    for text in [*LINES[:: max(1, len(LINES) // 1500)], *sentences(100)]:
        found = any(map(disclosure._tells, sentence_ends.sentences(text)))
        told += found

        assert disclosure.is_disclosed(text) == found
    assert told > 100


def test_topics_are_found_by_first_letters_as_by_all_their_words() -> None:
    by_stem: dict[str, set[str]] = {}
    askings = [each for row in life_topics.askings().values() for each in row]
    for each in askings:
        told = life_topics.told(each.topic, each.language)
        by_stem.setdefault(query_expansion._stem(each.word), set()).add(told)
    words = [*(each.word for each in askings), *(word for row in SYNONYMS for word in row.split())]

    assert len(askings) > 2_000
    for word in (tokenizer.spelled(each)[0] for each in words):
        stem = tokenizer.stem(word)
        initials = query_expansion._initials(word, stem)
        assert set(query_expansion._topic_rows(initials, stem)) == by_stem.get(stem, set())
