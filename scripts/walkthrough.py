# %% [markdown]
# # Points or wins?
#
# In Biscuits you roll 12d6, d8, d10 and d12, set aside at least one die, roll the rest, and so on; the highest sum
# wins. Is it enough to play for the highest expected score? This walk-through asks, and answers exactly.
# It runs as a script (`python scripts/walkthrough.py [figure.png]`) and opens as a notebook where percent cells do.

# %%
import sys
import tempfile
from pathlib import Path

import gametheory as gt
from gametheory import figures, sweeps

# %% [markdown]
# ## Solve the game
#
# The second player knows what to beat. The first player plays against that answer.

# %%
solved = gt.solve("biscuits", tie="split")
print(f"Playing for points makes {solved.headline()['expected_score']:.3f} on average.")
print(f"Playing to win, the first player wins {solved.first_player_value:.4f} of the games, ties split.")

# %% [markdown]
# ## Points against wins
#
# Each policy in each seat. Who plays for points gives away a little in either.

# %%
results = gt.compare(solved, ["score", "win"]).first_value()
for name, row in zip(("score", "win"), results, strict=True):
    print(f"first player {name:5}   against score {row[0]:.4f}   against win {row[1]:.4f}")

# %% [markdown]
# ## Where the two part
#
# How often a game played for points has a decision that is wrong for winning, what that costs, and the dearest roll.

# %%
apart = gt.diff(solved)
print(f"Disagreements in a game: {apart.summary.disagreements_per_game:.3f}")
print(f"What they cost together: {apart.summary.win_probability_lost:.4%} of the games")
print(*apart.sentences(apart.top(limit=1)))

# %% [markdown]
# ## What if there were fewer dice?
#
# A sweep over the number of d6, with two rules for ties: one row a game.

# %%
rows = gt.sweep("{n}d6+d8+d10+d12", {"n": "1..12"}, ties=["split", "second"])
for row in rows[::6]:
    print(f"{row['dice']:18} ties {row['tie']:6}   first player {row['first_player_value']:.4f}")

# %% [markdown]
# ## A figure

# %%
target = Path(sys.argv[1]) if len(sys.argv) == 2 else Path(tempfile.gettempdir()) / "walkthrough.png"
lost = sweeps.series(rows, "n", "win_probability_lost", by="tie")
figures.save(figures.lines(lost, "What playing for points costs", "number of d6", "chance to win lost"), target)
print(f"The figure is in {target}.")
