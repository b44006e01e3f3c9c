/** Short names for BPM's generated wire types. */
import type { TableUiProps, Scene, TableModel } from '$lib/contract';
import type { BpmAction, BpmEvent, BpmSwapDancers, BpmView } from '$types/wire';
import type { BpmModel } from './model.svelte';

export type {
  BpmDancer as Dancer,
  BpmOpening as Opening,
  BpmProspect as Prospect,
  BpmSong as Song,
  BpmSpot as Spot,
} from '$types/wire';

export type Cell = string;
export type View = BpmView;
export type Action = BpmAction;
export type Event = BpmEvent;
export type Swap = BpmSwapDancers;
export type CellAction = Exclude<Extract<Action, { cell: Cell }>, Swap>;
export type EventOf<K extends Event['type']> = Extract<Event, { type: K }>;

export type BpmTable = TableModel<View, Action, Event>;
export type BpmScene = Scene<View>;
export type Props = TableUiProps<View, Action, Event, BpmModel>;
