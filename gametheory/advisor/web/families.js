// The families of games, each by the name that the data call it: the one place that knows them all.

import { data } from "./data.js";
import { Own } from "./own.js";
import { Pool } from "./pool.js";
import { Race } from "./race.js";

const FAMILIES = { own: Own, pool: Pool, race: Race };

/** The games of the page by their names, in the order they came in. */
export const games = new Map(Object.entries(data.games).map(([name, game]) => [name, new FAMILIES[game.family](game)]));
