/** Types of the protocol, generated from the server's. Views, actions and events belong to each game's table UI. */
import type { DecodedGroup } from '$lib/actions';
import type { Painting, Tagged } from '$lib/contract';
import type * as Wire from '$types/wire';

export type CourseKind = Wire.LessonInfo['course'];
export type Level = 'rookie' | 'regular' | 'sharp' | 'star' | 'champion';
export type { BotInfo, ClockInfo, HouseRules, ChatMessage, PersonInfo, UndoInfo, You } from '$types/wire';

export interface TableInfo extends Omit<Wire.TableInfo, 'options'> {
  options: Record<string, unknown>;
}

/** A table's state after a change; options that can't change any more are left out. */
export type TableChange = Omit<TableInfo, 'options'> & Partial<Pick<TableInfo, 'options'>>;

/** The answer of `GET /tables/{code}`: a table's state without joining it. */
export interface TableResponse extends TableInfo, Pick<Wire.TableDetails, 'you' | 'outcome' | 'touched' | 'device'> {
  actors: (number | string)[];
}

/** A position on the wire, with encoded legal actions. */
export interface RawPosition extends Omit<Wire.Position, 'view' | 'actors' | 'painting'> {
  view: unknown;
  painting?: Painting;
  actors: (number | string)[];
}

/** A position with its legal actions decoded. */
export interface Position extends Omit<RawPosition, 'legal'> {
  legal: DecodedGroup[];
}

export interface StepInfo extends Omit<Wire.StepInfo, 'events'> {
  events: Tagged[];
}

/** The result of a move tried in a worked example. */
export interface TrialResult extends Omit<Wire.TrialResult, 'events' | 'position' | 'next'> {
  events: Tagged[];
  position: RawPosition | null;
  next: Tagged | null;
}
export type ExampleCard = Omit<Wire.ExampleCard, 'begins'> & { begins: TrialResult };
export type Examples = Omit<Wire.Examples, 'examples'> & { examples: ExampleCard[] };

type Decoded<Frame> = Omit<Frame, 'position' | 'actions' | 'table' | 'missed' | 'events' | 'change' | 'check'>;
export type Welcome = Decoded<Wire.Welcome> & {
  position: Position | null;
  table: TableInfo;
  missed: StepInfo[] | null;
};
export type Update = Omit<Decoded<Wire.Update>, 'at'> & {
  position: Position;
  events: Tagged[];
  due?: number | null; // when all devices animate the synchronised events, by performance.now()
};

/** An update on the wire: with the whole position, or a delta to the one before. */
export interface RawUpdate extends Omit<Update, 'position' | 'due'>, Pick<Wire.Update, 'change' | 'check' | 'at'> {
  position: RawPosition | null;
}

/** A welcome on the wire. */
export interface RawWelcome extends Omit<Welcome, 'position'>, Pick<Wire.Welcome, 'actions'> {
  position: RawPosition | null;
}

export interface Refusal extends Pick<Wire.Error, 'code' | 'sentence'> {
  detail?: { rule?: string } | null;
}

export type Refused = Pick<Wire.Error, 'type' | 'id'> & Refusal;
export type Why = Omit<Wire.WhyNot, 'detail'> & Pick<Refusal, 'detail'>;
export type Previewed = Decoded<Wire.Previewed> & { events: Tagged[] };
export type Hint = Wire.Hint;
export type HintMove = Wire.MoveText;
export type AnalysisInfo = Wire.AnalysisInfo;
export type Answer = Wire.Ack | Refused | Previewed | Hint | Why | Wire.Pong;

export type TableFrame =
  | Welcome
  | Update
  | (Decoded<Wire.TableChanged> & { table: TableChange })
  | Wire.ClockChanged
  | Wire.Chat
  | Wire.Nudged
  | Wire.Bye;
export type Frame = Exclude<TableFrame, Update | Welcome> | RawUpdate | RawWelcome | Answer;

type WithoutId<Message> = Message extends unknown ? Omit<Message, 'id'> : never;
type ActionRequest = Wire.Act | Wire.AskPreview | Wire.AskWhyNot;

/** A request of the client; the connection adds the id. */
export type TableRequest =
  WithoutId<Exclude<Wire.ClientMessage, Wire.Hello | ActionRequest>> | { type: ActionRequest['type']; action: Tagged };

/** A message as it is sent. */
export type ClientMessage = Wire.Hello | (TableRequest & { id: string });

/** Sends requests and returns their answers: the WebSocket connection, or a recording. */
export interface Transport {
  readonly state: 'connecting' | 'open' | 'lost' | 'refused';
  readonly restarting: boolean; // the server announced a short restart
  request(message: TableRequest): Promise<Answer>;
  reconnect(): void; // connect again, with the current identity
}
