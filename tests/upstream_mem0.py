"""A story told through mem0's own client, in an interpreter where its package can be imported."""

import importlib
import importlib.util
import json
import sys
import types
from typing import Any


def client(host: str, key: str) -> Any:  # noqa: ANN401 - of a package without types
    """The released class; what else the package would load (its own stores) is left alone."""
    found = importlib.util.find_spec("mem0")
    assert found is not None
    assert found.submodule_search_locations is not None
    package = types.ModuleType("mem0")
    package.__path__ = list(found.submodule_search_locations)
    sys.modules["mem0"] = package
    return importlib.import_module("mem0.client.main").MemoryClient(api_key=key, host=host)


def main(host: str, key: str) -> None:
    mem0 = client(host, key)
    told: dict[str, Any] = {}
    told["added"] = mem0.add("I moved to Lisbon in March", user_id="tuff")
    mem0.add(
        [{"role": "user", "content": "My cat is called Tigerlily"}],
        user_id="tuff",
        metadata={"topic": "pets"},
    )
    told["found"] = mem0.search("Lisbon", filters={"user_id": "tuff"})
    memory_id = told["added"]["results"][0]["id"]
    told["got"] = mem0.get(memory_id)
    told["updated"] = mem0.update(memory_id, text="I moved to Porto in May")
    told["all"] = mem0.get_all(filters={"user_id": "tuff"}, page=1, page_size=1)
    told["history"] = mem0.history(memory_id)
    told["deleted"] = mem0.delete(memory_id)
    told["after"] = mem0.get_all(filters={"AND": [{"user_id": "tuff"}]})
    told["emptied"] = mem0.delete_all(user_id="tuff")
    told["end"] = mem0.get_all(filters={"user_id": "tuff"})
    try:
        mem0.get(memory_id)
    except Exception as error:
        told["gone"] = type(error).__name__
    print(json.dumps(told))


if __name__ == "__main__":
    main(*sys.argv[1:])
