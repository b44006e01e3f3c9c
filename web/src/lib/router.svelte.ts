/** Hash routing, so that a link to a table never reaches a server's log. */
import { pageUrl, type Part } from './urls';

class Route {
  path = $state<string[] | null>(parts()); // null: it can't be decoded

  constructor() {
    addEventListener('hashchange', () => (this.path = parts()));
  }
}

function parts(): string[] | null {
  try {
    return location.hash
      .replace(/^#?\/?/, '')
      .split('/')
      .filter(Boolean)
      .map(decodeURIComponent);
  } catch {
    return null;
  }
}

export const route = new Route();

export function go(...path: Part[]): void {
  location.hash = pageUrl(...path);
}

export const link = pageUrl;
