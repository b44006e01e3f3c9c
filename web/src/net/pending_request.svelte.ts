/** A request made by a button: busy until it is answered, with the error message if it failed. */
import { errorText } from '$lib/table/refusals';
import { refusalOf } from './api';

export class PendingRequest {
  busy = $state(false);
  problem = $state('');

  /** Run the request; true if it succeeded. */
  async run(task: () => Promise<unknown>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.problem = '';
    try {
      await task();
      return true;
    } catch (error) {
      this.problem = errorText(refusalOf(error));
      return false;
    } finally {
      this.busy = false;
    }
  }
}
