/**
 * Every URL of the client is built here: path parts and query values are encoded one by one. `web/tests/urls.test.ts`
 * finds whatever builds one elsewhere.
 */
declare const built: unique symbol;
export type Url = string & { readonly [built]: true };
export type Part = string | number;
export type Query = Record<string, string | number | boolean | null>;

/** Raised for a value that is unsafe as a path part, because it could be read as several. */
export class UnsafePart extends Error {}

/**
 * Path of the page, possibly below a proxy's prefix; the API has the same base. It begins with one slash: after two, a
 * browser reads the name of another host.
 */
const ROOT = new URL('./', document.baseURI).pathname.replace(/^\/+/, '/');
const API = `${ROOT}api/v1`;
/** Browsers resolve dot segments, encoded ones too, and some proxies decode slashes: encoding alone is not enough. */
const UNSAFE = /^\.{0,2}$|[/\\\p{Cc}\p{Cs}]/u;

export const underPath = ROOT !== '/';

/** The URL of something in the API; a query value of null is left out. */
export function apiUrl(parts: readonly Part[], query: Query = {}): Url {
  const values = Object.entries(query).filter(([, value]) => value !== null);
  const pairs = values.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
  return `${API}/${joined(parts)}${pairs.length ? `?${pairs.join('&')}` : ''}` as Url;
}

/** The URL of a WebSocket in the API. */
export function socketUrl(parts: readonly Part[]): Url {
  const url = new URL(apiUrl(parts), location.href);
  url.protocol = url.protocol.replace('http', 'ws');
  return url.href as Url;
}

/** The URL of a file beside the page, or in a folder there. */
export function fileUrl(...parts: string[]): Url {
  return `${ROOT}${joined(parts)}` as Url;
}

/** The hash URL of a page; without parts, of the first page. */
export function pageUrl(...parts: Part[]): Url {
  return `#/${joined(parts)}` as Url;
}

/** The absolute URL, to be shared. */
export function absoluteUrl(url: Url): Url {
  return new URL(url, location.href).href as Url;
}

/** Send a request. */
export function request(url: Url, init?: RequestInit): Promise<Response> {
  return fetch(url, init);
}

function joined(parts: readonly Part[]): string {
  return parts.map(encoded).join('/');
}

function encoded(part: Part): string {
  const text = String(part);
  if (UNSAFE.test(text)) throw new UnsafePart(text);
  return encodeURIComponent(text);
}
