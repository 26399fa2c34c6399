#!/usr/bin/env python3
"""Times an engine from outside: start, stop, memory, and what a second thread brings.

usage: latency.py start ENGINE              start to readyok, stop to bestmove, resident memory
       latency.py threads LIMIT BOOK ENGINE [OTHER_ENGINE OTHER_LIMIT]

`threads` searches 40 positions of an EPD or FEN book with one and with two threads, each with an
empty table, within a limit of `go` ("depth 18", "movetime 1000"), and prints time and nodes a
second of two threads over one. Another engine (with its own limit) takes turns with it, position
by position, so that a machine that changes its speed changes it for all.
Only the standard library is needed; /proc tells the memory, so Linux.
ROUNDS (3) and POSITIONS (40) of `threads`, HASH in MB (16).
"""

import os
import statistics
import sys
import time

from engine import Engine, positions, search

HASH_MB = int(os.environ.get("HASH", "16"))


def milliseconds(since: float) -> float:
    return (time.perf_counter() - since) * 1000


def start(path: str) -> None:
    times = []
    for _ in range(20):
        began = time.perf_counter()
        engine = Engine([path], HASH_MB)
        times.append(milliseconds(began))
        engine.quit()
    print(f"start to readyok: median {statistics.median(times):.1f} ms, most {max(times):.1f}")
    engine = Engine([path], HASH_MB)
    for threads in (1, 2, 4):
        engine.threads(threads)
        engine.send("ucinewgame")
        engine.ready()
        times = []
        for _ in range(15):
            engine.send("position startpos")
            engine.send("go infinite")
            time.sleep(0.25)
            began = time.perf_counter()
            engine.send("stop")
            engine.until("bestmove")
            times.append(milliseconds(began))
        print(
            f"{threads} threads: stop to bestmove median {statistics.median(times):.1f} ms, most "
            f"{max(times):.1f}; resident {engine.resident_mb():.1f} MB with Hash {HASH_MB}"
        )
    engine.quit()


def threads(subjects: dict[str, str], book: str) -> None:
    """`subjects` are engines and their limits."""
    fens = positions(book, int(os.environ.get("POSITIONS", "40")))
    engines = {(path, count): Engine([path], HASH_MB, count) for path in subjects for count in (1, 2)}
    ratios = {path: ([], []) for path in subjects}
    for number in range(int(os.environ.get("ROUNDS", "3"))):
        totals = {key: [0.0, 0] for key in engines}
        for fen in fens:
            for key, engine in engines.items():
                seconds, nodes = search(engine, fen, subjects[key[0]])
                totals[key][0] += seconds
                totals[key][1] += nodes
        for path, (times, speeds) in ratios.items():
            one, two = totals[path, 1], totals[path, 2]
            times.append(two[0] / one[0])
            speeds.append(two[1] / two[0] / (one[1] / one[0]))
            print(
                f"round {number + 1}, {os.path.basename(path)} {subjects[path]}: one thread "
                f"{one[0]:.1f} s, {one[1] / one[0]:,.0f} nodes/s; two {two[0]:.1f} s, "
                f"{two[1] / two[0]:,.0f}; time {times[-1]:.2f}, speed {speeds[-1]:.2f}",
                flush=True,
            )
    for path, (times, speeds) in ratios.items():
        print(
            f"{os.path.basename(path)}: two threads over one, medians: time "
            f"{statistics.median(times):.2f}, nodes/s {statistics.median(speeds):.2f}"
        )
    for engine in engines.values():
        engine.quit()


def main() -> None:
    match sys.argv[1:]:
        case ["start", path]:
            start(path)
        case ["threads", limit, book, path]:
            threads({path: limit}, book)
        case ["threads", limit, book, path, other, other_limit]:
            threads({path: limit, other: other_limit}, book)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
