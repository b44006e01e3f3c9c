// Packs what a page needs to run tables itself: Python in WebAssembly, msgspec, and our modules as bytecode.
//   node web/scripts/page/pack.mjs WHEELS VERSION OUT
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { loadPyodide } from 'pyodide';

const [wheels, version, out] = process.argv.slice(2);
const wheel = join(
    wheels,
    readdirSync(wheels).find((name) => name.endsWith('.whl')),
);
const root = resolve(import.meta.dirname, '../../..');
const pyodide = dirname(createRequire(import.meta.url).resolve('pyodide'));
const LOADER = ['pyodide.mjs', 'pyodide.asm.mjs']; // modules, which a browser fetches itself

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
cpSync(join(pyodide, 'python_stdlib.zip'), join(out, 'library-in.zip'));
cpSync(join(pyodide, 'pyodide.asm.wasm'), join(out, 'python.wasm'));
cpSync(wheel, join(out, 'msgspec.whl'));

const python = await loadPyodide();
for (const [inside, outside] of [
    ['/sources', join(root, 'src')],
    ['/out', resolve(out)],
]) {
    python.FS.mkdir(inside);
    python.mountNodeFS(inside, outside);
}
python.unpackArchive(new Uint8Array(readFileSync(wheel)), 'wheel');
python.globals.set('VERSION', version);
const { license, homepage, version: release } = JSON.parse(readFileSync(join(pyodide, 'package.json'), 'utf8'));
python.globals.set('PYODIDE', python.toPy({ version: release, license, homepage }));
try {
    await python.runPythonAsync(readFileSync(join(import.meta.dirname, 'pack.py'), 'utf8'));
} catch (error) {
    console.error(error.message); // without the source of Pyodide, which is one line
    process.exit(1);
}

// Static hosts may not compress, so that files are: the worker decompresses them.
for (const name of ['library.zip', 'app.zip', 'python.wasm', 'msgspec.whl']) {
    const content = readFileSync(join(out, name));
    writeFileSync(join(out, `${name}.gz`), gzipSync(content, { level: 9 }));
    rmSync(join(out, name));
}
for (const name of LOADER) cpSync(join(pyodide, name), join(out, name));
const modules = join(root, 'src/jamboree/fast/modules');
for (const name of readdirSync(modules).filter((name) => name.endsWith('.wasm')))
    cpSync(join(modules, name), join(out, name));
writeFileSync(join(out, 'lock.json'), JSON.stringify({ info: lockInfo(), packages: {} }));

const files = readdirSync(out).filter((name) => statSync(join(out, name)).isFile());
const sizes = Object.fromEntries(files.sort().map((name) => [name, statSync(join(out, name)).size]));
const digest = createHash('sha256');
for (const name of files) digest.update(name).update(readFileSync(join(out, name)));
writeFileSync(join(out, 'files.json'), JSON.stringify({ digest: digest.digest('hex'), sizes }));
console.log(
    sizes,
    Object.values(sizes).reduce((sum, size) => sum + size, 0),
);
process.exit(0);

function lockInfo() {
    return JSON.parse(readFileSync(join(pyodide, 'pyodide-lock.json'), 'utf8')).info;
}
