"""The build hook: compile the hot modules with mypyc into the wheel, or say why the wheel is plain Python.

The translations are compiled, too, by Babel, and an SBOM is written.

Not part of the installed package. The compiler works on a copy of the packages, in a process of its own (`python
_compile.py` in the folder of the copy), so that neither its files nor its failures reach the source tree.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HOT = (
    "engine/actions.py",
    "engine/solver/*.py",
    "engine/bots/[!_]*.py",
    "engine/cards.py",
    "engine/contract/*.py",
    "engine/deal.py",
    "engine/determinize.py",
    "engine/games/contract_game.py",
    "engine/hand.py",
    "engine/knock/*.py",
    "engine/melds.py",
    "engine/play.py",
    "engine/rules/cached_rules.py",
    "engine/scoring.py",
    "engine/seeds.py",
    "engine/state.py",
    "engine/view.py",
    "tourney/ratings/acceleration.py",
    "tourney/ratings/backtest.py",
    "tourney/ratings/fold.py",
    "tourney/ratings/intervals.py",
    "tourney/ratings/kernel.py",
    "tourney/ratings/smoothing.py",
    "tourney/ratings/truncation.py",
    "tourney/seating/search/anneal.py",
    "tourney/seating/rng.py",
    "tourney/seating/search/deltas.py",
    "tourney/seating/search/state.py",
)
"""The modules that are compiled; everything else stays Python."""

PACKAGES = ("engine", "tourney")
CATALOGUES = "tourney/locale/*/LC_MESSAGES/tourney.po"
"""The translations, of which each becomes a compiled catalogue `tourney.mo` at the same place."""
SBOM = "tourney-continental.cdx.json"
"""The list of what a wheel needs and has compiled in, in `.dist-info/sboms` (PEP 770)."""
DEVELOPMENT = ("test", "lint", "bench")
"""The extras that nobody needs who only uses the program."""
NEEDS = ["mypy[mypyc]>=2.4.1,<2.5", "setuptools>=77"]
"""The packages that a compiled build needs and a plain build does not."""

OPTIONS = ("--config-file=", "--follow-imports=silent", "--ignore-missing-imports")
"""Options of mypy: no strict checks, which would need packages that are absent when a wheel is built."""

FLAGS = (
    "-ffp-contract=off",
    "-fno-tree-slp-vectorize",
    "-fno-plt",
    "-fno-semantic-interposition",
    "-fvisibility=hidden",
)
"""Compiler flags.

A multiplication and an addition fused into one instruction would round differently from Python, and ratings would
differ between the builds. Two divisions packed into one instruction (SLP) take longer than apart where the next step
waits for the first of them, as ratings do. The other flags make calls direct.
"""

LTO_FLAGS = ("-flto=auto",)
"""GCC's flag for link-time optimization, without which bots and solver are 4 to 9 % slower."""
QUICK = ("ratings", "seating")
"""The packages whose C files GCC optimizes with -O2: with -O1 ratings take a fifth longer.

Everything else is as quick with -O1, which takes a third less time to compile.
"""
PARTS = 12
"""The C files that are compiled in parallel. Each has several modules, since to read Python's headers takes long."""

COST = (
    "Everything works and gives the same results, but bots play and ratings are computed 3 to 20 times slower, "
    "mostly about ten. "
    "For the compiled build install a C compiler and Python's headers (Debian and Ubuntu: gcc python3-dev; "
    "macOS: xcode-select --install; Windows: Build Tools for Visual Studio) and install tourney again."
)


class CompileHook(BuildHookInterface[Any]):
    """Hatchling's hook: wheels are compiled, editable installs stay plain, since compiled modules hide later edits."""

    def dependencies(self) -> list[str]:
        """Return what the build needs beyond hatchling: mypyc, where it can be used."""
        return [] if plain_requested() or no_compiler() else NEEDS

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add to the wheel the compiled modules, the catalogues, and a file that says what was built."""
        if version == "editable":
            write_catalogues(Path(self.root), Path(self.root))
            return
        self._work = tempfile.TemporaryDirectory(prefix="tourney-build-")
        folder = Path(self._work.name)
        files, reason = ([], "") if plain_requested() else compiled(Path(self.root), folder)
        if files:
            build_data["pure_python"] = False
            build_data["infer_tag"] = True
        if reason:
            self.app.display_warning(f"tourney is built as plain Python: {reason}. {COST}")
        (folder / "built.toml").write_text(built_text(files, reason), encoding="utf-8")
        (folder / SBOM).write_text(sbom_text(self.metadata.core, compiled=bool(files)), encoding="utf-8")
        build_data["sbom_files"].append(str(folder / SBOM))
        build_data["force_include"] |= {str(folder / "built.toml"): "engine/built.toml"}
        files = [*files, *write_catalogues(Path(self.root), folder)]
        build_data["force_include"] |= {str(folder / file): file for file in files}

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the compiler's folder."""
        if version != "editable":
            self._work.cleanup()


def write_catalogues(root: Path, folder: Path) -> list[str]:
    """Compile the translations of `root` into `folder`; return the files, relative to it."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    made = []
    for source in sorted(root.glob(CATALOGUES)):
        file = source.relative_to(root).with_suffix(".mo")
        with source.open("rb") as text:
            catalogue = read_po(text)
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        # Written beside and renamed: a test run compiles in several processes, and others read.
        partial = (folder / file).with_suffix(f".{os.getpid()}")
        with partial.open("wb") as binary:
            write_mo(binary, catalogue)
        partial.replace(folder / file)
        made.append(file.as_posix())
    return made


def plain_requested() -> bool:
    """Return whether the environment asks for plain Python."""
    return os.environ.get("TOURNEY_PURE", "0") not in ("", "0")


def no_compiler() -> str | None:
    """Return why this machine cannot compile, or None if it probably can."""
    if sys.implementation.name != "cpython":
        return f"mypyc compiles for CPython, and this is {sys.implementation.name}"
    if os.name == "nt":
        return None  # setuptools knows where Visual Studio keeps its compiler
    if shutil.which(compiler()) is None:
        return f"there is no C compiler ({compiler()})"
    header = Path(sysconfig.get_path("include"), "Python.h")
    return None if header.is_file() else f"Python's headers are missing ({header})"


def compiler() -> str:
    """Return the name of the C compiler that setuptools will call."""
    return shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]


def compiled(root: Path, folder: Path) -> tuple[list[str], str]:
    """Compile the hot modules of a copy of the packages in `folder`.

    Returns the files made, relative to the folder, and an empty text; or no files, and the reason.
    """
    reason = no_compiler()
    if reason is not None:
        return [], reason
    for package in PACKAGES:
        shutil.copytree(root / package, folder / package, ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.pyd"))
    words = [sys.executable, "-P", str(Path(__file__).resolve())]
    done = subprocess.run(words, cwd=folder, capture_output=True, encoding="utf-8", errors="replace", check=False)
    if done.returncode != 0:
        output = [line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        return [], f"the compiler failed ({_short(output[-1]) if output else f'exit code {done.returncode}'})"
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    return sorted(file.relative_to(folder).as_posix() for file in folder.rglob(f"*{suffix}")), ""


def _short(message: str) -> str:
    """Return a compiler's message, or the beginning and the end of a long one."""
    return message if len(message) <= 100 else f"{message[:40]} … {message[-50:]}"


def built_text(files: list[str], reason: str) -> str:
    """Return the text of `engine/built.toml`: the compiled modules, and the reason if there are none.

    The reason is empty if compiled, or if plain Python was requested.
    """
    modules = [file.split(".", 1)[0].replace("/", ".").removesuffix(".__init__") for file in files]
    listed = "".join(f'    "{module}",\n' for module in modules if not module.endswith("__mypyc"))
    shown = "".join(char for char in reason.replace("\\", "/").replace('"', "'") if char.isprintable())
    return f'# Written by the build.\nreason = "{shown}"\nmodules = [\n{listed}]\n'


def sbom_text(project: Any, *, compiled: bool) -> str:
    """Return the SBOM of a wheel as CycloneDX 1.6: every dependency as it is required, and mypyc where it compiled.

    Parts of mypyc's runtime library are in the compiled modules. There is neither a time nor a number in it, so that
    the same sources give the same wheel.
    """
    extras = project.optional_dependencies
    optional = [need for extra, needs in extras.items() if extra not in DEVELOPMENT for need in needs]
    parts = [*_components(project.dependencies, "required"), *_components(optional, "optional")]
    if compiled:
        number = version_of("mypy")
        parts.append(_component("mypy", "required", version=number, description="mypyc's runtime, compiled in"))
    own = f"pkg:pypi/{project.name}@{project.version}"
    application = {
        "type": "application",
        "bom-ref": own,
        "name": project.name,
        "version": project.version,
        "purl": own,
        "licenses": [{"expression": project.license_expression}],
    }
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "lifecycles": [{"phase": "build"}],
            "component": application,
        },
        "components": parts,
        "dependencies": [{"ref": own, "dependsOn": [part["bom-ref"] for part in parts]}],
    }
    return json.dumps(document, indent=1) + "\n"


def _components(needs: Iterable[str], scope: str) -> list[dict[str, Any]]:
    from packaging.requirements import Requirement

    return [_component(Requirement(need).name, scope, description=f"required as {need}") for need in sorted(needs)]


def _component(name: str, scope: str, **fields: str) -> dict[str, Any]:
    purl = f"pkg:pypi/{name}@{fields['version']}" if "version" in fields else f"pkg:pypi/{name}"
    return {"type": "library", "bom-ref": purl, "name": name, "scope": scope, "purl": purl, **fields}


def _make() -> None:
    """Build, in the child process, an extension beside every hot module below the current folder."""
    from mypyc.build import mypycify
    from setuptools import Extension, setup

    files = sorted(str(file) for pattern in HOT for file in Path().glob(pattern))
    level = "1" if "gcc" in compiler() else "2"
    extensions: list[Extension] = mypycify(
        [*OPTIONS, *files], opt_level=level, debug_level="0", target_dir="c", group_name="continental", multi_file=True
    )
    for extension in extensions:
        kept = [flag for flag in extension.extra_compile_args if flag != "-Werror"]
        extension.extra_compile_args = kept if os.name == "nt" else [*kept, *FLAGS]
        if len(extension.sources) > 1:
            extension.sources = list(parts(extension.sources))
            if "gcc" in compiler():
                extension.extra_compile_args += LTO_FLAGS
                extension.extra_link_args += [*extension.extra_compile_args]
    cores = os.cpu_count() or 1
    words = ["--quiet", "build_ext", "--build-lib", ".", "--parallel", str(cores)]
    with ThreadPoolExecutor(cores) as threads:
        compile_in_parallel(threads)
        setup(name="continental", ext_modules=extensions, script_args=words)


def parts(sources: Sequence[str]) -> Iterator[str]:
    """Write C files that include the sources, some each, and yield their paths."""
    quick = [source for source in sources if any(f"_{package}_" in source for package in QUICK)]
    others = [source for source in sources if source not in quick]
    for name, each, number in (("quick", quick, PARTS // 4), ("other", others, PARTS - PARTS // 4)):
        for at in range(number):
            part = Path(sources[0]).with_name(f"{name}_{at}.c")
            part.write_text("".join(f'#include "{Path(source).name}"\n' for source in each[at::number]))
            yield str(part)


def _optimized(source: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return the options with which a C file is compiled."""
    if "gcc" not in compiler() or not Path(source).name.startswith("quick"):
        return options
    return {**options, "extra_postargs": [*(options.get("extra_postargs") or []), "-O2"]}


def compile_in_parallel(threads: Executor) -> None:
    """Make the compiler classes of setuptools compile the C files of one extension in parallel in these threads.

    Setuptools can only build whole extensions in parallel (`--parallel`), and ours are one large extension and a few
    lines for each module. Its class for Visual Studio overrides `compile` and still compiles file after file.
    """
    from distutils.ccompiler import CCompiler

    base: Any = CCompiler
    compile_files = base.compile

    def compile_each(compiler: CCompiler, sources: list[str], **options: Any) -> list[str]:
        made = threads.map(lambda source: compile_files(compiler, [source], **_optimized(source, options)), sources)
        return [file for files in made for file in files]

    base.compile = compile_each


if __name__ == "__main__":
    _make()
