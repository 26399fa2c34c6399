"""How the trees of the arms grow with depth: nodes to depth, from empty tables."""

import math
from pathlib import Path

from report import STAGES, drawing, load

SHOWN = (6, 8, 10, 12, 14)
FROM, TO = 10, 14
REFERENCE = "integer-ply, before"
COLORS = ("#4878a8", "#c0504d", "#6a9f4b", "#8064a2", "#d08a2e")
# Between two lines of the grid.
GRID = 0.2


def mean_logs(searches: list[dict[int, int]]) -> dict[int, float]:
    """Mean logarithm of the nodes to each depth that every search reached (the largest trees do not
    outvote the others). A search that found a mate and ended early is left out."""
    deepest = max(max(search) for search in searches)
    whole = [search for search in searches if deepest in search]
    return {depth: sum(math.log(one[depth]) for one in whole) / len(whole) for depth in sorted(whole[0])}


def write(work: Path, names: list[str]) -> None:
    """Prints the table; nodes.svg goes to `work`."""
    curves = {}
    for name in names:
        for stage in STAGES:
            logs = load(work / "grow" / f"{name}.{stage}.json")
            if logs:
                curves[f"{name}, {stage}"] = {int(depth): value for depth, value in logs.items()}
    if not curves:
        return
    print(f"\n| arm, tuning | {' | '.join(f'nodes to depth {d}' for d in SHOWN)} | factor a ply, {FROM} to {TO} |")
    print(f"| --- {'| --- ' * len(SHOWN)}| --- |")
    for name, logs in curves.items():
        nodes = " | ".join(f"{math.exp(logs[depth]):,.0f}" for depth in SHOWN)
        factor = math.exp((logs[TO] - logs[FROM]) / (TO - FROM))
        print(f"| {name} | {nodes} | {factor:.2f} |")
    reference = REFERENCE if REFERENCE in curves else next(iter(curves))
    whole = curves[reference]
    shares = {
        name: {depth: math.exp(log - whole[depth]) for depth, log in logs.items()}
        for name, logs in curves.items()
    }
    (work / "nodes.svg").write_text(lines(f"nodes to each depth, as a share of {reference}", shares))


def lines(title: str, curves: dict[str, dict[int, float]]) -> str:
    """Shares against depth; the second curve of an arm is dashed."""
    width, height, left, right, top, bottom = 760, 420, 60, 190, 40, 40
    depths = sorted(next(iter(curves.values())))
    every = [value for shares in curves.values() for value in shares.values()]
    low, high = math.floor(min(every) / GRID), math.ceil(max(every) / GRID)
    # Where all are equal there is one line.
    high = max(high, low + 1)

    def x(depth: int) -> float:
        return left + (depth - depths[0]) / (depths[-1] - depths[0]) * (width - left - right)

    def y(share: float) -> float:
        return height - bottom - (share / GRID - low) / (high - low) * (height - top - bottom)

    out = []
    for line in range(low, high + 1):
        at = y(line * GRID)
        out.append(f'<line x1="{left}" x2="{width - right}" y1="{at:.1f}" y2="{at:.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{left - 8}" y="{at + 4:.1f}" text-anchor="end">{line * GRID:.1f}</text>')
    for depth in depths:
        out.append(f'<text x="{x(depth):.1f}" y="{height - 14}" text-anchor="middle">{depth}</text>')
    arms = list(dict.fromkeys(name.split(",")[0] for name in curves))
    for row, (name, shares) in enumerate(curves.items()):
        color = COLORS[arms.index(name.split(",")[0]) % len(COLORS)]
        dash = ' stroke-dasharray="6 4"' if name.endswith("after") else ""
        path = " ".join(f"{x(depth):.1f},{y(share):.1f}" for depth, share in shares.items())
        stroke = f'stroke="{color}" stroke-width="2"{dash}'
        out.append(f'<polyline points="{path}" fill="none" {stroke}/>')
        at = top + 18 * row
        out.append(f'<line x1="{width - right + 12}" x2="{width - right + 40}" y1="{at}" y2="{at}" {stroke}/>')
        out.append(f'<text x="{width - right + 46}" y="{at + 4}">{name}</text>')
    return drawing(title, width, height, out)
