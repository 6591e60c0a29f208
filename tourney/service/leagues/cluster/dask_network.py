"""A scheduler of dask.distributed and its workers: the only module that imports dask, loaded when it is used."""

from __future__ import annotations

import logging
import pickle
import queue
import ssl
import threading
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import dask
import distributed
from distributed import Client, Future, Security, get_worker

from tourney.domain.errors import ExitCode, TourneyError
from tourney.service import chained_lines
from tourney.service.leagues.cluster import checked_replies
from tourney.service.leagues.cluster.address import MOST_ADDRESS, Address, Arrival, Seen, is_safe, refuse_open
from tourney.service.leagues.cluster.wire import Stopped, read, written
from tourney.text.i18n import _

WORKER_SIDE: Final = "tourney.service.leagues.cluster.worker_side"
CONNECT_SECONDS: Final = 10
RESULT_SECONDS: Final = 30
"""The seconds for a result to come, once its worker has it."""
MOST_NAME: Final = 100
"""The most characters of a worker's name that are kept."""
ERRORS: Final = (OSError, TimeoutError, RuntimeError, ValueError, ImportError, TypeError, distributed.CancelledError)
"""Errors that dask raises where a scheduler cannot be reached."""


def run_here(function: str, arguments: bytes) -> bytes:
    """Run a function of `worker_side` in the worker whose task this is, with the folder that the worker has.

    A worker of another version of dask, or one that other computers reach without TLS, runs nothing. The reply is JSON,
    an error too, since the coordinator unpickles nothing. Arguments are pickled: workers run what a coordinator sends.
    """
    worker = get_worker()
    facts = {"dask": distributed.__version__, "address": str(worker.listen_address)}
    if _refusal(facts["dask"], facts["address"]):
        return written(facts)
    called = getattr(import_module(WORKER_SIDE), function)
    try:
        return written(facts | called(Path(worker.local_directory), *pickle.loads(arguments)))
    except Exception as error:  # noqa: BLE001 - reported to the coordinator
        return written(facts | {"error": f"{type(error).__name__}: {error}"})


_KINDS: Final = {pickle.dumps(kind, protocol): kind for kind in (bytes, memoryview) for protocol in range(2, 6)}
"""The pickles by which dask says that what follows are bytes."""
MOST_KIND: Final = 100
"""More bytes than any of them has."""


def unpickled(pickled: Any, *, buffers: object = ()) -> object:
    """Return the kind of bytes that a pickle names. Raises TypeError for any other pickle, which is not read."""
    kind = _KINDS.get(bytes(pickled)) if len(pickled) < MOST_KIND else None
    if kind is None:
        raise TypeError("a pickle of another computer is not read")
    return kind


class _DataClient(Client):  # type: ignore[misc] # dask is untyped
    """A client of dask that takes data only: a scheduler and its workers can make it run nothing.

    Dask itself unpickles replies, errors, the types of replies, and warnings of workers.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        # All modules of dask unpickle through one function, which finds `pickle` when it is called.
        distributed.protocol.pickle.pickle = SimpleNamespace(**{**vars(pickle), "loads": unpickled})
        super().__init__(*arguments, deserializers=["msgpack"], **options)

    def __del__(self) -> None:
        """Wait for nobody; dask itself waits here for a scheduler that has not answered, and shows a traceback."""

    async def _handle_event(self, topic: str, event: object) -> None:
        """Show nothing that workers warn of or print; dask would unpickle a warning."""

    async def _handle_report(self) -> None:
        """Follow the scheduler's messages; after one that cannot be read the scheduler counts as gone."""
        try:
            await super()._handle_report()
        except Exception:
            self.status = "connecting"
            raise


def _refusal(version: str, address: str) -> str:
    """Return why a worker with this dask and address may not play, whatever plays there; '' if it may."""
    if version != distributed.__version__:
        message = _("its dask.distributed is {theirs}, this one is {ours}")
        return message.format(theirs=version[:MOST_NAME], ours=distributed.__version__)
    if not is_safe(address):
        message = _("other computers can reach its port {address} without TLS; start it with --host 127.0.0.1")
        return message.format(address=address[:MOST_ADDRESS])
    return ""


@dataclass(frozen=True, slots=True)
class _Described:
    """A scheduler's description of itself: its address, and the workers by their addresses."""

    address: str
    workers: Mapping[str, Seen]


class DaskNetwork:
    """A connection to a scheduler of dask. Raises TourneyError if there is none, or one of another version."""

    def __init__(self, address: Address) -> None:
        _silence()
        self._address = address
        self._ended: queue.SimpleQueue[Future] = queue.SimpleQueue()
        self._futures: dict[str, Future] = {}
        self._client = self._connected()
        try:
            self._check_scheduler()
        except BaseException:
            self.close()
            raise

    def _connected(self) -> Client:
        """Return a client. Dask itself waits for ever for a server that says nothing, so a thread of its own waits."""
        options: dict[str, Any] = {"security": _security()} if self._address.encrypted else {}
        found: list[Client] = []
        failed: list[BaseException] = []

        def connect() -> None:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    address, seconds = str(self._address), CONNECT_SECONDS
                    found.append(_DataClient(address, timeout=seconds, set_as_default=False, **options))
            except BaseException as error:  # noqa: BLE001 - reported below
                failed.append(error)

        thread = threading.Thread(target=connect, daemon=True)
        thread.start()
        thread.join(CONNECT_SECONDS + 1)
        if found:
            return found[0]
        reason = _("what is there does not answer as one")
        if failed and isinstance(failed[0], OSError | ImportError):
            reason = str(failed[0]).partition("\n")[0][:120]
        message = _("no scheduler of dask {version} is at {address}: {reason}")
        message = message.format(version=distributed.__version__, address=self._address, reason=reason)
        hint = _("start one with `dask scheduler`, of the same version; see `tourney guide machines`")
        raise TourneyError(ExitCode.NOT_FOUND, message, hint)

    def _check_scheduler(self) -> None:
        """Raise TourneyError REFUSED for another version of dask, and for a scheduler that other computers reach."""
        theirs = self._version_of_scheduler()
        if theirs != distributed.__version__:
            message = _("the scheduler at {address} runs dask.distributed {theirs}, this is {ours}")
            message = message.format(address=self._address, theirs=theirs, ours=distributed.__version__)
            raise TourneyError(ExitCode.REFUSED, message, _("install the same version on all computers"))
        refuse_open(self._info().address)

    def _version_of_scheduler(self) -> str:
        try:
            found = self._client.get_versions()["scheduler"]
            return str(found["packages"]["distributed"])
        except (*ERRORS, LookupError):
            return _("another version")

    def _info(self) -> _Described:
        """Return how the scheduler describes itself and its workers. Raises Stopped."""

        if self._client.status != "running":
            raise self._gone()
        try:
            info = self._client.scheduler_info(n_workers=-1)
        except ERRORS:
            raise self._gone() from None
        if self._client.status != "running":
            raise self._gone()
        try:
            workers = {str(address): _seen(str(address), worker) for address, worker in info["workers"].items()}
            return _Described(str(info["address"]), workers)
        except chained_lines.MALFORMED:
            message = _("the scheduler at {address} does not describe itself and its workers as one of dask does")
            raise Stopped(message.format(address=self._address)) from None

    def _gone(self) -> Stopped:
        return Stopped(_("the scheduler at {address} is gone").format(address=self._address))

    def workers(self) -> Mapping[str, Seen]:
        """Return the workers that are connected, by address. Raises Stopped."""
        return self._info().workers

    def send(self, worker: str, key: str, function: str, *arguments: object) -> None:
        """Let a worker run a function of `worker_side` as the task of that key. Raises Stopped."""
        try:
            sent = pickle.dumps(arguments)
            future = self._client.submit(run_here, function, sent, key=key, workers=[worker], pure=True)
        except ERRORS:
            raise self._gone() from None
        self._futures[key] = future
        future.add_done_callback(self._ended.put)

    def arrivals(self, seconds: float) -> Sequence[Arrival]:
        """Return the tasks that have ended, waiting for one at most so many seconds. Raises Stopped."""
        found: list[Arrival] = []
        with suppress(queue.Empty):
            found += self._arrived(self._ended.get(timeout=seconds))
            while True:
                found += self._arrived(self._ended.get_nowait())
        if not found and self._client.status != "running":
            raise self._gone()
        return found

    def _arrived(self, future: Any) -> list[Arrival]:
        """Return the arrival of a task, none if it is not awaited any more. Raises Stopped if the scheduler is gone."""
        key = str(future.key)
        if self._futures.get(key, self) is not future:
            return []
        del self._futures[key]
        if future.status == "cancelled" and self._client.status != "running":
            raise self._gone()
        try:
            if future.status == "error":
                return [Arrival(key, None, _("its task failed before tourney could answer; see what it has written"))]
            return [_arrival(key, future.result(timeout=RESULT_SECONDS))]
        except Exception as error:  # noqa: BLE001 - the task may have raised anything
            self._info()
            return [Arrival(key, None, f"{type(error).__name__}: {error}".partition("\n")[0][:200])]
        finally:
            future.release()

    def forget(self, key: str) -> None:
        """Let a task end without an arrival."""
        future = self._futures.pop(key, None)
        if future is not None:
            with suppress(*ERRORS):
                future.release()

    def close(self) -> None:
        """Leave the scheduler, which forgets all tasks."""
        self._futures.clear()
        with suppress(*ERRORS):
            self._client.close(timeout=2)


def _arrival(key: str, line: object) -> Arrival:
    """Return the arrival of what a worker has sent; a reply without what each reply has is empty."""

    try:
        reply = read(line)
        facts = checked_replies.facts_of(reply)
    except chained_lines.MALFORMED:
        return Arrival(key, {})
    if facts.error:
        return Arrival(key, None, facts.error.partition("\n")[0][:200])
    refusal = _refusal(facts.version, facts.address)
    return Arrival(key, {"refused": refusal} if refusal else reply)


def _silence() -> None:
    """Let dask write nothing: what a person must know is said in one line."""
    for name in ("distributed", "tornado", "asyncio", *logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _seen(address: str, worker: Mapping[str, Any]) -> Seen:
    name, slots = str(worker["name"])[:MOST_NAME], worker["nthreads"]
    shown = name if name == address else f"{name} ({str(worker['host'])[:MOST_NAME]})"
    return Seen(shown, str(worker.get("nanny") or address), slots if isinstance(slots, int) else 0)


def _security() -> Security:
    """Return the certificates that dask's configuration names. Raises TourneyError REFUSED without them."""
    names = ("ca-file", "client.cert", "client.key")
    lacking = [name for name in names[:2] if not dask.config.get(f"distributed.comm.tls.{name}", None)]
    hint = _("write them into dask's configuration; see `tourney guide machines`")
    if lacking:
        message = _("TLS is not set up here: dask's configuration lacks {what}")
        what = ", ".join(f"distributed.comm.tls.{name}" for name in lacking)
        raise TourneyError(ExitCode.REFUSED, message.format(what=what), hint)
    try:
        security = Security(require_encryption=True)
        security.get_connection_args("client")
    except (OSError, ssl.SSLError, ValueError) as error:
        message = _("the TLS files that dask's configuration names cannot be used: {reason}").format(reason=error)
        raise TourneyError(ExitCode.REFUSED, message, hint) from None
    return security
