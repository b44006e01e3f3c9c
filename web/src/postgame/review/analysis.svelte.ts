/** Client of a game analysis: start, poll, stop. */
import { errorText } from '$lib/table/refusals';
import { settings } from '$lib/settings.svelte';
import { api, refusalOf } from '../../net/api';
import type { AnalysisInfo } from '../../net/wire';

const AGAIN = 1500; // ms
const AT_FIRST = 400; // ms, until the first result
const LOST: AnalysisInfo['state'][] = ['none', 'interrupted']; // state after a server restart

export class GameReview {
  found = $state.raw<AnalysisInfo | null>(null);
  problem = $state('');
  seat = $state<number | null>(null); // seat whose turning points are shown; null: mine
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly code: string) {}

  get going(): boolean {
    return this.found?.state === 'working' || this.found?.state === 'waiting';
  }

  async load(): Promise<void> {
    clearTimeout(this.timer);
    await this.pending(async () => {
      const { going } = this;
      this.found = await api.analysis(this.code, settings.language, this.seat);
      if (going && LOST.includes(this.found.state)) await this.begin();
    });
    const again = this.found?.state === 'working' && !this.found.steps ? AT_FIRST : AGAIN;
    if (this.going) this.timer = setTimeout(() => void this.load(), again);
  }

  begin(): Promise<void> {
    return this.pending(async () => {
      await api.analyse(this.code);
      await this.load();
    });
  }

  stop(): Promise<void> {
    return this.pending(async () => {
      await api.stopAnalysis(this.code);
      await this.load();
    });
  }

  choose(seat: number): void {
    this.seat = seat;
    void this.load();
  }

  end(): void {
    clearTimeout(this.timer);
  }

  private async pending(run: () => Promise<void>): Promise<void> {
    this.problem = '';
    try {
      await run();
    } catch (error) {
      this.problem = errorText(refusalOf(error));
    }
  }
}
