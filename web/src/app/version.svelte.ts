/** The build of this page, and whether the server runs a newer one. */
import { fileUrl, request } from '$lib/urls';

const OFTEN = 60_000; // minimum ms between two unrequested checks
const TRIED = 'jamboree.reloaded-for'; // the build this tab was last reloaded for

class Version {
  readonly own = document.querySelector<HTMLMetaElement>('meta[name=build]')?.content ?? ''; // none in development
  newer = $state(''); // the server's build, if different
  private looked = 0;

  /** Check the server's build, rate-limited unless there is a reason. */
  async check(reason = false): Promise<void> {
    if (!this.own || (!reason && Date.now() - this.looked < OFTEN)) return;
    this.looked = Date.now();
    const { build } = await request(fileUrl('build.json'), { cache: 'no-store' }).then(
      (answer) => (answer.ok ? (answer.json() as Promise<{ build: string }>) : { build: this.own }),
      () => ({ build: this.own }),
    );
    this.newer = build === this.own ? '' : build;
  }

  /** Check after a reconnection, and reload before anybody plays with an old page. */
  async catchUp(): Promise<void> {
    await this.check(true);
    this.reload();
  }

  /** Reload, once per build. */
  reload(): void {
    if (!this.newer || before() === this.newer) return;
    try {
      sessionStorage.setItem(TRIED, this.newer);
    } catch {
      return; // without session storage a reload could loop
    }
    location.reload();
  }
}

function before(): string | null {
  try {
    return sessionStorage.getItem(TRIED);
  } catch {
    return null;
  }
}

export const version = new Version();
