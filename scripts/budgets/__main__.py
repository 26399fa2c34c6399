"""Does a budget per side with learned move costs select better than integer depth?

usage: python3 scripts/budgets WORK STEP [ARM ...]

Each step keeps its results in WORK and resumes where it was stopped:

  all     every step below, those that take tuned configs before and after tuning
  fit     learns the prices of each arm from its own searches                 (POSITIONS, SAMPLES)
  kappa   scales them until depth 12 costs as many nodes as integer-ply's     (BOOK)
  play    matches of each arm against `shared`, the one budget of k = 0       (PAIRS, DEEP_PAIRS)
  grow    nodes to depth 14 from empty tables                                 (BOOK)
  solve   suites and mates by nodes, mates by time                            (SUITES, NODES, MOVETIME)
  tune    twelve keys of each arm by SPSA; the three above then take both      (ITERATIONS)
  table   prints the tables of docs/experiments/budgets.md and draws charts of them

Only the standard library is needed. Environment:
  SEXTANT, TUNE   the programs (target/release/sextant, target/release/sextant-tune)
  POSITIONS       positions or games for `fit`;  SAMPLES a fit (60000)
  BOOK            openings, EPD;  SUITES  folder of the test suites
  PAIRS, DEEP_PAIRS   game pairs at 10,000 and 60,000 nodes (1000, 500)
  ITERATIONS      of eight pairs at 5,000 nodes (1250);  CORES (1)
  NODES, MOVETIME a position of a suite (1000000 nodes, 700 ms)
"""

import json
import math
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import arms as budgets
import growth
import report

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from engine import Engine, positions, search, to_depths  # noqa: E402

TARGET = HERE.parent.parent / "target" / "release"


def setting(name: str, default: object) -> str:
    return os.environ.get(name, str(default))


SEXTANT = setting("SEXTANT", TARGET / "sextant")
TUNE = setting("TUNE", TARGET / "sextant-tune")
CORES = setting("CORES", 1)
# Nodes a move, the setting of how many pairs, and how many without it.
MATCHES = ((10_000, "PAIRS", 1000), (60_000, "DEEP_PAIRS", 500))
DEPTH = 12
KAPPA_POSITIONS = 200
DEEPEST = 14
# The tuner's learning rate at the end: its default hardly moves a price by its step in so few games.
R_END = 0.004
SUITES = ("wac", "ecmgcp", "arasan21", "matetrack-504")


def needed(name: str) -> str:
    if name not in os.environ:
        sys.exit(f"this step needs {name}; see --help")
    return os.environ[name]


class Experiment:
    def __init__(self, work: Path, names: list[str]) -> None:
        self.work = work
        cyrus = told([SEXTANT, "config", "--config", "cyrus68k", "dump"])
        every = budgets.arms(cyrus)
        unknown = set(names) - {arm.name for arm in every}
        if unknown:
            sys.exit(f"no arm {', '.join(unknown)}; there are {', '.join(a.name for a in every)}")
        self.arms = [arm for arm in every if not names or arm.name in names]
        for folder in ("base", *report.STAGES, "fit", "tune", "play", "grow", "solve"):
            (work / folder).mkdir(parents=True, exist_ok=True)
        for arm in every:
            self.base(arm).write_text(f'version = 1\nextends = "{self.preset(arm)}"\n{arm.base}')

    @staticmethod
    def preset(arm: budgets.Arm) -> str:
        return "integer-ply" if arm.name == "integer-ply" else "default"

    def base(self, arm: budgets.Arm) -> Path:
        return self.work / "base" / f"{arm.name}.toml"

    def config(self, name: str, stage: str) -> Path:
        return self.work / stage / f"{name}.toml"

    def stages(self, arm: budgets.Arm) -> list[str]:
        """Those that have a config."""
        return [stage for stage in report.STAGES if self.config(arm.name, stage).exists()]

    def fit(self) -> None:
        for arm in self.arms:
            out = self.work / "fit" / f"{arm.name}.toml"
            if arm.learns and not out.exists():
                samples = self.work / "fit" / f"{arm.name}.samples"
                command = [TUNE, "fit", needed("POSITIONS")]
                command += ["--config", self.base(arm), "--samples", samples, "--threads", CORES]
                command += ["--count", setting("SAMPLES", 60000), "--out", out]
                run(command)

    def kappa(self) -> None:
        fens = positions(needed("BOOK"), KAPPA_POSITIONS)
        wanted = cost(self.work / "base" / "integer-ply.toml", fens)
        for arm in self.arms:
            target = self.config(arm.name, "before")
            if target.exists():
                continue
            part = target.with_suffix(".part")
            if arm.name == "integer-ply":
                part.write_text(self.base(arm).read_text())
            else:
                start = self.work / "fit" / f"{arm.name}.toml" if arm.learns else self.base(arm)
                # All keys, also those whose value is the preset's.
                keys = budgets.budget_keys(told([SEXTANT, "config", "--config", start, "dump"]))
                text = f'version = 1\nextends = "default"\n\n{keys}'
                self.scale(arm.name, text, part, fens, wanted)
            part.rename(target)

    def scale(self, name: str, text: str, part: Path, fens: list[str], wanted: float) -> None:
        """Bisects: dearer moves make smaller trees. The last try need not be the nearest, since trees
        do not shrink evenly."""
        low, high = 0.5, 2.0
        tries = []
        for _ in range(8):
            factor = math.sqrt(low * high)
            part.write_text(budgets.scaled(text, factor))
            off = cost(part, fens) - wanted
            print(f"{name}: prices times {factor:.3f}, nodes times {math.exp(off):.3f}", flush=True)
            tries.append((abs(off), factor))
            low, high = (factor, high) if off > 0 else (low, factor)
        part.write_text(budgets.scaled(text, min(tries)[1]))

    def play(self) -> None:
        for arm in self.arms:
            for stage in self.stages(arm):
                if arm.name == "shared" and stage == "before":
                    continue
                # Tuning is judged as well: `shared` after it meets `shared` before it.
                rival = "before" if arm.name == "shared" else stage
                for nodes, name, pairs in MATCHES:
                    self.match(arm.name, stage, rival, nodes, int(setting(name, pairs)))

    def match(self, name: str, stage: str, rival: str, nodes: int, pairs: int) -> None:
        base = self.work / "play" / f"{name}.{stage}.{nodes}"
        command = [TUNE, "match", self.config(name, stage), self.config("shared", rival), "--json"]
        command += ["--nodes", nodes, "--games", 2 * pairs, "--book", needed("BOOK"), "--seed", 6]
        command += ["--concurrency", CORES, "--state", f"{base}.state"]
        keep(base.with_suffix(f".{nodes}.json"), command)

    def grow(self) -> None:
        fens = positions(needed("BOOK"), KAPPA_POSITIONS)
        for arm in self.arms:
            for stage in self.stages(arm):
                path = self.work / "grow" / f"{arm.name}.{stage}.json"
                if not path.exists():
                    print(path.name, flush=True)
                    engine = Engine([SEXTANT, "--config", str(self.config(arm.name, stage))], 16)
                    searches = [to_depths(engine, fen, DEEPEST) for fen in fens]
                    engine.quit()
                    path.write_text(json.dumps(growth.mean_logs(searches)))

    def solve(self) -> None:
        for arm in self.arms:
            for stage in self.stages(arm):
                for suite in SUITES:
                    self.suite(arm.name, stage, suite, ["--nodes", setting("NODES", 1_000_000)])
                self.suite(arm.name, stage, SUITES[-1], ["--movetime", setting("MOVETIME", 700)])

    def suite(self, name: str, stage: str, suite: str, limit: list[str]) -> None:
        # Time is only measured with nothing beside it.
        threads = 1 if limit[0] == "--movetime" else CORES
        command = [TUNE, "suite", f"{needed('SUITES')}/{suite}.epd", "--json", *limit]
        command += ["--config", self.config(name, stage), "--hash", 16, "--threads", threads]
        path = self.work / "solve" / f"{name}.{stage}.{suite}{limit[0]}.json"
        keep(path, command, lambda out: json.dumps(report.solved(json.loads(out))))

    def tune(self) -> None:
        for arm in self.arms:
            target = self.config(arm.name, "after")
            if target.exists():
                continue
            before = self.config(arm.name, "before")
            state = self.work / "tune" / f"{arm.name}.toml"
            command = [TUNE, "spsa", "--concurrency", CORES]
            if state.exists():
                run(command + ["--resume", state])
            else:
                keys = [word for key in arm.keys for word in ("--keys", key)]
                command += ["--state", state, "--out", target, "--config", before]
                command += ["--book", needed("BOOK"), *keys, "--nodes", 5000]
                command += ["--iterations", setting("ITERATIONS", 1250), "--r-end", R_END]
                run(command + ["--pairs-per-iteration", 8, "--verify-pairs", 0])
            if not target.exists():
                # Every value rounds to where it began.
                target.write_text(before.read_text())

    def all(self) -> None:
        for step in ("fit", "kappa", "play", "grow", "solve", "tune", "play", "grow", "solve", "table"):
            getattr(self, step)()

    def table(self) -> None:
        names = [arm.name for arm in self.arms]
        report.write(self.work, names)
        growth.write(self.work, names)


def cost(config: Path, fens: list[str]) -> float:
    """Mean logarithm of the nodes to `DEPTH`: the largest trees do not outvote the others."""
    engine = Engine([SEXTANT, "--config", str(config)], 16)
    logs = [math.log(max(search(engine, fen, f"depth {DEPTH}")[1], 1)) for fen in fens]
    engine.quit()
    return sum(logs) / len(logs)


def told(command: list) -> str:
    return subprocess.run(
        [str(word) for word in command], check=True, text=True, stdout=subprocess.PIPE
    ).stdout


def keep(path: Path, command: list, shorten: Callable[[str], str] = str) -> None:
    """Keeps what a command prints, unless it was kept before."""
    if not path.exists():
        print(path.name, flush=True)
        json.loads(out := shorten(told(command)))
        path.write_text(out)


def run(command: list) -> None:
    subprocess.run([str(word) for word in command], check=True)


def main() -> None:
    steps = ("all", "fit", "kappa", "play", "grow", "solve", "tune", "table")
    if len(sys.argv) < 3 or sys.argv[2] not in steps:
        sys.exit(__doc__)
    for program in (SEXTANT, TUNE):
        if not shutil.which(program):
            sys.exit(f"no program {program}; run `cargo build --release --workspace`, or set SEXTANT and TUNE")
    try:
        getattr(Experiment(Path(sys.argv[1]), sys.argv[3:]), sys.argv[2])()
    except subprocess.CalledProcessError as error:
        sys.exit(f"{' '.join(error.cmd)} failed with code {error.returncode}")
    except KeyboardInterrupt:
        sys.exit("\nstopped; the same command resumes here")


main()
