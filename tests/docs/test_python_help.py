"""The help of Python: who asks for it sees what most programs need before anything else."""

import inspect
import pydoc

import muniment

SCREEN_LINES = 40
FIRST = """
    remember recall context correct forget why_not conversation documents job get_range
"""


def test_the_first_screen_of_an_agent_names_the_ten_verbs_most_people_need() -> None:
    page = pydoc.plain(pydoc.render_doc(muniment.Agent)).splitlines()[:SCREEN_LINES]

    for verb in FIRST.split():
        assert any(line.strip(" |").startswith(f"{verb}(") for line in page), verb


def test_a_delegated_method_tells_its_parameters_and_what_it_is_for() -> None:
    told = inspect.signature(muniment.Agent.recall)

    assert list(told.parameters)[:2] == ["self", "query"]
    assert told.parameters["valid_at"].default == ""
    assert (muniment.Agent.recall.__doc__ or "").startswith("What is known about the question")
    assert list(inspect.signature(muniment.Job.recall).parameters) == list(told.parameters)
