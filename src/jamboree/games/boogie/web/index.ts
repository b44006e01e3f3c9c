/** Table UI of Boogie Beasts. */
import type { TableUi } from '$lib/contract';
import Backdrop from './art/Backdrop.svelte';
import Board from './board/Board.svelte';
import PlayerStatus from './panels/PlayerStatus.svelte';
import Ending from './panels/Ending.svelte';
import Hand from './hand/Hand.svelte';
import { handLine } from './hand/hand_line';
import Inspector from './panels/Inspector.svelte';
import TvJury from './board/jury/tv/TvJury.svelte';
import Mark from './art/Mark.svelte';
import Piece from './art/Piece.svelte';
import { BoogieModel } from './model/model.svelte';
import Promises from './panels/Promises.svelte';
import Scores from './panels/Scores.svelte';
import SeatCard from './panels/SeatCard.svelte';
import TvStory from './panels/TvStory.svelte';
import './palette.css';
import sheet from './sheet.svg?raw';
import { sounds } from './animation/sounds';
import { animate } from './animation/animate';
import { explains, jumpOf, places, targets } from './model/places';
import { tvCaption, tvClock, tvPrompt } from './model/tv_words';
import type { Action, Event, View } from './model/wire';

const ui: TableUi<View, Action, Event, BoogieModel> = {
  key: 'boogie',
  sheet,
  model: (table) => new BoogieModel(table),
  subtitle: (table) => table.t('table.title', { jumprun: table.view.jumprun, jumpruns: table.view.jumpruns }),
  Backdrop,
  SeatCard,
  SeatNote: PlayerStatus,
  Mark,
  Piece,
  Board,
  Hand,
  Inspector,
  seatsOnBoard: true,
  panels: [
    { key: 'scores', icon: 'crown', part: Scores },
    { key: 'promises', icon: 'check', part: Promises, count: (_, model: BoogieModel) => model.deals.waiting.length },
  ],
  Ending,
  TvStory,
  storyLine: (table) =>
    table.t('web.finale.line', {
      jumpruns: table.t('web.finale.jumpruns', { count: table.view.jumpruns }),
      beasts: table.t('web.finale.beasts', { count: table.seats }),
    }),
  scores: (view) => view.hands.map((_, seat) => view.points.reduce((sum, run) => sum + (run[seat] ?? 0), 0)),
  places: (event, model) => places(event, model.isGone(event)),
  explains,
  targets,
  reveal: (event, model) => model.turnTo(jumpOf(event), event),
  animate,
  waitsForViewer: ({ type }) => type === 'CardsTurned', // the jury
  isSynchronised: ({ type }) => type === 'PullCalled' || type === 'CardsTurned',
  awaitedSeats: ({ actors, view }) => actors.filter((seat) => !view.ready.includes(seat)),
  handLine,
  phase: ({ jumprun, phase }) => `${jumprun} ${phase}`,
  isUnhurried: ({ phase }) => phase === 'preparation', // the minute between two planes
  prompt: (table, model) => model.prompt(table),
  tvPrompt: (table, _, people) => tvPrompt(table, people),
  tvCaption,
  tvClock,
  tvPoints: (_, model) => model.jury.points,
  tvScene: ({ view }, { scene, jury }) => (scene === 'jury' && (jury.playing || view.phase !== 'over') ? TvJury : null),
  sounds,
};

export default ui;
