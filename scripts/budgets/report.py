"""Tables and charts of what the experiment has found so far."""

import json
import math
from pathlib import Path

STAGES = ("before", "after")


def write(work: Path, names: list[str]) -> None:
    """Prints Markdown tables; elo.svg and mates.svg go to `work`."""
    games(work, names)
    suites(work, names)


def games(work: Path, names: list[str]) -> None:
    print("| arm | tuning | nodes a move | games | + = - | Elo against `shared` | depth |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    rows = []
    for name in names:
        for stage in STAGES:
            for nodes in (10_000, 60_000):
                found = load(work / "play" / f"{name}.{stage}.{nodes}.json")
                if not found:
                    continue
                record = f"+{found['wins']} ={found['draws']} -{found['losses']}"
                depths = f"{found['a']['depth']:.1f}, {found['b']['depth']:.1f}"
                elo, error = found["elo"], found["elo_error"]
                # Games that one side won alone have none.
                known = elo is not None and error is not None
                difference = f"{elo:+.1f} +- {error:.1f}" if known else "none"
                print(f"| {name} | {stage} | {nodes:,} | {found['games']} | {record} | {difference} | {depths} |")
                if known:
                    rows.append((f"{name}, {stage}, {nodes // 1000}k", elo, error))
    if rows:
        (work / "elo.svg").write_text(bars("Elo against one shared budget, 95 %", rows, "+.0f"))


def suites(work: Path, names: list[str]) -> None:
    print("\n| arm | tuning | WAC | ECM | Arasan21 | mates | best | mates by time | best | p by nodes, time |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    rows = []
    for name in names:
        for stage in STAGES:
            mates = both_limits(work, name, stage)
            if not mates[0]:
                continue
            tests = [suite(work, name, stage, f"{one}--nodes") for one in ("wac", "ecmgcp", "arasan21")]
            cells = [str(one["totals"]["solved"]) if one else "" for one in tests]
            for one in mates:
                cells += [str(one["totals"][f"mates_{what}"]) if one else "" for what in ("found", "best")]
            shared = both_limits(work, "shared", stage)
            cells.append(", ".join(f"{mcnemar(a, b):.2g}" for a, b in zip(mates, shared) if a and b))
            print(f"| {name} | {stage} | {' | '.join(cells)} |")
            rows.append((f"{name}, {stage}", mates[0]["totals"]["mates_found"], 0.0))
    if rows:
        (work / "mates.svg").write_text(bars("mates found of 504, 1,000,000 nodes each", rows, ".0f"))


def both_limits(work: Path, name: str, stage: str) -> list[dict | None]:
    """The mates at equal nodes and at equal time."""
    return [suite(work, name, stage, f"matetrack-504--{limit}") for limit in ("nodes", "movetime")]


def suite(work: Path, name: str, stage: str, what: str) -> dict | None:
    return load(work / "solve" / f"{name}.{stage}.{what}.json")


def solved(printed: dict) -> dict:
    """What is kept of `sextant-tune suite --json`: the totals, and which positions had their mate found."""
    run = printed["runs"][0]
    mates = [one["id"] for one in run["positions"] if one.get("mate")]
    return {"totals": run["totals"], "mates": mates}


def load(path: Path) -> dict | None:
    return json.loads(path.read_text()) if path.exists() else None


def mcnemar(one: dict, other: dict) -> float:
    """Exact two-sided p of McNemar's test: mates that only one of the two found."""
    one, other = set(one["mates"]), set(other["mates"])
    count = len(one ^ other)
    fewer = min(len(one - other), len(other - one))
    tail = sum(math.comb(count, few) for few in range(fewer + 1))
    return min(1.0, 2 * tail / 2**count)


def bars(title: str, rows: list[tuple[str, float, float]], form: str) -> str:
    """A horizontal bar with its error for each row; `form` is how its value is written."""
    left, width, height = 220, 640, 24
    low = min(0.0, *(value - error for _, value, error in rows))
    high = max(1.0, *(value + error for _, value, error in rows))

    def x(value: float) -> float:
        return left + (value - low) / (high - low) * (width - left - 70)

    lines = []
    for index, (name, value, error) in enumerate(rows):
        top = (index + 1.4) * height
        middle = top + height / 3
        start, end = sorted((x(0), x(value)))
        lines += [
            f'<text x="10" y="{middle + 5:.1f}">{name}</text>',
            f'<rect x="{start:.1f}" y="{top:.1f}" width="{end - start:.1f}" height="16" fill="#4878a8"/>',
            f'<line x1="{x(value - error):.1f}" x2="{x(value + error):.1f}" y1="{middle:.1f}" '
            f'y2="{middle:.1f}" stroke="black" stroke-width="2"/>',
            f'<text x="{x(max(value + error, 0)) + 6:.1f}" y="{middle + 5:.1f}">{value:{form}}</text>',
        ]
    return drawing(title, width, (len(rows) + 2) * height, lines)


def drawing(title: str, width: int, height: int, parts: list[str]) -> str:
    """An SVG of `parts` under a title."""
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        'font-family="sans-serif" font-size="13">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="10" y="20" font-weight="bold">{title}</text>',
    ]
    return "\n".join([*head, *parts, "</svg>", ""])
