/** Boogie Beasts at a table in the browser. */
import type { Face } from '$lib/contract';
import Backdrop from './Backdrop.svelte';
import Board from './Board.svelte';
import Ending from './Ending.svelte';
import Hand from './Hand.svelte';
import Inspector from './Inspector.svelte';
import Mark from './Mark.svelte';
import { Boogie } from './model.svelte';
import Promises from './Promises.svelte';
import Scores from './Scores.svelte';
import SeatCard from './SeatCard.svelte';
import sheet from './sheet.svg?raw';
import { sounds } from './sounds';
import { tell } from './story';
import type { Action, Event, View } from './wire';

const face: Face<View, Action, Event, Boogie> = {
  key: 'boogie',
  sheet,
  model: (table) => new Boogie(table),
  subtitle: (table) => table.t('table.title', { jumprun: table.view.jumprun, jumpruns: table.view.jumpruns }),
  Backdrop,
  SeatCard,
  Mark,
  Board,
  Hand,
  Inspector,
  seatsOnBoard: true,
  panels: [
    { key: 'scores', icon: 'crown', part: Scores },
    { key: 'promises', icon: 'check', part: Promises },
  ],
  Ending,
  scores: (view) => view.hands.map((_, seat) => view.points.reduce((sum, run) => sum + (run[seat] ?? 0), 0)),
  tell,
  prompt: (table, model) => model.prompt(table),
  sounds,
};

export default face;
