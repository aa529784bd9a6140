"""Structure of the code: lines, files, events, commands, fan-out, rooms and names, as one table."""

import ast
from collections import Counter, defaultdict
from pathlib import Path
from statistics import mean

SOURCE = Path(__file__).parents[1] / "src" / "muniment"


def modules() -> dict[str, ast.Module]:
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = ast.parse(path.read_text("utf-8"))
    return found


def imported(tree: ast.Module, known: set[str]) -> set[str]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                found |= {full} & known or {node.module} & known
    return found


def tagged(trees: dict[str, ast.Module], room: str) -> int:
    """Classes of a room that go over the wire under a tag of their own."""
    return sum(
        isinstance(node, ast.ClassDef) and any(each.arg == "tag" for each in node.keywords)
        for name, tree in trees.items()
        if name.startswith(f"muniment.model.{room}")
        for node in ast.walk(tree)
    )


def main() -> None:
    trees = modules()
    uses = {name: imported(tree, set(trees)) - {name} for name, tree in trees.items()}
    users = Counter(each for its in uses.values() for each in its)
    classes = Counter(
        node.name
        for tree in trees.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    )
    rooms: defaultdict[str, int] = defaultdict(int)
    for path in SOURCE.rglob("*.py"):
        rooms[str(path.parent)] += path.name != "__init__.py"
    engine = [len(its) for name, its in uses.items() if name.startswith("muniment.engine")]
    lines = sum(len(path.read_text("utf-8").splitlines()) for path in SOURCE.rglob("*.py"))
    figures = {
        "lines": lines,
        "files": len(trees),
        "rooms": len(rooms),
        "files in the largest room": max(rooms.values()),
        "events": tagged(trees, "events"),
        "commands": tagged(trees, "commands"),
        "mean fan-out of a module": f"{mean(map(len, uses.values())):.1f}",
        "mean fan-out in engine": f"{mean(engine):.1f}",
        "modules with one importer": sum(count == 1 for count in users.values()),
        "class names used more than once": sum(count > 1 for count in classes.values()),
    }
    for name, figure in figures.items():
        print(f"{name:34} {figure:>8}")


if __name__ == "__main__":
    main()
