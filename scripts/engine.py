"""Speaks UCI with an engine over pipes, for the scripts beside it. Only the standard library is needed."""

import subprocess
import sys
import time


class Engine:
    """A UCI engine, ready to search."""

    def __init__(self, command: list[str], hash_mb: int, threads: int = 1) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.send("uci")
        self.until("uciok")
        self.send(f"setoption name Hash value {hash_mb}")
        self.threads(threads)

    def send(self, line: str) -> None:
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def until(self, word: str) -> list[str]:
        lines = []
        for line in self.process.stdout:
            lines.append(line.strip())
            if lines[-1].startswith(word):
                return lines
        sys.exit(f"the engine ended before it said {word}")

    def threads(self, count: int) -> None:
        self.send(f"setoption name Threads value {count}")
        self.ready()

    def ready(self) -> None:
        self.send("isready")
        self.until("readyok")

    def resident_mb(self) -> float:
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            kb = next(line.split()[1] for line in status if line.startswith("VmRSS"))
        return int(kb) / 1024

    def quit(self) -> None:
        self.send("quit")
        self.process.wait()


def positions(book: str, count: int) -> list[str]:
    """So many FENs, evenly from a book of FEN or EPD lines."""
    with open(book, encoding="utf-8") as lines:
        fens = [" ".join(line.split(";")[0].split()[:4]) + " 0 1" for line in lines if line.strip()]
    return fens[:: max(1, len(fens) // count)][:count]


def search(engine: Engine, fen: str, limit: str) -> tuple[float, int]:
    """Seconds and nodes of one search from an empty table."""
    seconds, lines = searched(engine, fen, limit)
    counts = [number(line, "nodes") for line in lines if " nodes " in line]
    return seconds, counts[-1]


def to_depths(engine: Engine, fen: str, depth: int) -> dict[int, int]:
    """Nodes of a search from an empty table by the depths it finished."""
    _, lines = searched(engine, fen, f"depth {depth}")
    whole = [line for line in lines if " pv " in line and "bound" not in line]
    return {number(line, "depth"): number(line, "nodes") for line in whole}


def searched(engine: Engine, fen: str, limit: str) -> tuple[float, list[str]]:
    engine.send("ucinewgame")
    engine.ready()
    engine.send(f"position fen {fen}")
    began = time.perf_counter()
    engine.send(f"go {limit}")
    lines = engine.until("bestmove")
    return time.perf_counter() - began, lines


def number(line: str, name: str) -> int:
    return int(line.split(f" {name} ")[1].split()[0])
