"""Modules of authors: loaded from their folder, each folder apart from all others and from this program's modules.

Two versions of a bot may lie in two folders and have modules of the same names, and an author's module may be called as
one of ours. So the modules of a folder are kept under names of their own. An import in one of them finds the standard
library first, then the folder, then whatever is installed.
"""

import builtins
import importlib
import importlib.util
import os
import sys
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any


def load_file(file: Path) -> ModuleType:
    """Return the module of an author's file, executed now, with the modules of its folder that it imports.

    Raises whatever the file raises.
    """
    folder = _Folder(file.parent)
    folder.forget()
    return folder.load(file.stem, file)


def load_module(name: str, folder: Path) -> ModuleType:
    """Return the module of this dotted name, from the folder or else of those that are installed."""
    return _Folder(folder).imported(name)


def module_file(name: str, folder: Path) -> Path | None:
    """Return the file of the module of this dotted name without executing it; None if there is none."""
    own = _Folder(folder).find(name)
    if own is not None:
        return own
    first, *rest = parts = name.split(".")
    if not all(map(str.isidentifier, parts)):
        return None
    try:
        spec = importlib.util.find_spec(first)
    except (ImportError, ValueError, AttributeError):
        return None
    if spec is None or not rest:
        return None if spec is None or spec.origin is None else Path(spec.origin)
    places = (Path(place).joinpath(*rest) for place in spec.submodule_search_locations or ())
    return next((file for place in places if (file := _source(place)) is not None), None)


def _source(place: Path) -> Path | None:
    """Return the file of the module at this place, a file or a package; None if there is none."""
    choices = (place.with_name(f"{place.name}.py"), place / "__init__.py")
    return next((file for file in choices if file.is_file()), None)


class _Folder:
    """One folder of an author, whose modules are kept under names that begin with its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.name = f"bots_of_{sha256(str(self.folder).encode()).hexdigest()[:12]}"
        if self.name not in sys.modules:
            package = ModuleType(self.name)
            package.__path__ = [str(self.folder)]
            sys.modules[self.name] = package

    def forget(self) -> None:
        """Let modules of the folder be executed anew: their files may have changed."""
        for name in [name for name in sys.modules if name.startswith(f"{self.name}.")]:
            del sys.modules[name]

    def find(self, name: str) -> Path | None:
        """Return the file of a module of the folder; None if it has no such module, or the name leads out of it."""
        place = Path(os.path.normpath(self.folder.joinpath(*name.split("."))))
        return _source(place) if place.is_relative_to(self.folder) else None

    def owns(self, name: str) -> bool:
        """Return whether an import of that name means a module of the folder."""
        first = name.split(".", 1)[0]
        return first not in sys.stdlib_module_names and first != "tourney" and self.find(first) is not None

    def imported(self, name: str) -> ModuleType:
        """Return the module of that name, of the folder if it has one."""
        if not self.owns(name):
            return importlib.import_module(name)
        parts = name.split(".")
        for length in range(1, len(parts) + 1):
            part = ".".join(parts[:length])
            file = self.find(part)
            if file is None:
                raise ModuleNotFoundError(f"No module named {part!r}", name=part)
            module = self.load(part, file)
        return module

    def load(self, name: str, file: Path) -> ModuleType:
        """Return the module of that file, executed if it is not yet."""
        full = f"{self.name}.{name}"
        if full in sys.modules:
            return sys.modules[full]
        loader = _Loader(full, str(file), self)
        search = [str(file.parent)] if file.name == "__init__.py" else None
        spec = importlib.util.spec_from_file_location(full, file, loader=loader, submodule_search_locations=search)
        assert spec is not None
        module = sys.modules[full] = importlib.util.module_from_spec(spec)
        try:
            loader.exec_module(module)
        except BaseException:
            del sys.modules[full]
            raise
        parent, _dot, last = full.rpartition(".")
        setattr(sys.modules[parent], last, module)
        return module

    def import_statement(
        self,
        name: str,
        globals: Mapping[str, Any] | None = None,
        locals: Mapping[str, Any] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        """Import as `__import__` does, the folder's modules included."""
        if level or not self.owns(name):
            return builtins.__import__(name, globals, locals, fromlist or (), level)
        module = self.imported(name)
        for wanted in fromlist or ():
            if not hasattr(module, wanted) and self.find(f"{name}.{wanted}") is not None:
                self.imported(f"{name}.{wanted}")
        return module if fromlist else self.imported(name.split(".", 1)[0])


class _Loader(SourceFileLoader):
    """A loader of source files that writes no bytecode, and whose modules import by their folder."""

    def __init__(self, name: str, path: str, folder: _Folder) -> None:
        super().__init__(name, path)
        self._folder = folder

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Return a module with an import function of its own."""
        module = ModuleType(spec.name)
        vars(module)["__builtins__"] = {**vars(builtins), "__import__": self._folder.import_statement}
        return module

    def get_code(self, fullname: str) -> Any:
        """Return the code of the source as it is now: bytecode written beside it could be of another version."""
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)
