/** Table UI of BPMs Per Minute: a club at two in the night. */
import type { TableUi } from '$lib/contract';
import Backdrop from './art/Backdrop.svelte';
import Board from './board/Board.svelte';
import { BpmModel } from './model/model.svelte';
import { places, targets } from './model/places';
import { presets } from './model/presets';
import PlayerStatus from './panels/PlayerStatus.svelte';
import Ending from './panels/Ending.svelte';
import Hand from './hand/Hand.svelte';
import { handLine } from './hand/hand_line';
import Inspector from './panels/Inspector.svelte';
import LineUp from './panels/LineUp.svelte';
import TvOverlay from './board/Overlay.svelte';
import Mark from './art/Mark.svelte';
import Piece from './art/Piece.svelte';
import Scores from './panels/Scores.svelte';
import SeatCard from './panels/SeatCard.svelte';
import TvStory from './panels/TvStory.svelte';
import './palette.css';
import sheet from './sheet.svg?raw';
import { sounds } from './animation/sounds';
import { animate } from './animation/animate';
import { isReplaceable } from './model/replaceable';
import { tvCaption, tvPrompt } from './model/tv_words';
import type { Action, BpmTable, Event, View } from './model/wire';

function subtitle(table: BpmTable): string {
  const { round, rounds } = table.view;
  if (!round) return table.t('table.setup');
  if (round > rounds) return table.t('table.extra', { round: round - rounds });
  return table.t('table.round', { round, rounds });
}

/** The prompt during animations: the Drop, then whose song is played. */
function prompt(table: BpmTable, { drop, combo, reveal, view, song }: BpmModel): string | null {
  if (reveal) return table.t('web.prompt.quests');
  if (combo) return table.t('web.prompt.combo', { name: table.name(combo.seat), points: combo.points });
  if (drop) return table.t(drop.count ? 'web.prompt.drop' : 'web.prompt.out', { round: view.round });
  return song && view.turn !== null
    ? table.t('web.prompt.song', { name: table.name(view.turn), title: song.title })
    : null;
}

const ui: TableUi<View, Action, Event, BpmModel> = {
  key: 'bpm',
  sheet,
  model: (table) => new BpmModel(table),
  subtitle,
  Backdrop,
  SeatCard,
  SeatNote: PlayerStatus,
  Mark,
  Piece,
  Board,
  Hand,
  Inspector,
  panels: [
    { key: 'songs', icon: 'play', part: LineUp },
    { key: 'scores', icon: 'crown', part: Scores },
  ],
  Ending,
  TvStory,
  storyLine: (table) =>
    table.t('web.finale.line', { count: table.view.superfans.flat().length, round: table.view.round }),
  scores: (view) => view.points.map(({ superfans, quest }) => superfans + quest),
  places,
  targets,
  isReplaceable,
  awaitedSeats: ({ actors, view }) => actors.filter((seat) => !view.sealed[seat]?.done),
  focusTarget: (_, club) => club.next,
  handLine,
  phase: ({ round, phase, turn }) => `${round} ${phase} ${turn}`,
  prompt,
  isSynchronised: ({ type }) => type === 'SongsDropped',
  tvPrompt: (table, _, people) => tvPrompt(table, people),
  tvCaption,
  TvOverlay,
  animate,
  presets,
  sounds,
};

export default ui;
