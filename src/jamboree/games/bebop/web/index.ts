/** Bebop's face. */
import type { Face } from '$lib/contract';
import Backdrop from './Backdrop.svelte';
import Board from './Board.svelte';
import { parseBoard } from './board';
import Ending from './Ending.svelte';
import FamiliesPanel from './FamiliesPanel.svelte';
import Hand from './Hand.svelte';
import Inspector from './Inspector.svelte';
import Mark from './Mark.svelte';
import { Model } from './model.svelte';
import { presets } from './presets';
import SeatCard from './SeatCard.svelte';
import sheet from './sheet.svg?raw';
import { sounds } from './sounds';
import StagesPanel from './StagesPanel.svelte';
import { tell } from './tell';
import type { Action, Event, Table, View } from './types';

const face: Face<View, Action, Event, Model> = {
  key: 'bebop',
  sheet,
  model: (table: Table) => new Model(table),
  subtitle: ({ view }: Table) => parseBoard(view.board, view.seats).name,
  Backdrop,
  SeatCard,
  Mark,
  Board,
  Hand,
  Inspector,
  panels: [
    { key: 'stages', icon: 'play', part: StagesPanel },
    { key: 'families', icon: 'crown', part: FamiliesPanel },
  ],
  Ending,
  scores: ({ points }: View) => points.map((own) => own.families + own.stages + own.majorities),
  tell,
  presets,
  sounds,
};

export default face;
