/** Short names for Boogie's generated wire types. */
import type { TableModel } from '$lib/contract';
import type { BoogieAction, BoogieEvent, BoogieView } from '$types/wire';

export type {
  BoogieAction as Action,
  BoogieEvent as Event,
  BoogieView as View,
  BoogieJump as Jump,
  BoogieJumpSeen as JumpSeen,
  BoogieJury as Jury,
  BoogieLaid as Laid,
  BoogiePlayCard as PlayCard,
  BoogiePromised as Promised,
  BoogieTerm as Term,
  BoogieTurned as Turned,
} from '$types/wire';

export type Table = TableModel<BoogieView, BoogieAction, BoogieEvent>;
