/** Whether the server is reachable, by its last answer. */
import { FROM_HERE } from './worker_protocol';
import { version } from './version.svelte';

class Server {
  away = $state(false);

  /** Note what came of a request: an answer, one that was kept here, or none. */
  note(answer: Response | null): void {
    const away = !answer || answer.headers.has(FROM_HERE);
    if (this.away && !away) void version.catchUp();
    this.away = away;
  }
}

export const server = new Server();
