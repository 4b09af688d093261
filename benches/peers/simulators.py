"""The pass line of craps in numpy and in crapssim, asked in turns by `cargo bench --bench craps`.

First line out: what is installed, `name version`, with commas between. Then for each line in (`numpy SEED`, `crapssim SEED`)
one line out: rolls per second. One thread. What a bettor is asked for is counted: how often each of the 14 courses of a
decision happened (natural, craps, each point made or missed), and the rolls.
"""
import sys
import time

try:
    import numpy
except ImportError:
    numpy = None
try:
    import crapssim
    from crapssim.strategy import BetPassLine
except ImportError:
    crapssim = None

GAMES = 1 << 20  # side by side; smaller arrays were tried and are slower, as are boolean indices and other generators


def with_numpy(seed):
    """Games side by side: a roll for all that are open, then only those that are still open go on."""
    generator = numpy.random.Generator(numpy.random.SFC64(seed))
    totals = numpy.array([a + b for a in range(1, 7) for b in range(1, 7)], dtype=numpy.uint8)

    def roll(games):
        return totals.take(generator.integers(0, 36, games, dtype=numpy.uint8))

    rolls, counts = 0, numpy.zeros(48, dtype=numpy.int64)
    started = time.perf_counter()
    for _ in range(4):
        first = roll(GAMES)
        rolls += GAMES
        counts[:16] += numpy.bincount(first, minlength=16)
        points = first.compress((first >= 4) & (first <= 10) & (first != 7))
        while points.size:
            total = roll(points.size)
            rolls += points.size
            made, missed = total == points, total == 7
            counts[16:32] += numpy.bincount(points.compress(made), minlength=16)
            counts[32:] += numpy.bincount(points.compress(missed), minlength=16)
            points = points.compress(~(made | missed))
    elapsed = time.perf_counter() - started
    won = counts[[7, 11]].sum() + counts[16:32].sum()
    assert abs(won / (4 * GAMES) - 244 / 495) < 0.003, won
    return rolls / elapsed


def with_crapssim(seed):
    """A table, a player who always has a pass line bet, nothing printed."""
    rolls = 8000
    table = crapssim.Table(seed=seed)
    table.add_player(bankroll=1e9, strategy=BetPassLine(1))
    started = time.perf_counter()
    table.run(max_rolls=rolls, verbose=False)
    elapsed = time.perf_counter() - started
    assert table.dice.n_rolls == rolls, table.dice.n_rolls
    return rolls / elapsed


def version(module):
    from importlib.metadata import version
    return f"{module.__name__} {version(module.__name__)}"


print(", ".join(version(module) for module in (numpy, crapssim) if module), flush=True)
for line in sys.stdin:
    name, seed = line.split()
    print({"numpy": with_numpy, "crapssim": with_crapssim}[name](int(seed)), flush=True)
