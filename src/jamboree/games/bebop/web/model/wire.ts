/** Short names for Bebop's generated wire types. */
import type { TableUiProps, TableModel } from '$lib/contract';
import type { BebopAction, BebopBookSeat, BebopClaimSeat, BebopEvent, BebopView } from '$types/wire';
import type { BebopModel } from './model.svelte';

export type {
  BebopDie as Die,
  BebopFamily as Family,
  BebopFamilyLead as FamilyLead,
  BebopHand as Hand,
  BebopKnownDie as KnownDie,
  BebopStageLead as StageLead,
  BebopStageSeen as Stage,
  BebopSeatTile as Tile,
  BebopToken as Token,
} from '$types/wire';
export type View = BebopView;
export type Action = BebopAction;
export type Event = BebopEvent;
export type Claim = BebopClaimSeat;
export type Booking = BebopBookSeat;
export type Table = TableModel<View, Action, Event>;
export type Props = TableUiProps<View, Action, Event, BebopModel>;
export type EventOf<T extends Event['type']> = Extract<Event, { type: T }>;

export const COLOURS = ['green', 'aqua', 'purple', 'red', 'yellow'];
export const FEATURES = ['keys', 'brass', 'percussion'];
export const SPECIALS = ['vip', 'double', 'backstage', 'insta', 'boot'];
export const HAND = 3; // dice
export const OPEN_MAX = 3; // open seats of a player
export const CHAIRS = ['white', 'black', 'orange', 'pink'];
