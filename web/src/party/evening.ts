/** The score of a party's evening: one point for everybody you beat, over all its games. */
import type { Outcome, Seat } from '$lib/contract';
import { ranking, type Ranked } from '$lib/table/ranking';
import type { TableInfo } from '../net/wire';

export interface Standing {
  person: string;
  name: string;
  seat: Seat | null;
  points: (number | 'watched' | null)[]; // by game; null: not there yet
  total: number;
  played: boolean; // a spectator has no points, not zero points
}

/** Everybody who has played or watched and is still known at the table, the best first. */
export function standings({ evening, people }: TableInfo): Standing[] {
  const all = people.map(({ person, name, seat }): Standing => {
    const points = evening.map(
      (game) => game.points[person] ?? (game.watched.includes(person) ? ('watched' as const) : null),
    );
    const total = points.reduce<number>((sum, one) => sum + (Number(one) || 0), 0);
    return { person, name, seat, points, total, played: points.some((one) => typeof one === 'number') };
  });
  const there = all.filter(({ points }) => points.some((one) => one !== null));
  return there.sort((one, other) => other.total - one.total || Number(other.played) - Number(one.played));
}

/** The people with the most points; empty while all have zero. */
export function leaders(all: Standing[]): Standing[] {
  const best = all[0]?.total ?? 0;
  return best ? all.filter(({ total }) => total === best) : [];
}

export interface Step {
  place: number;
  players: Ranked[]; // several if they share the place
}

const ON_A_STEP = 3;

/** The three steps of a podium with shared places, and the others in their order. */
export function podium(outcome: Outcome): { steps: Step[]; rest: Ranked[] } {
  const ranked = ranking(outcome);
  const placeOf = ({ won, score }: Ranked): number =>
    won ? 1 : 1 + ranked.filter((other) => other.won || other.score > score).length;
  const steps = [1, 2, 3].map((place) => {
    const players = ranked.filter((one) => placeOf(one) === place);
    return { place, players: place === 1 ? players : players.slice(0, ON_A_STEP) };
  });
  const up = new Set(steps.flatMap(({ players }) => players));
  return { steps: steps.filter(({ players }) => players.length), rest: ranked.filter((one) => !up.has(one)) };
}

/** How many people of a party a game has seats for: those who fit and those who would watch. */
export function fits(people: number, [, most]: [number, number]): { play: number; watch: number } {
  return { play: Math.min(people, most), watch: Math.max(0, people - most) };
}

/** The people who come along to the next game: players who have not left, and spectators who are there. */
export function party({ people }: TableInfo): TableInfo['people'] {
  return people.filter((one) => !one.left && (one.seat !== null || one.connected));
}
