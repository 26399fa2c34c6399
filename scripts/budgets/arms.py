"""The arms of the experiment: configs that differ in coupling, rule, ratio, prices and step alone."""

import re

# Every key of [extensions] that is added to a move's price, so that a factor on all of them is a
# factor on the whole price.
PRICES = (
    "first check_safe check_unsafe capture_winning capture_equal capture_losing recapture promotion "
    "underpromotion passed_pawn only_reply evasion killer counter_move quiet_forward quiet_backward "
    "mate_threat mate_glance"
).split()
PRICE_RANGE = (-16.0, 32.0)
PRICE_STEP = 1 / 16

REDUCTIONS = [f"reductions.{key}" for key in "base log_scale history cut_node pv improving".split()]
OWN_PRICES = [
    f"extensions.{key}"
    for key in "first check_safe capture_winning recapture quiet_forward gap_weight".split()
]
COUPLED = [f"extensions.{key}" for key in "coupling refund_ratio".split()]


class Arm:
    """One way to charge moves.

    `base` is what its preset is changed by before anything is learned, `learns` whether its prices come
    from `fit`, `keys` the twelve that SPSA tunes: six reductions, the same in every arm, and six of its own.
    """

    def __init__(self, name: str, base: str, learns: bool, keys: list[str]) -> None:
        self.name, self.base, self.learns, self.keys = name, base, learns, keys


def arms(cyrus: str) -> list[Arm]:
    """`cyrus` is the preset cyrus68k, of which the arm takes the step and [extensions] alone."""
    rule = '[extensions]\nlead = "price"\nverified = false\ncoupling = {}\ncoupling_rule = "{}"\n'.format
    more_reductions = [f"reductions.{key}" for key in "no_tt_move check killer tt_pv cutoffs raised".split()]
    return [
        Arm("shared", rule(0.0, "paper"), True, REDUCTIONS + OWN_PRICES),
        Arm("paper", rule(0.5, "paper"), True, REDUCTIONS + OWN_PRICES[:5] + COUPLED[:1]),
        Arm("forcing", rule(0.5, "forcing"), True, REDUCTIONS + OWN_PRICES[:4] + COUPLED),
        Arm("cyrus68k", budget_keys(cyrus), False, REDUCTIONS + OWN_PRICES[:5] + COUPLED[:1]),
        Arm("integer-ply", "", False, REDUCTIONS + more_reductions),
    ]


def budget_keys(config: str) -> str:
    """The step and the section [extensions] of a dumped config."""
    step = re.search(r"^iteration_step = .*$", config, re.M).group()
    extensions = re.search(r"^\[extensions\]$.*?(?=^\[)", config, re.M | re.S).group()
    keys = [line for line in extensions.splitlines() if line and not line.startswith("#")]
    return "\n".join(["[search]", step, "", *keys, ""])


def scaled(learned: str, factor: float) -> str:
    """The config with every price times `factor`, rounded to its step."""

    def price(match: re.Match) -> str:
        low, high = PRICE_RANGE
        value = min(max(float(match[2]) * factor, low), high)
        return f"{match[1]} = {round(value / PRICE_STEP) * PRICE_STEP}"

    def phases(match: re.Match) -> str:
        values = [round(float(one) * factor / PRICE_STEP) * PRICE_STEP for one in match[1].split(",")]
        return f"phase = {values}"

    def gap(match: re.Match) -> str:
        return f"gap_weight = {min(round(int(match[1]) * factor), 256)}"

    text = re.sub(rf"^({'|'.join(PRICES)}) = (\S+)", price, learned, flags=re.M)
    text = re.sub(r"^phase = \[(.*)\]", phases, text, flags=re.M)
    return re.sub(r"^gap_weight = (\d+)", gap, text, flags=re.M)
