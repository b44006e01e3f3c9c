/** Where the reader is: hash routes, so that a link to a table never reaches a server's log. */
class Route {
  path = $state<string[]>(parts());

  constructor() {
    addEventListener('hashchange', () => (this.path = parts()));
  }
}

function parts(): string[] {
  return location.hash
    .replace(/^#?\/?/, '')
    .split('/')
    .filter(Boolean)
    .map(decodeURIComponent);
}

export const route = new Route();

export function go(...path: (string | number)[]): void {
  location.hash = '/' + path.map(encodeURIComponent).join('/');
}

export function link(...path: (string | number)[]): string {
  return '#/' + path.map(encodeURIComponent).join('/');
}
