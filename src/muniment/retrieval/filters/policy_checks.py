"""Policy checks: a policy fits its fields, and the filter in it is one that records can be asked.

The model knows fields and not filters; a policy that passes here answers every read it governs.
"""

from muniment.model import policy as policies
from muniment.model.errors import InputError, PolicyError
from muniment.model.policy import Policy
from muniment.retrieval.filters import record_filter


def checked(policy: Policy) -> Policy:
    """A policy as every log can hold it, and as every context can be read under it."""
    fitting = policies.checked(policy)
    try:
        record_filter.spelled(fitting.assembly.default_filters.where)
    except InputError as error:
        raise PolicyError(f"{error.detail} - at `$.assembly.default_filters.where`") from None
    return fitting
