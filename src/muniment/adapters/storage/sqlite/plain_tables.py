"""Plain tables: open episodes as rows beside the sealed log, for those who asked for them.

They live and end with their rows on the shelf. To shred them is more than to delete them: SQLite
moves text between pages when it balances its trees, so the whole file is written anew afterwards.
"""

import json
from collections.abc import Sequence
from typing import Final

import apsw

from muniment.adapters.storage import plain_table_rows
from muniment.adapters.storage.sqlite.connection_pool import StreamFile
from muniment.log.store import EPISODES, OpenEpisode
from muniment.model.errors import InputError

COLUMNS: Final = (
    "seq, n, subject, episodic_id, job_seed, created_seeded_ts, summary, payload, evidence,"
    " provenance, tokens"
)
ADD: Final = f"""
INSERT INTO episode ({COLUMNS}, died) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11,
  (SELECT died FROM row WHERE shelf = '{EPISODES}' AND born = ?1 AND n = ?2))
"""  # noqa: S608  only constants of this package are put in
ADD_WORD: Final = "INSERT INTO episode_token (token, seq, n) VALUES (?, ?, ?)"
END: Final = "UPDATE episode SET died = ? WHERE died IS NULL AND seq = ? AND n = ?"
LIVING: Final = f"SELECT {COLUMNS} FROM episode WHERE died IS NULL ORDER BY seq, n"  # noqa: S608
OF_SUBJECT: Final = "SELECT seq, n, tokens FROM episode WHERE subject = ?"
ENDED: Final = "SELECT seq, n, tokens FROM episode WHERE episodic_id = ? AND died IS NOT NULL"
ANY: Final = "SELECT 1 FROM episode LIMIT 1"
REMOVE_WORD: Final = "DELETE FROM episode_token WHERE token = ? AND seq = ? AND n = ?"
REMOVE: Final = "DELETE FROM episode WHERE seq = ? AND n = ?"
CLEAR: Final = ("DELETE FROM episode_token", "DELETE FROM episode")


def add(file: StreamFile, episodes: Sequence[OpenEpisode]) -> None:
    if not episodes:
        return
    for its in episodes:  # what is revived is shown where it stands now
        for *place, tokens in file.ask(ENDED, (its.episodic_id,)):
            file.run_many(REMOVE_WORD, [(token, *place) for token in json.loads(tokens)])
            file.run(REMOVE, place)
    try:
        file.run_many(ADD, [_values(its) for its in episodes])
    except apsw.ConstraintError as error:
        raise InputError("an episode of this name is in the open table already") from error
    file.run_many(ADD_WORD, [(token, its.seq, its.n) for its in episodes for token in its.tokens])


def end(file: StreamFile, seq: int, places: Sequence[tuple[int, int]]) -> None:
    """Rows that end at an entry take their open twins along."""
    for place in places:
        file.run(END, (seq, *place))


def remove(file: StreamFile, subject: str) -> bool:
    """Delete what is shown of a subject; says whether the file holds plain text at all."""
    if not file.ask(ANY):
        return False
    shown = file.ask(OF_SUBJECT, (subject,))
    file.run_many(
        REMOVE_WORD, [(token, *place) for *place, tokens in shown for token in json.loads(tokens)]
    )
    file.run_many(REMOVE, [place for *place, _ in shown])
    return True


def clear(file: StreamFile) -> None:
    for statement in CLEAR:
        file.run(statement)


def living(file: StreamFile) -> list[OpenEpisode]:
    return [plain_table_rows.episode(row, json.loads(row[-1])) for row in file.ask(LIVING)]


def _values(its: OpenEpisode) -> tuple[int | str, ...]:
    return (
        its.seq,
        its.n,
        its.subject,
        its.episodic_id,
        its.job_seed,
        its.created_seeded_ts,
        its.summary,
        its.payload.decode(),
        its.evidence.decode(),
        its.provenance.decode(),
        json.dumps(its.tokens, ensure_ascii=False),
    )
