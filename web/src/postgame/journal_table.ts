/** A stand-in table for a journal that was sent in. */
import type { PersonInfo } from '$types/wire';
import type { WatchedJournal } from '../net/api';
import type { TableResponse } from '../net/wire';

/** Only the fields that a replay reads; nobody can join this table. */
export function tableOf({ game, rules, seats, names, options, outcome }: WatchedJournal): TableResponse {
  const people = names.map((name, seat) => ({ person: `p${seat + 1}`, name, seat, bot_plays: false }) as PersonInfo);
  const looks = names.map((_, seat) => seat);
  const you = { person: null, seat: null };
  const known = {
    table: '',
    status: 'finished',
    game,
    rules,
    seats,
    people,
    bots: [],
    avatars: looks,
    you,
    actors: [],
    outcome,
  };
  return { ...known, options, lesson: null, paused: 'no' } as unknown as TableResponse;
}
