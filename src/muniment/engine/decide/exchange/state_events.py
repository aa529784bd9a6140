"""State events of an exchange file: threads, open work, learned texts and rules."""

from muniment.model.events import (
    ConfirmationAsked,
    ConsentGiven,
    ConsolidatedExpired,
    ConsolidatedRecomputed,
    JobClosed,
    JobOpened,
    PolicyAdopted,
    Promoted,
    Referenced,
    Ticked,
    WorkingExpired,
    WorkingInserted,
)
from muniment.model.events.holds import HoldPlaced
from muniment.model.events.learning import FactsExtracted, SummaryWorded
from muniment.model.events.memos import MandatesObserved
from muniment.model.events.threads import (
    EpisodeClosed,
    EpisodeOpened,
    LinkDecided,
    LinksRetuned,
    ThreadClosed,
    ThreadOpened,
    TimeoutSet,
    TurnTaken,
)

WorkEvent = (
    Ticked
    | WorkingInserted
    | WorkingExpired
    | Referenced
    | Promoted
    | ConsolidatedRecomputed
    | ConsolidatedExpired
    | JobClosed
)
# What is said in threads, and what a model made of texts, outlives the work at hand.
LastingEvent = (
    ThreadOpened
    | TurnTaken
    | LinkDecided
    | LinksRetuned
    | EpisodeOpened
    | EpisodeClosed
    | ThreadClosed
    | TimeoutSet
    | SummaryWorded
    | FactsExtracted
)
RuleEvent = ConsentGiven | HoldPlaced | PolicyAdopted | ConfirmationAsked | MandatesObserved
StateEvent = WorkEvent | LastingEvent | RuleEvent | JobOpened
