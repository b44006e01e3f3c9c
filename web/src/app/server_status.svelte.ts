/** Whether the server is reachable, by its last answer. */
import { CACHED_HEADER } from './worker_protocol';
import { version } from './version.svelte';

class Server {
  away = $state(false);

  /** Record the result of a request: an answer, a cached answer, or none. */
  note(answer: Response | null): void {
    const away = !answer || answer.headers.has(CACHED_HEADER);
    if (this.away && !away) void version.catchUp();
    this.away = away;
  }
}

export const server = new Server();
