"""Labelled items: what each is, what it says, and where a careful reader would put it."""

from typing import Final

Item = tuple[str, str, tuple[str, ...]]

TOOLS: Final = ("grep", "pytest", "curl", "git", "docker", "psql", "make")
SKILLS: Final = (
    "To find where a name is defined, search for its definition with {tool} and open the first hit",
    "When {tool} times out, raise the limit once, run it again, and only then ask for help",
    "Before using {tool} on production, run it against the staging copy and compare the counts",
    "To undo what {tool} did, read its log from the end and apply each step in reverse",
    "Use {tool} with a small sample first; if the sample is right, run it over everything",
    "To explain a failure of {tool}, reproduce it, shorten the input, change one thing at a time",
    "Check the exit code of {tool} and read the last ten lines before deciding what went wrong",
    "If {tool} asks for credentials, stop, look for the profile that is meant, and pass it by name",
)
MOMENTARY_SKILLS: Final = (
    "For this step only, skip {tool} and edit the file by hand",
    "Right now the way to use {tool} is to pass the third flag",
    "In this session call {tool} twice because the first answer is cached",
    "For now, run {tool} without its plugin",
)
FACTS: Final = (
    "The {tool} of this team writes its reports to the reports bucket",
    "{tool} version 4 cannot read archives of version 2",
    "The owner of the {tool} configuration is the platform group",
    "Licences for {tool} end every year in March",
)
THOUGHTS: Final = (
    "I could first search with {tool} and then edit, but I am not sure",
    "Maybe {tool} is the wrong way; the steps would be: list, filter, count",
    "To solve this I might learn how {tool} is used by others",
    "A skill for {tool} would be handy here, I should think about it",
)
OBSERVATIONS: Final = (
    "{tool} printed a warning about an old certificate",
    "The user opened the page of {tool} and left after a minute",
    "The queue behind {tool} grew to 40 jobs",
)
ACTIONS: Final = ("Ran {tool} over the whole tree", "Stopped {tool} and removed its lock file")
RESULTS: Final = ("{tool} gave 3 lines", "{tool} failed: permission denied")
MESSAGES: Final = (
    "Please teach yourself how to use {tool} and tell me the steps",
    "Did {tool} finish?",
)
PLANS: Final = ("First run {tool}, then compare the counts, then report",)
METRICS: Final = ("{tool} took 1840 ms at the median",)
PATTERNS: Final = ("Failures of {tool} come after a change of its image",)
SUMMARIES: Final = ("Over ten tasks {tool} was slow whenever the cache was cold",)

TABLE: Final[tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]] = (
    ("skill", SKILLS, ("SM",)),
    ("skill", MOMENTARY_SKILLS, ("EM",)),
    ("fact", FACTS, ("SM",)),
    ("thought", THOUGHTS, ("WM",)),
    ("observation", OBSERVATIONS, ("EM", "WM")),
    ("action", ACTIONS, ("EM",)),
    ("tool_result", RESULTS, ("EM",)),
    ("user_message", MESSAGES, ("EM", "WM")),
    ("plan", PLANS, ("EM", "WM")),
    ("metric", METRICS, ("EM",)),
    ("pattern", PATTERNS, ("SM",)),
    ("summary", SUMMARIES, ("SM",)),
)

ITEMS: Final[tuple[Item, ...]] = tuple(
    (kind, form.format(tool=tool), places)
    for tool in TOOLS
    for kind, forms, places in TABLE
    for form in forms
)
