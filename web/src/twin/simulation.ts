/** Complete games of one set-up, one per row, as in fast/simulate.py: the same seed plays the same games. */
import type { TwinArray, TwinModule } from './module';

export class Simulation {
  readonly masks: TwinArray;
  readonly smalls: TwinArray;
  readonly chance: TwinArray;
  readonly moves: TwinArray;
  private readonly table: TwinArray;
  private readonly scratch: TwinArray;

  constructor(
    private readonly twin: TwinModule,
    readonly games: number,
    table: Uint8Array,
  ) {
    const { MASKS, SMALLS, CHANCE, SCRATCH } = twin.description.sizes;
    this.masks = twin.array('i8', [games, MASKS]);
    this.smalls = twin.array('i2', [games, SMALLS]);
    this.chance = twin.array('i8', [games, CHANCE]);
    this.moves = twin.array('i8', [games]);
    this.scratch = twin.array('f8', [Math.max(SCRATCH, 1)]);
    this.table = twin.array('i8', [table.length / 8], table);
  }

  /** Set all games up. */
  begin(seed: number): void {
    this.twin.call('begin_rows', ...this.rows, seed, 0, this.games);
  }

  /** Play every game to its end, and return the total number of moves. */
  finish(greedy: boolean): number {
    const scratch = greedy ? [this.scratch] : [];
    this.twin.call(greedy ? 'greedy_rows' : 'finish_rows', ...this.rows, ...scratch, this.moves, 0, this.games);
    return (this.moves.values as BigInt64Array).reduce((sum, moves) => sum + Number(moves), 0);
  }

  private get rows(): TwinArray[] {
    return [this.masks, this.smalls, this.chance, this.table];
  }
}
