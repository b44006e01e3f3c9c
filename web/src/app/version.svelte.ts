/** The build of this page, and whether the server runs a newer one. */
import { fileUrl, request } from '$lib/urls';

const OFTEN = 60_000; // ms between two looks that nobody asked for
const TRIED = 'jamboree.reloaded-for'; // the build that this tab was last loaded anew for

class Version {
  readonly own = document.querySelector<HTMLMetaElement>('meta[name=build]')?.content ?? ''; // none in development
  newer = $state(''); // the build of the server, if it is another
  private looked = 0;

  /** Ask the server for its build; not every minute, unless there is a reason to. */
  async check(reason = false): Promise<void> {
    if (!this.own || (!reason && Date.now() - this.looked < OFTEN)) return;
    this.looked = Date.now();
    const { build } = await request(fileUrl('build.json'), { cache: 'no-store' }).then(
      (answer) => (answer.ok ? (answer.json() as Promise<{ build: string }>) : { build: this.own }),
      () => ({ build: this.own }),
    );
    this.newer = build === this.own ? '' : build;
  }

  /** After a server has been away it may be another: such a page is loaded anew before anybody plays with it. */
  async catchUp(): Promise<void> {
    await this.check(true);
    this.reload();
  }

  /** Load the new build, once: what comes back the same is not tried again. */
  reload(): void {
    if (!this.newer || before() === this.newer) return;
    try {
      sessionStorage.setItem(TRIED, this.newer);
    } catch {
      return; // whoever can't remember it might do it for ever
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
