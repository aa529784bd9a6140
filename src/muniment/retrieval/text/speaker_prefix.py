"""Speaker prefix: the speaker of a text that begins with a name, as in "Ann: I moved".

Whoever keeps a talk line by line has told who speaks, and that what is told on one day in this
form is one talk. A note has such a beginning too ("Reminder: …", "Termin: …"), and so has what
somebody adds ("Übrigens: …"): the words that notes and asides begin with are no names.
"""

from functools import cache
from typing import Final

from muniment.model.languages.language_table import flat
from muniment.model.languages.tables import LATIN, OTHERS
from muniment.model.lazy_pattern import lazy_pattern

# A name of one to three words that begin as names do.
_WORD: Final = r"[^\W\d_a-z][\w'\u2019.-]{0,31}"
_SPOKEN = lazy_pattern(rf"(?P<who>{_WORD}(?: {_WORD}){{0,2}}): \S")
_LABEL_ENDS: Final = ("error", "exception", "warning", "list", "liste", "number", "nummer", "date")
# Roles are told apart without a name; the others head notes, mails, logs, forms and recipes.
_LABELS = """
user assistant system tool human ai agent bot model
note notes todo task tasks reminder remember question answer idea ideas update info information fyi
warning error debug hint tip important caution attention alert subject re fw fwd from to cc bcc date
time when where who what why how location place address name title topic summary conclusion result
results goal goals plan plans agenda meeting decision status problem issue bug fix solution cause
reason example steps step instructions ingredients recipe method price cost total amount phone tel
telephone email mail web website url link source author version file path command output input log
ps pps nb eta edit tldr faq q a today yesterday tomorrow morning afternoon evening night
monday tuesday wednesday thursday friday saturday sunday january february march april june july
august september october november december breakfast lunch dinner weather mood sleep weight
shopping birthday appointment deadline event events project client customer order ticket invoice
medication dose symptoms diagnosis blood pressure favourite favorite password username wifi
notiz notizen termin termine aufgabe aufgaben erinnerung merke frage antwort idee hinweis achtung
wichtig betreff datum uhrzeit zeit ort adresse name titel thema zusammenfassung ergebnis ziel plan
entscheidung stand problem fehler ursache beispiel zutaten rezept preis kosten telefon quelle
heute gestern morgen montag dienstag mittwoch donnerstag freitag samstag sonntag einkauf kunde
rappel question réponse idée attention important objet date heure lieu adresse nom titre sujet
résumé résultat but décision problème solution exemple ingrédients recette prix total téléphone
aujourd'hui hier demain courses client
nota notas tarea tareas recordatorio pregunta respuesta idea importante asunto fecha hora lugar
dirección nombre título tema resumen resultado objetivo decisión problema solución precio teléfono
hoy ayer mañana cliente compra promemoria domanda risposta oggetto luogo indirizzo titolo riassunto
risultato obiettivo decisione soluzione prezzo telefono oggi ieri domani lembrete tarefa pergunta
resposta assunto local endereço resumo decisão solução preço hoje ontem amanhã cliente
notitie taak vraag antwoord onderwerp datum tijd plaats adres samenvatting besluit vandaag gisteren
заметка задача напоминание вопрос ответ идея важно внимание тема дата время место адрес имя
название итог результат цель план решение проблема причина пример рецепт цена телефон сегодня вчера
завтра клиент
"""
_NOBODY: Final = frozenset(_LABELS.split())


def speaker_of(text: str) -> str:
    """Who says it, where its words begin with a name; empty where nobody is named."""
    found = _SPOKEN.match(text)
    if found is None or any(each[0].islower() for each in found["who"].split()):
        return ""
    parts = found["who"].lower().split()
    known = not _NOBODY.isdisjoint(parts) or parts[-1].endswith(_LABEL_ENDS)
    known |= _asides().issuperset(flat(found["who"]).split())
    return "" if known else found["who"]


@cache
def _asides() -> frozenset[str]:
    return frozenset(flat(" ".join(each.asides for each in (*LATIN, *OTHERS))).split())


def session_of_day(day: str) -> str:
    """The talk of everything that is told in this form on a day."""
    return f"told on {day}"
