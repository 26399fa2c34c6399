#!/usr/bin/env python3
"""Fit the weights of the classical evaluation to game results by logistic regression.

Reads the columns that the `eval_trace` example writes and the weights in `table.rs`; minimises

    mean cross-entropy(result, sigmoid(value / scale))  +  pull * mean(((w - w0) / unit)^2)

where `value` is White's view in centipawns, tempo included, exactly as the engine computes it but
without rounding. `scale` is fitted first, with the weights as they are, and then kept, so that a
centipawn stays a centipawn. The pull towards the first numbers decides what the data leave open.

The loss is reported on blocks of consecutive lines that the fit did not see (a game's positions
are consecutive, so at most two games are cut by a block's ends). The numbers that are written come
from a last fit on everything.
"""

import argparse
import pathlib
import re
import sys
import time

import numpy as np

TERM = re.compile(r"^(\s+[A-Z_]+\[(\d+)\] =)([^;]*);", re.M)
PAIR = re.compile(r"\((-?\d+), (-?\d+)\)")
PHASE_ONE = 24.0
SCALE_ONE = 64.0


def read_weights(text):
    """All (mg, eg) pairs of the table, in order."""
    pairs = []
    for match in TERM.finditer(text):
        found = PAIR.findall(match[3])
        if len(found) != int(match[2]):
            sys.exit(f"{match[1].strip()} has {len(found)} pairs")
        pairs += [(int(mg), int(eg)) for mg, eg in found]
    return np.array(pairs, dtype=np.float64)


def write_weights(text, weights):
    """The table with other numbers, its layout kept."""
    numbers = iter(np.rint(weights).astype(int).tolist())

    def term(match):
        pairs = PAIR.sub(lambda _: "({}, {})".format(*next(numbers)), match[3])
        return f"{match[1]}{pairs};"

    return TERM.sub(term, text)


class Data:
    """The rows of one or more trace folders."""

    def __init__(self, folders):
        heads, starts, index, count = [], [], [], []
        entries = 0
        for folder in map(pathlib.Path, folders):
            heads.append(np.fromfile(folder / "head.u8", np.uint8).reshape(-1, 4))
            start = np.fromfile(folder / "start.u64", np.uint64).astype(np.int64)
            starts.append(start[:-1] + entries)
            entries += int(start[-1])
            index.append(np.fromfile(folder / "index.u16", np.uint16))
            count.append(np.fromfile(folder / "count.i16", np.int16))
        head = np.concatenate(heads)
        self.start = np.append(np.concatenate(starts), entries)
        self.index = np.concatenate(index)
        self.count = np.concatenate(count)
        phase = head[:, 0] / PHASE_ONE
        self.mg = phase.astype(np.float32)
        self.eg = ((1.0 - phase) * head[:, 1] / SCALE_ONE).astype(np.float32)
        self.result = (head[:, 2] / 2.0).astype(np.float32)
        self.side = 1.0 - 2.0 * head[:, 3].astype(np.float32)

    def __len__(self):
        return len(self.result)

    def rows(self, rows):
        """Entries of some rows: (index, count, number of the row among these)."""
        lengths = self.start[rows + 1] - self.start[rows]
        row_of = np.repeat(np.arange(len(rows)), lengths)
        offset = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        entry = np.repeat(self.start[rows], lengths) + offset
        return self.index[entry], self.count[entry].astype(np.float64), row_of


def values(data, rows, weights, tempo, batch=100_000):
    """White's view in centipawns."""
    out = np.empty(len(rows))
    for at in range(0, len(rows), batch):
        some = rows[at : at + batch]
        index, count, row_of = data.rows(some)
        mg = np.bincount(row_of, count * weights[index, 0], len(some))
        eg = np.bincount(row_of, count * weights[index, 1], len(some))
        out[at : at + batch] = mg * data.mg[some] + eg * data.eg[some] + tempo * data.side[some]
    return out


def cross_entropy(value, result, scale):
    logit = value / scale
    return float(np.mean(np.logaddexp(0.0, logit) - result * logit))


def fit_scale(value, result):
    """The centipawns that make one unit of the logistic, by golden section."""
    low, high = 30.0, 1500.0
    ratio = (5**0.5 - 1) / 2
    while high - low > 0.1:
        a, b = high - ratio * (high - low), low + ratio * (high - low)
        if cross_entropy(value, result, a) < cross_entropy(value, result, b):
            high = b
        else:
            low = a
    return (low + high) / 2


def fit(data, rows, first, scale, args):
    """Adam on shuffled batches, its step falling linearly to a tenth."""
    random = np.random.default_rng(args.seed)
    weights = first.copy()
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    steps = args.epochs * max(1, len(rows) // args.batch)
    step = 0
    for epoch in range(args.epochs):
        order = random.permutation(rows)
        began, losses = time.time(), []
        for at in range(0, len(order) - args.batch + 1, args.batch):
            some = order[at : at + args.batch]
            index, count, row_of = data.rows(some)
            mg = np.bincount(row_of, count * weights[index, 0], len(some))
            eg = np.bincount(row_of, count * weights[index, 1], len(some))
            value = mg * data.mg[some] + eg * data.eg[some] + args.tempo * data.side[some]
            losses.append(cross_entropy(value, data.result[some], scale))
            error = (1 / (1 + np.exp(-value / scale)) - data.result[some]) / (scale * len(some))
            gradient = 2 * args.pull * (weights - first) / args.unit**2 / len(weights)
            for half, part in enumerate((data.mg, data.eg)):
                each = count * (error * part[some])[row_of]
                gradient[:, half] += np.bincount(index, each, len(weights))
            step += 1
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            rate = args.rate * (1 - 0.9 * step / steps)
            unbiased = mean / (1 - 0.9**step)
            spread = np.sqrt(square / (1 - 0.999**step))
            weights -= rate * unbiased / (spread + 1e-10)
        if args.verbose:
            print(f"  epoch {epoch + 1}: {np.mean(losses):.5f}  {time.time() - began:.1f} s", flush=True)
    return weights


def held_out(data, first, scale, args):
    """Loss before and after on blocks left out of the fit."""
    block = np.arange(len(data)) * args.blocks // len(data)
    rows = np.arange(len(data))
    before, after = [], []
    for fold in range(args.folds):
        unseen = rows[block % args.folds == fold]
        seen = rows[block % args.folds != fold]
        weights = np.rint(fit(data, seen, first, scale, args))
        result = data.result[unseen]
        before.append(cross_entropy(values(data, unseen, first, args.tempo), result, scale))
        after.append(cross_entropy(values(data, unseen, weights, args.tempo), result, scale))
        print(f"fold {fold + 1}: {before[-1]:.5f} -> {after[-1]:.5f} ({len(unseen)} positions)", flush=True)
    print(f"held out: {np.mean(before):.5f} -> {np.mean(after):.5f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("traces", nargs="+", help="folders written by eval_trace")
    parser.add_argument("--table", default="crates/eval/src/table.rs", help="weights to start from")
    parser.add_argument("--out", help="where to write the fitted table (default: nowhere)")
    parser.add_argument("--tempo", type=float, default=16.0, help="centipawns, as in the config")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--batch", type=int, default=16384)
    parser.add_argument("--rate", type=float, default=1.0, help="first step of Adam, centipawns")
    parser.add_argument("--pull", type=float, default=1e-3, help="strength of the pull to the first numbers")
    parser.add_argument("--unit", type=float, default=20.0, help="centipawns that the pull calls one")
    parser.add_argument("--folds", type=int, default=5, help="0: no held-out loss")
    parser.add_argument("--blocks", type=int, default=100, help="blocks of lines dealt to the folds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()

    path = pathlib.Path(args.table)
    text = path.read_text()
    first = read_weights(text)
    data = Data(args.traces)
    if len(data) < args.batch or data.index.max() >= len(first):
        sys.exit(f"{len(data)} positions, {len(first)} weights: too few, or traces of another table")
    everything = np.arange(len(data))
    value = values(data, everything, first, args.tempo)
    scale = fit_scale(value, data.result)
    loss = cross_entropy(value, data.result, scale)
    rate = float(np.mean(data.result))
    constant = -rate * np.log(rate) - (1 - rate) * np.log(1 - rate)
    print(f"{len(data)} positions, White scores {rate:.3f}; scale {scale:.1f} cp, loss {loss:.5f} (constant {constant:.5f})")
    if args.folds:
        held_out(data, first, scale, args)
    if args.out:
        weights = fit(data, everything, first, scale, args)
        pathlib.Path(args.out).write_text(write_weights(text, weights))
        moved = np.abs(np.rint(weights) - first)
        print(f"written to {args.out}: mean change {moved.mean():.1f} cp, largest {moved.max():.0f}")


if __name__ == "__main__":
    main()
