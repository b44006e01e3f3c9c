// Write TypeScript types of everything on the wire from the schema on standard input.
import { compile } from 'json-schema-to-typescript';
import { mkdirSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

/** Write a tuple as the compiler knows it: as JSON Schema did before `prefixItems`. */
function asTuple({ prefixItems, items = false, ...rest }) {
    return { ...rest, items: prefixItems, additionalItems: items };
}

const schema = JSON.parse(await text(process.stdin), (_, part) => (part?.prefixItems ? asTuple(part) : part));
const types = await compile(schema, 'Jamboree', {
    bannerComment: '',
    additionalProperties: false,
    unreachableDefinitions: true,
});
mkdirSync('web/types', { recursive: true });
writeFileSync('web/types/wire.ts', types);
