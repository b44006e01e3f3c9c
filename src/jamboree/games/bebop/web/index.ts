/** Table UI of Bebop. */
import type { TableUi } from '$lib/contract';
import Backdrop from './art/Backdrop.svelte';
import Board from './board/Board.svelte';
import Ending from './panels/Ending.svelte';
import FamiliesPanel from './panels/FamiliesPanel.svelte';
import Hand from './hand/Hand.svelte';
import { handLine } from './hand/hand_line';
import Inspector from './panels/Inspector.svelte';
import Mark from './art/Mark.svelte';
import Piece from './art/Piece.svelte';
import { BebopModel } from './model/model.svelte';
import { places, targets } from './model/places';
import { presets } from './model/presets';
import SeatCard from './panels/SeatCard.svelte';
import TvStory from './panels/TvStory.svelte';
import './palette.css';
import sheet from './sheet.svg?raw';
import { sounds } from './animation/sounds';
import StagesPanel from './panels/StagesPanel.svelte';
import Tokens from './panels/Tokens.svelte';
import TvColumn from './panels/TvColumn.svelte';
import TvLastMove from './panels/TvLastMove.svelte';
import TvRatings from './panels/TvRatings.svelte';
import { animate } from './animation/animate';
import { tvPrompt } from './model/tv_words';
import type { Action, Event, Table, View } from './model/wire';

const ui: TableUi<View, Action, Event, BebopModel> = {
  key: 'bebop',
  sheet,
  model: (table: Table) => new BebopModel(table),
  subtitle: ({ view }: Table) => view.festival.name,
  Backdrop,
  SeatCard,
  SeatNote: Tokens,
  Mark,
  Piece,
  Board,
  Hand,
  handForAll: true, // the queue
  Inspector,
  seatsAbove: (_, model) => model.stretched,
  panels: [
    { key: 'stages', icon: 'play', part: StagesPanel },
    { key: 'families', icon: 'crown', part: FamiliesPanel },
  ],
  Ending,
  tvPrompt: (table, _, people) => tvPrompt(table, people),
  TvStory,
  TvHeader: TvRatings,
  TvLastMove,
  TvPanel: TvColumn,
  scores: ({ points }: View) => points.map((own) => own.families + own.stages + own.majorities),
  highlight: (events, model) => {
    const hexes = events.flatMap((event) => model.hexesOf(event));
    const paying = events.flatMap((event) => (event.type === 'FamilyScored' ? event.matching : []));
    model.light(hexes, paying);
    return hexes.length > 0;
  },
  places,
  targets,
  isOpenInformation: (view: View) => !view.hidden_hands,
  focusTarget: (_, model) => model.next,
  handLine,
  prompt: (_, model) => model.scene?.title ?? null,
  animate,
  presets,
  sounds,
};

export default ui;
