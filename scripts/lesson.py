# %% [markdown]
# # Win or score?
#
# A lesson of an hour, with dice. Each part begins with a question: ask it before the cell under it is run.
# It runs as a script (`python scripts/lesson.py`) and opens as a notebook where percent cells do. The plan of the lesson is
# in `docs/tutorials/teacher.md`.

# %%
from typing import Any

import gametheory as gt

# %% [markdown]
# ## 1. Who has it easier?
#
# Roll three dice, set aside at least one, roll the rest, until none are left; the higher sum wins. The first player plays
# out, then the second, who knows what to beat.

# %%
game = gt.solve("3d6")
first, second = game.first_player_value, game.second_player_value
print(f"The first player wins {first:.1%} of the games, ties split, the second {second:.1%}.")

# %% [markdown]
# ## 2. One die, several throws
#
# With one throw a die makes 3.5 on average. With two, keep it from which face on? What is that worth? Work it out by hand.

# %%
two_throws = sum(max(face, 3.5) for face in range(1, 7)) / 6
three_throws = sum(max(face, two_throws) for face in range(1, 7)) / 6
print(f"One throw 3.5, two throws {two_throws}, three throws {three_throws:.4f}.")

# %% [markdown]
# ## 3. What to maximise
#
# They made 13. You have 3 set aside and roll a 5 and a 4. What makes the most points? What wins most often? Why is that not
# the same?

# %%
ranking = gt.moves(game, "d6:5,4", banked=3, target=13)
print(ranking)
best = ranking[0]
most = max(ranking, key=lambda move: move.expected_score)
assert best is not most, "here the two part"

# %% [markdown]
# ## 4. Do the numbers hold?
#
# Exact chances can be tested like any claim: let two ways to play meet many times. How far off may the result be?

# %%
exact = gt.compare(game, ["win", "greedy"]).first_value()[0, 1]
played: Any = gt.simulate(game, "win", "greedy", games=100_000, seed=1)
value = played.first_win + played.tie / 2
print(f"Exact {exact:.4f}, played {value:.4f}, standard error {played.standard_error:.4f}.")
assert abs(value - exact) < 4 * played.standard_error

# %% [markdown]
# ## 5. Guess, then look
#
# Does the second player's advantage grow with more dice?

# %%
for row in gt.sweep("{n}d6", {"n": "1..6"}):
    print(f"{row['dice']:>4}   the second player wins {row['second_player_value']:.4f}")
