/** The face of BPMs Per Minute: a club at two in the night. */
import type { Face } from '$lib/contract';
import Backdrop from './Backdrop.svelte';
import Board from './Board.svelte';
import { Club } from './club.svelte';
import { presets } from './crates';
import Ending from './Ending.svelte';
import Hand from './Hand.svelte';
import Inspector from './Inspector.svelte';
import LineUp from './LineUp.svelte';
import Mark from './Mark.svelte';
import Scores from './Scores.svelte';
import SeatCard from './SeatCard.svelte';
import sheet from './sheet.svg?raw';
import { sounds } from './sounds';
import { tell } from './telling';
import type { Action, BpmTable, Event, View } from './wire';

function subtitle(table: BpmTable): string {
  const { round, rounds } = table.view;
  if (!round) return table.t('table.setup');
  if (round > rounds) return table.t('table.extra', { round: round - rounds });
  return table.t('table.round', { round, rounds });
}

/** What is told while it is told: the Drop, then whose song it is. */
function prompt(table: BpmTable, { drop, view, song }: Club): string | null {
  if (drop) return table.t(drop.count ? 'web.prompt.drop' : 'web.prompt.out', { round: view.round });
  return song && view.turn !== null
    ? table.t('web.prompt.song', { name: table.name(view.turn), title: song.title })
    : null;
}

const face: Face<View, Action, Event, Club> = {
  key: 'bpm',
  sheet,
  model: (table) => new Club(table),
  subtitle,
  Backdrop,
  SeatCard,
  Mark,
  Board,
  Hand,
  Inspector,
  panels: [
    { key: 'songs', icon: 'play', part: LineUp },
    { key: 'scores', icon: 'crown', part: Scores },
  ],
  Ending,
  scores: (view) => view.points.map(({ superfans, quest }) => superfans + quest),
  prompt,
  tell,
  presets,
  sounds,
};

export default face;
