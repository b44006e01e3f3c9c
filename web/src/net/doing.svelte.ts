/** Something that was asked of the server by a button: it is busy until it is done, and says what went wrong. */
import { worded } from '$lib/table/refusals';
import { refusalOf } from './api';

export class Doing {
  busy = $state(false);
  problem = $state('');

  /** Do it; true when it was granted. */
  async run(task: () => Promise<unknown>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.problem = '';
    try {
      await task();
      return true;
    } catch (error) {
      this.problem = worded(refusalOf(error));
      return false;
    } finally {
      this.busy = false;
    }
  }
}
