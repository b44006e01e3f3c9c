"""Compilation of twins to WebAssembly, for browsers: numba's LLVM IR, LLVM's wasm32 backend, then `wasm-ld`.

`python -m jamboree.fast.wasm FOLDER [GAME …]` writes one module per game, which imports nothing and exports its memory
and the loops of `SIGNATURES`. Its custom section `twin` has the sizes of rows and the types of all arguments, as JSON.
The linker comes from the package `ziglang` (extra `[wasm]`), so that no compiler has to be installed.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Any

from jamboree.core.errors import JamboreeError
from jamboree.core.twin.chance import CHANCE

from . import cache, sources
from .compiling import SIGNATURES, Compiled
from .search import BY_SEAT, OVER, PRODUCTS, PROGRESS, WORLDS

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+sign-ext,+nontrapping-fptoint"  # in all browsers since 2021
SECTION = "twin"
STACK = 1 << 20  # bytes
SUFFIX = ".wasm"
FOLDER = Path(__file__).parent / "modules"  # made by `make modules`, not in git


def build(key: str, folder: Path) -> Path:
    """Write a game's module into a folder, unless an unchanged one is there. Return its path."""
    path, stamp = folder / f"{key}{SUFFIX}", _fingerprint(key)
    if path.is_file() and description(path.read_bytes()).get("fingerprint") == stamp:
        return path
    began = perf_counter()
    cache.report(f"Compiling {key} to WebAssembly …")
    code = module(Compiled(key, debug=False), stamp)
    folder.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_bytes(code)
    new.replace(path)
    cache.report(f"Compiled {key} to WebAssembly in {perf_counter() - began:.0f} s: {len(code):,} bytes.")
    return path


def built_module(key: str) -> bytes:
    """Return the module of a game that comes with the package."""
    path = FOLDER / f"{key}{SUFFIX}"
    if not path.is_file():
        raise JamboreeError(f"The twin of {key!r} has not been compiled to WebAssembly; `make modules` does that.")
    return path.read_bytes()


def module(twin: Compiled, stamp: str = "", names: Collection[str] = SIGNATURES.keys()) -> bytes:
    """Compile the named loops of a twin, or all, into one module."""
    linked = _link(_object(twin, names), names)
    layout = sources.layout(twin.key)
    sizes = {name: getattr(layout, name) for name in ("MASKS", "SMALLS", "OBSERVED", "SCRATCH")} | {"CHANCE": CHANCE}
    about = {
        "game": twin.key,
        "fingerprint": stamp,
        "sizes": sizes,
        "search": {"PROGRESS": PROGRESS, "OVER": OVER, "WORLDS": WORLDS, "PRODUCTS": PRODUCTS, "BY_SEAT": BY_SEAT},
        "loops": {name: SIGNATURES[name] for name in names},
    }
    return linked + _custom_section(SECTION, json.dumps(about).encode())


def description(code: bytes) -> dict[str, Any]:
    """Return the JSON of a module's custom section; an empty dictionary if it has none."""
    at = 8  # after the magic number and the version
    while at < len(code):
        kind, (size, start) = code[at], _number(code, at + 1)
        if kind == 0:
            length, name = _number(code, start)
            if code[name : name + length] == SECTION.encode():
                return dict(json.loads(code[name + length : start + size]))
        at = start + size
    return {}


def _fingerprint(key: str) -> str:
    import llvmlite
    import numba

    return sources.fingerprint(
        key, numba.__version__, llvmlite.__version__, FEATURES, str(SIGNATURES), _linker_version()
    )


def _linker_version() -> str:
    return version("ziglang")


def _object(twin: Compiled, names: Collection[str]) -> bytes:
    """Compile loops, with one copy of the functions that they share, to an object file."""
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(
        cpu="generic", features=FEATURES, opt=3, reloc="static", codemodel="default"
    )
    whole = llvm.parse_assembly("")
    for name in names:
        whole.link_in(_unoptimized(twin, name))
    whole.triple, whole.data_layout = TRIPLE, str(machine.target_data)
    for function in whole.functions:
        if not function.is_declaration and function.name not in names:
            function.linkage = "internal"  # so that unused parameters and functions are removed
    whole.verify()
    passes = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
    passes.getModulePassManager().run(whole, passes)
    return bytes(machine.emit_object(whole))


def _unoptimized(twin: Compiled, name: str) -> Any:
    """Return the LLVM module of a loop and its callees, without optimization for this machine.

    Small functions are inlined at LLVM's discretion: inlining all of them, as on a processor, made the largest module
    ten times larger, its compilation ten times slower, and its games no faster.
    """
    import llvmlite.binding as llvm

    loop = twin.uncompiled(name)
    with _without_optimization():
        loop.compile(SIGNATURES[name])
    (result,) = loop.overloads.values()
    text = result.library.get_llvm_str()
    text = text.replace("{ alwaysinline }", "{ inlinehint }").replace(
        "= common ", "= weak "
    )  # wasm has no common symbols
    module = llvm.parse_assembly(text)
    module.triple = module.data_layout = ""
    module.get_function(result.fndesc.llvm_func_name).name = name
    return module


@contextmanager
def _without_optimization() -> Iterator[None]:
    """Let numba link functions without optimizing them for this machine."""
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler_lock import global_compiler_lock

    with global_compiler_lock:
        original = JITCodeLibrary._optimize_final_module
        JITCodeLibrary._optimize_final_module = lambda library: None
        try:
            yield
        finally:
            JITCodeLibrary._optimize_final_module = original


def _link(code: bytes, names: Collection[str]) -> bytes:
    """Link an object file to a module that exports the loops and its memory."""
    with tempfile.TemporaryDirectory() as folder:
        source, linked = Path(folder, "twin.o"), Path(folder, "twin.wasm")
        source.write_bytes(code)
        command = [sys.executable, "-m", "ziglang", "wasm-ld", "--no-entry", "--gc-sections", "--strip-all", "-O2"]
        command += ["-z", f"stack-size={STACK}", "--export=__heap_base", *(f"--export={name}" for name in names)]
        done = subprocess.run([*command, str(source), "-o", str(linked)], capture_output=True, text=True, check=False)
        if done.returncode:
            raise JamboreeError(f"wasm-ld ended with status {done.returncode}: {done.stderr.strip()[-500:]}")
        return linked.read_bytes()


def _custom_section(name: str, data: bytes) -> bytes:
    body = _leb128(len(name.encode())) + name.encode() + data
    return b"\0" + _leb128(len(body)) + body


def _leb128(number: int) -> bytes:
    encoded = bytearray()
    while number > 0x7F:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*encoded, number])


def _number(code: bytes, at: int) -> tuple[int, int]:
    """Decode a LEB128 number; return it and the position after it."""
    number = shift = 0
    while True:
        number |= (code[at] & 0x7F) << shift
        shift += 7
        at += 1
        if code[at - 1] < 0x80:
            return number, at


def main() -> None:
    from . import twin_keys

    folder, *keys = sys.argv[1:]
    for key in keys or twin_keys():
        build(key, Path(folder))


if __name__ == "__main__":
    os.environ.setdefault("NUMBA_CPU_NAME", "generic")
    main()
