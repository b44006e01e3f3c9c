/** Sends actions one after another, each once the previous one is answered. */
import { until } from './wait_until.svelte';
import type { Action, Table } from './wire';

export class ActionQueue {
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly table: Table) {}

  /** Send the action found among the offers when its turn comes, if it is still legal. */
  send(find: () => Action | null | undefined): Promise<boolean> {
    const began = this.moment();
    const sent = this.last.then(async () => {
      await until(() => this.table.canAct || this.moment() !== began);
      const action = this.moment() === began ? find() : null;
      return action ? this.table.act(action) : false;
    });
    this.last = sent.catch(() => undefined);
    return sent;
  }

  private moment(): string {
    return `${this.table.view.jumprun} ${this.table.view.phase}`;
  }
}
