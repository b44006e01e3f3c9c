// Fail if the shell and the largest game together are more than a phone should fetch; fonts are apart.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const SITE = process.argv[2] ?? 'src/jamboree/server/site';
const MOST = 150_000; // bytes, gzipped

const manifest = JSON.parse(readFileSync(join(SITE, '.vite/manifest.json'), 'utf8'));
const weigh = (file) => gzipSync(readFileSync(join(SITE, file)), { level: 9 }).length;

/** Everything that is fetched with an entry: its own file, its styles, and what it imports at once. */
function files(key, found = new Set()) {
    const chunk = manifest[key];
    if (found.has(chunk.file)) return found;
    for (const file of [chunk.file, ...(chunk.css ?? [])]) found.add(file);
    for (const imported of chunk.imports ?? []) files(imported, found);
    return found;
}

const entries = Object.keys(manifest);
const heaviest = (pattern) =>
    entries.filter((key) => pattern.test(key)).sort((a, b) => size(files(b)) - size(files(a)))[0];
const size = (names) => [...names].reduce((sum, name) => sum + weigh(name), 0);

const shell = files(entries.find((key) => manifest[key].name === 'first-page')); // named in first_page.ts
for (const key of [
    heaviest(/src\/locale\/.*\.json$/),
    ...entries.filter((key) => key.endsWith('shell/poster.svg?raw')),
])
    files(key, shell);

const games = entries.flatMap((key) => /games\/(\w+)\/web\/index\.ts$/.exec(key)?.[1] ?? []);
const weights = games.map((game) => {
    const all = files(
        entries.find((key) => key.endsWith(`games/${game}/web/index.ts`)),
        new Set(shell),
    );
    files(heaviest(new RegExp(`games/${game}/words/locale/`)), all);
    return [game, size(all)];
});

console.log(`shell ${kB(size(shell))}, with ${weights.map(([game, weight]) => `${game} ${kB(weight)}`).join(', ')}`);
const over = weights.filter(([, weight]) => weight > MOST);
if (!games.length || over.length) {
    console.error(
        games.length ? `More than ${kB(MOST)}: ${over.map(([game]) => game).join(', ')}` : 'No game was built',
    );
    process.exit(1);
}

function kB(bytes) {
    return `${(bytes / 1000).toFixed(1)} kB`;
}
