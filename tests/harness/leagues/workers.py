"""Find the worker processes of a league that another process plays."""

import subprocess


def worker_ids(coordinator: int) -> list[int]:
    """Return the ids of the workers that play for a process: the children of its server, where there is one."""
    listed = subprocess.run(
        ["ps", "-A", "-ww", "-o", "pid=,ppid=,stat=,args="], capture_output=True, text=True, check=True
    )
    rows = [line.split(None, 3) for line in listed.stdout.splitlines()]
    running = [(int(row[0]), int(row[1]), row[3]) for row in rows if len(row) == 4 and not row[2].startswith("Z")]
    servers = {pid for pid, parent, words in running if parent == coordinator and "multiprocessing.forkserver" in words}
    return [pid for pid, parent, _words in running if parent in servers]
