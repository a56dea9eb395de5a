# %% [markdown]
# # My own game
#
# Write the rules of a game in a few lines, and ask about it what can be asked of any other. It runs as a script
# (`python scripts/own_game.py`) and opens as a notebook where percent cells do.
#
# *Double or stay*: throw a die up to four times. Before each throw but the first you may stay with the last one; a throw
# that equals the one before it counts double, and ends your turn.

# %%
from collections.abc import Iterator

import gametheory as gt

# %% [markdown]
# ## The rules
#
# A state is all that matters later: the throws that are left, and the last face. `rolls` says what can come up and in how
# many ways, `moves` what can be done with it: what it is called, the state it leads to, the points it makes.


# %%
class DoubleOrStay:
    """Throw up to four times; the last throw counts, a repeated one double."""

    name = "double or stay"
    about = "Throw a die up to four times, stay when you like; a face that comes again counts double and ends the turn."
    start = (4, 0)

    def rolls(self, state: tuple[int, int]) -> list[tuple[int, int]]:
        """Give every face with its number of ways; none once the game is over."""
        return [(face, 1) for face in range(1, 7)] if state[0] else []

    def moves(self, state: tuple[int, int], face: int) -> Iterator[tuple[str, tuple[int, int], int]]:
        """Give what can be done with a throw."""
        throws, last = state
        if face == last:
            yield "double", (0, 0), 2 * face
            return
        yield "stay", (0, 0), face
        if throws > 1:
            yield "throw again", (throws - 1, face), 0


# %% [markdown]
# ## Are they in order?
#
# `check` plays at random and walks through all states.

# %%
found = gt.check(DoubleOrStay())
print(found)
assert not found.trouble

# %% [markdown]
# ## What is it worth?

# %%
solved = gt.solve(DoubleOrStay())
print(f"{solved.headline()['expected_score']:.4f} points on average; the first player wins {solved.first_player_value:.4f}.")

# %% [markdown]
# ## Must one think about the other player?
#
# The second player knows what there is to beat. What playing for points gives away against a 6, and where it gives most.

# %%
apart = gt.diff(solved, target=6)
print(f"Playing for points costs {apart.win_probability_lost:.4f} of the games against a 6.")
for sentence in apart.sentences(apart.top(3)):
    print(f"- {sentence}")

# %% [markdown]
# ## Is skill rewarded?

# %%
table = gt.compare(solved, ["win", "score", "random"])
print(table)
value = table.first_value()
assert value[0, 2] > value[2, 2] > value[2, 0]

# %% [markdown]
# ## What makes it fair?

# %%
print(gt.fair(solved).advice)
