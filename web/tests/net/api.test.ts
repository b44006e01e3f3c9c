/** Every request of the client is one that the server takes: route, parameters and fields are those of OpenAPI. */
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { api, invitePicture, journalFile } from '../../src/net/api';
import { Admin } from '../../src/admin/admin.svelte';

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: unknown;
}

interface Operation {
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema?: Schema }> };
}

const OPENAPI = JSON.parse(readFileSync('web/fixtures/openapi.json', 'utf-8')) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** Arguments of the functions that take more than texts. */
const GIVEN: Record<string, unknown[]> = {
  tryExample: ['game', 'example', 'en', [], 'play'],
  check: ['game', {}, 'en'],
  open: [{ game: 'bebop', seats: 2, name: 'Ada' }],
  join: ['code', { name: 'Ada', seat: null, watch: true, beside: true }],
  setUp: ['code', { seats: 2 }],
  access: ['code', { locked: true }],
  watch: [new Blob(['{}']), 'en', null, true],
};
const TEXTS = ['one', 'two', 'three', 'four'];

interface Sent {
  method: string;
  url: URL;
  body: unknown;
}

/** What a function sends. */
async function sentBy(ask: () => unknown): Promise<Sent[]> {
  const sent: Sent[] = [];
  vi.stubGlobal('fetch', (url: string, { method = 'GET', body }: RequestInit = {}) => {
    sent.push({
      method,
      url: new URL(url, location.href),
      body: typeof body === 'string' ? JSON.parse(body) : undefined,
    });
    return Promise.resolve(new Response('null'));
  });
  await Promise.resolve(ask()).catch(() => undefined); // of what is answered nothing can be made
  return sent;
}

function operationOf({ method, url }: Sent): Operation | undefined {
  const parts = url.pathname.split('/');
  const found = Object.entries(OPENAPI.paths).filter(([path, item]) => {
    const names = path.split('/');
    const fits = names.length === parts.length && names.every((name, at) => name[0] === '{' || name === parts[at]);
    return fits && method.toLowerCase() in item;
  });
  const [path] = found.sort(([one], [other]) => one.split('{').length - other.split('{').length)[0] ?? [];
  return path === undefined ? undefined : OPENAPI.paths[path]![method.toLowerCase()];
}

/** What the server would refuse of a request. */
function faults(sent: Sent): string[] {
  const operation = operationOf(sent);
  if (!operation) return [`there is no route ${sent.method} ${sent.url.pathname}`];
  const declared = (operation.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name);
  const parameters = [...sent.url.searchParams.keys()].filter((name) => !declared.includes(name));
  const schema = resolved(operation.requestBody?.content['application/json']?.schema ?? {});
  const fields = Object.keys((sent.body as object | undefined) ?? {});
  const isOpen = Boolean(schema.additionalProperties);
  return [
    ...parameters.map((name) => `no parameter ${name}`),
    ...(isOpen ? [] : fields.filter((name) => !(name in (schema.properties ?? {}))).map((name) => `no field ${name}`)),
    ...(schema.required ?? []).filter((name) => !fields.includes(name)).map((name) => `${name} is missing`),
  ];
}

function resolved(schema: Schema): Schema {
  return schema.$ref ? OPENAPI.components.schemas[schema.$ref.split('/').at(-1)!]! : schema;
}

afterEach(() => void vi.unstubAllGlobals());

describe('the server takes', () => {
  it.each(Object.keys(api))('%s', async (name) => {
    const ask = api[name as keyof typeof api] as (...given: unknown[]) => unknown;
    const sent = await sentBy(() => ask(...(GIVEN[name] ?? TEXTS.slice(0, ask.length || TEXTS.length))));
    expect(sent).toHaveLength(1);
    expect(sent.flatMap(faults)).toEqual([]);
  });

  it.each(['refresh', 'close', 'ban', 'lift'] as const)('%s of the operator', async (name) => {
    const admin = new Admin('token');
    const sent = await sentBy(() => (admin[name] as (...given: unknown[]) => unknown).call(admin, ...TEXTS));
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.flatMap(faults)).toEqual([]);
  });

  it.each([invitePicture, journalFile])('the file of %o', (build) => {
    const sent = { method: 'GET', url: new URL(build('code'), location.href), body: undefined };
    expect(faults(sent)).toEqual([]);
  });
});

describe('the server refuses', () => {
  const post = (path: string, body: unknown): Sent => ({
    method: 'POST',
    url: new URL(`/api/v1/tables/code/${path}`, location.href),
    body,
  });

  it.each([
    ['a route that is not there', post('look', { look: 1 }), 'there is no route POST /api/v1/tables/code/look'],
    ['another field', post('avatar', { avatar: 1, look: 1 }), 'no field look'],
    ['a missing field', post('avatar', {}), 'avatar is missing'],
    ['another parameter', post('rematch?seats=2', undefined), 'no parameter seats'],
  ])('%s', (_, sent, fault) => expect(faults(sent)).toContain(fault));
});
