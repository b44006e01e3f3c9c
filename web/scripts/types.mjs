// Write TypeScript types of everything on the wire from the schema on standard input.
import { compile } from 'json-schema-to-typescript';
import { mkdirSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

const schema = JSON.parse(await text(process.stdin));
const types = await compile(schema, 'Jamboree', {
    bannerComment: '',
    additionalProperties: false,
    unreachableDefinitions: true,
});
mkdirSync('web/types', { recursive: true });
writeFileSync('web/types/wire.ts', types);
