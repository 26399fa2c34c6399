#!/usr/bin/env python3
"""Fit the weights of the classical evaluation to game results by logistic regression.

Reads the columns that the `eval_trace` example writes and the weights in `table.rs`; minimises

    mean cross-entropy(result, sigmoid(value / scale))  +  pull / 2 * d' C^-1 d,     d = w - w0

where `value` is White's view in centipawns, tempo included, exactly as the engine computes it but
without rounding. `scale` is fitted first, with the weights as they are, and then kept, so that a
centipawn stays a centipawn.

The results of some thousand games say little about a thousand weights, so the prior matters: it
expects small changes that are alike for neighbouring weights of a term (squares, numbers of moves,
ranks) and for the two halves of a pair. `pull` is chosen among a few by the loss on games that the
fit did not see, and that loss is reported. Folds are made of blocks of consecutive lines; a game's
positions are consecutive, so at most two games are cut by the ends of a block.

The problem is convex and small: Newton's method, exact, no learning rate.
"""

import argparse
import pathlib
import re
import sys
import time

import numpy as np

TERM = re.compile(r"^(\s+([A-Z_]+)\[(\d+)\] =)([^;]*);", re.M)
PAIR = re.compile(r"\((-?\d+), (-?\d+)\)")
PHASE_ONE = 24.0
SCALE_ONE = 64.0
BATCH = 16_384


def read_weights(text):
    """All (mg, eg) pairs of the table in order, and the name and number of each term's."""
    pairs, terms = [], []
    for match in TERM.finditer(text):
        found = PAIR.findall(match[4])
        if len(found) != int(match[3]):
            sys.exit(f"{match[2]} has {len(found)} pairs instead of {match[3]}")
        terms.append((match[2], len(found)))
        pairs += [(int(mg), int(eg)) for mg, eg in found]
    return np.array(pairs, dtype=np.float64), terms


def write_weights(text, weights):
    """The table with other numbers, its layout kept."""
    numbers = iter(np.rint(weights).astype(int).tolist())

    def term(match):
        pairs = PAIR.sub(lambda _: "({}, {})".format(*next(numbers)), match[4])
        return f"{match[1]}{pairs};"

    return TERM.sub(term, text)


def prior(first, terms):
    """Inverse covariance of the changes expected: all middlegame halves, then all endgame halves."""
    inverse = np.zeros((2 * len(first), 2 * len(first)))
    at = 0
    for name, size in terms:
        place = np.arange(size)
        distance = np.abs(place[:, None] - place)
        if name.endswith("_SQUARE"):
            rank, file = place // 4, place % 4
            distance = np.maximum(np.abs(rank[:, None] - rank), np.abs(file[:, None] - file))
        alike = 0.7 * np.exp(-distance / 2.0) + 0.3 * np.eye(size)
        if name == "MATERIAL":
            alike = np.eye(size)
        halves = first[at : at + size]
        spread = 5.0 + 0.3 * np.sqrt((halves**2).mean(axis=0))
        covariance = np.kron([[1.0, 0.4], [0.4, 1.0]] * np.outer(spread, spread), alike)
        where = np.concatenate([at + place, len(first) + at + place])
        inverse[np.ix_(where, where)] = np.linalg.inv(covariance)
        at += size
    return inverse


class Data:
    """The rows of one or more trace folders."""

    def __init__(self, folders, every):
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
        self.all = np.arange(0, len(head), every)

    def dense(self, rows, width):
        """Counts of some rows as a matrix."""
        lengths = self.start[rows + 1] - self.start[rows]
        row_of = np.repeat(np.arange(len(rows)), lengths)
        offset = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        entry = np.repeat(self.start[rows], lengths) + offset
        counts = np.zeros((len(rows), width), np.float32)
        counts[row_of, self.index[entry]] = self.count[entry]
        return counts


def values(data, rows, weights, tempo):
    """White's view in centipawns; several weight tables at once give several columns."""
    tables = np.atleast_3d(weights).astype(np.float32)
    out = np.empty((len(rows), tables.shape[2]), np.float32)
    for at in range(0, len(rows), BATCH):
        some = rows[at : at + BATCH]
        counts = data.dense(some, len(tables))
        mg, eg = counts @ tables[:, 0], counts @ tables[:, 1]
        out[at : at + BATCH] = (
            mg * data.mg[some, None] + eg * data.eg[some, None] + tempo * data.side[some, None]
        )
    return out


def cross_entropy(value, result, scale):
    """Mean over the rows, for each column."""
    logit = value.astype(np.float64) / scale
    return np.mean(np.logaddexp(0.0, logit) - result[:, None] * logit, axis=0)


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


def slope(data, rows, weights, scale, tempo):
    """Gradient and Hessian of the summed cross-entropy."""
    width = len(weights)
    gradient = np.zeros(2 * width)
    hessian = np.zeros((2 * width, 2 * width))
    for at in range(0, len(rows), BATCH):
        some = rows[at : at + BATCH]
        counts = data.dense(some, width)
        mg, eg = data.mg[some], data.eg[some]
        both = np.hstack([counts * mg[:, None], counts * eg[:, None]])
        value = both @ weights.T.ravel().astype(np.float32) + tempo * data.side[some]
        chance = 1.0 / (1.0 + np.exp(-value / scale))
        gradient += both.T @ ((chance - data.result[some]) / scale)
        curve = np.sqrt(chance * (1.0 - chance)) / scale
        both *= curve[:, None]
        hessian += both.T @ both
    return gradient, hessian


def newton(gradient, hessian, count, change, inverse, pull):
    """One step: the new change of the weights, as (weight, half)."""
    flat = change.T.ravel()
    matrix = hessian / count + pull * inverse
    step = np.linalg.solve(matrix, gradient / count + pull * (inverse @ flat))
    return (flat - step).reshape(2, -1).T


def fold_of(data, rows, args):
    block = rows * args.blocks // (data.all[-1] + 1)
    return block % args.folds


def choose_pull(data, first, inverse, scale, args):
    """The pull with the least held-out loss; one Newton step each, which comes close enough."""
    folds = fold_of(data, data.all, args)
    parts = [data.all[folds == fold] for fold in range(args.folds)]
    slopes = [slope(data, part, first, scale, args.tempo) for part in parts]
    pulls = args.pull or [10.0**-power for power in (2, 2.5, 3, 3.5, 4, 4.5, 5)]
    losses, before = [], []
    for fold, part in enumerate(parts):
        gradient = sum(s[0] for i, s in enumerate(slopes) if i != fold)
        hessian = sum(s[1] for i, s in enumerate(slopes) if i != fold)
        count = len(data.all) - len(part)
        start = np.zeros_like(first)
        tables = [first] + [
            np.rint(first + newton(gradient, hessian, count, start, inverse, pull)) for pull in pulls
        ]
        loss = cross_entropy(
            values(data, part, np.stack(tables, axis=2), args.tempo), data.result[part], scale
        )
        before.append(loss[0])
        losses.append(loss[1:])
    losses = np.array(losses)
    for pull, each in zip(pulls, losses.T):
        print(f"  pull {pull:.1e}: held out {np.mean(before):.5f} -> {each.mean():.5f}")
    best = int(np.argmin(losses.mean(axis=0)))
    pairs = " ".join(f"{b:.5f}->{a:.5f}" for b, a in zip(before, losses[:, best]))
    print(f"pull {pulls[best]:.1e}; by fold {pairs}", flush=True)
    return pulls[best]


def fit(data, first, inverse, scale, pull, args):
    """Newton steps on everything until the weights rest."""
    change = np.zeros_like(first)
    for step in range(args.steps):
        began = time.time()
        slopes = slope(data, data.all, first + change, scale, args.tempo)
        new = newton(*slopes, len(data.all), change, inverse, pull)
        moved = np.abs(new - change).max()
        change = new
        print(f"  step {step + 1}: largest move {moved:.2f} cp, {time.time() - began:.0f} s", flush=True)
        if moved < 0.5:
            break
    # A weight that never occurs would follow its neighbours to no purpose.
    change[np.bincount(data.index, minlength=len(first)) == 0] = 0.0
    return first + change


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("traces", nargs="+", help="folders written by eval_trace")
    parser.add_argument("--table", default="crates/eval/src/classical/table.rs", help="weights to start from")
    parser.add_argument("--out", help="where to write the fitted table (default: nowhere)")
    parser.add_argument("--tempo", type=float, default=16.0, help="centipawns, as in the config")
    parser.add_argument("--pull", type=float, nargs="*", help="strengths of the prior to try")
    parser.add_argument("--steps", type=int, default=4, help="most Newton steps of the last fit")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--blocks", type=int, default=100, help="blocks of lines dealt to the folds")
    parser.add_argument("--every", type=int, default=1, help="use every n-th position only")
    args = parser.parse_args()

    text = pathlib.Path(args.table).read_text()
    first, terms = read_weights(text)
    data = Data(args.traces, args.every)
    if data.index.max() >= len(first):
        sys.exit(f"the traces know weight {data.index.max()}, the table has {len(first)}: trace again")
    value = values(data, data.all, first, args.tempo)
    result = data.result[data.all]
    scale = fit_scale(value, result)
    loss = float(cross_entropy(value, result, scale)[0])
    rate = float(np.mean(result))
    constant = -rate * np.log(rate) - (1 - rate) * np.log(1 - rate)
    print(f"{len(data.all)} positions, White scores {rate:.3f}; scale {scale:.1f} cp, loss {loss:.5f} (constant {constant:.5f})", flush=True)
    inverse = prior(first, terms)
    pull = choose_pull(data, first, inverse, scale, args)
    if args.out:
        weights = fit(data, first, inverse, scale, pull, args)
        pathlib.Path(args.out).write_text(write_weights(text, weights))
        moved = np.abs(np.rint(weights) - first)
        print(f"written to {args.out}: mean change {moved.mean():.1f} cp, largest {moved.max():.0f}")


if __name__ == "__main__":
    main()
