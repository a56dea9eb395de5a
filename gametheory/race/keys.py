"""The keys of a rules file of a race: what they mean, and what a game might be taken for that it is not."""

from __future__ import annotations

from ..rulefile import ABOUT, NAME, Key, like
from .rules import RaceGame

KEYS = (
    NAME,
    ABOUT,
    like('"ten-thousand"'),
    Key("dice", "How many dice are thrown at the start of a turn.", "6"),
    Key("sides", "How many sides each die has.", "6"),
    Key("goal", "The score that wins: who banks to it or past it has won.", "10000"),
    Key("singles", "What one die by itself is worth, by face; faces that are not said score nothing.", "{1 = 100, 5 = 50}"),
    Key(
        "three_of_a_kind",
        "What three dice of a face are worth together, by face.",
        "{1 = 1000, 2 = 200}",
        "three of a kind are worth no more than singly",
    ),
    Key(
        "more_of_a_kind",
        'What a fourth, fifth, ... die of the kind does: "double" the points each, "add" those of three each, "none" of its '
        "own, or a list of the points of four, five, ... of a kind, whatever the face.",
        '"double"',
        "none",
    ),
    Key("straight", "What one die of every face is worth; 0: nothing of its own.", "2000", "0"),
    Key("three_pairs", "What three pairs of different faces are worth; 0: nothing of their own.", "1500", "0"),
    Key("two_triplets", "What two times three of a kind are worth, of different faces.", "2500", "no more than singly"),
    Key("four_and_pair", "What four of a kind with a pair are worth.", "1500", "no more than singly"),
    Key("sets", "Further sets that score: faces run together, and their points.", "{12345 = 500, 23456 = 750}", "none"),
    Key("nothing", "What a throw of all dice in which nothing scores is worth; it is no bust then.", "500", "a bust"),
    Key("keep_all", "Whether all dice of a throw must be kept; one that does not score makes it a bust.", "true", "false"),
    Key("minimum", "Every bank must be at least so many points.", "350", "any points may be banked"),
    Key("opening", "The first points that a player banks must be at least so many in one turn.", "1000", "0"),
    Key(
        "hot_dice",
        "Whether a player who has kept all dice may throw all of them again; if not, the turn ends with a bank.",
        "false",
        "true",
    ),
    Key("bust_faces", "Faces any one of which busts the whole throw.", "[1]", "none"),
    Key("bust", 'What a bust costs: "turn", the points of the turn and no more.', '"turn"', "turn"),
    Key(
        "bust_all",
        'What a throw of nothing but bust faces costs: "turn", or "score", the whole score.',
        '"turn"',
        "turn",
    ),
    Key(
        "three_busts",
        'What the third turn in a row that banks nothing costs: points, or "score", the whole score. A bank or the '
        "penalty starts the count anew.",
        "500",
        "nothing",
    ),
    Key("lowest", "How low three busts can bring a score, 0 or less.", "0", "0"),
    Key(
        "exact",
        "Whether the goal must be hit: a keep past it may not be made, and a throw that leaves no other is a bust.",
        "true",
        "false",
    ),
    Key(
        "last_round",
        "Whether the other player has one more turn to beat the score of who has reached the goal; for ties see --tie.",
        "true",
        "false",
    ),
    Key("pass_dice", "Whether the next player may go on with the dice that are left: not played here.", "false", "false"),
)


def remark(game: RaceGame) -> str:
    """Say in a sentence what a game might be taken for and is not; nothing for most."""
    pig = game.bust_faces == (1,) and game.singles[:1] == (0,) and not game.three_of_a_kind and not game.keep_all
    if pig and game.dice == 2:
        return "This is not the game of Two-Dice Pig: there both dice always count, and two ones lose the whole score."
    return ""
