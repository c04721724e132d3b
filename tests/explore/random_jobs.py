#!/usr/bin/env python3
"""Random programs of the kinds of random_rounds.py and random_pairs.py, from a seed: what processes that
share a search take for granted, each of what all have seen (src/explore/facts.h), must come to what one
process comes to: the same executions, blocked ones included, and the same findings. With a checkpoint made
often, work goes from one to another often.

usage: random_jobs.py PLUMB INCLUDE FIRST COUNT
"""
import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True
import random_pairs
import random_rounds

MOST = 4000
KINDS = [random_rounds.Program, random_rounds.Locks, random_rounds.Tests, random_rounds.Far, random_rounds.Adds,
         random_rounds.Objects, random_rounds.Polls, lambda seed: random_pairs.Program(seed, "mixed")]


def explore(plumb, include, name, model, *options):
    """What comes of it; None: not everything was explored."""
    path = name + ".json"
    done = subprocess.run([plumb, "explore", name, "--model", model, "--save=no", "--keep-going", "--seconds", "60",
                           "--executions", str(MOST), "--json", path, *options, "--", "-O1", "-I", include],
                          capture_output=True, text=True, check=False,
                          env={**os.environ, "PLUMB_PROVE": "1", "PLUMB_CHECKPOINT_SECONDS": "0.1"})
    if done.returncode == 2 or not os.path.exists(path):
        if "longer than there is room" in done.stderr:
            return None
        return "error: " + (done.stderr.strip().splitlines() or ["?"])[-1]
    with open(path, encoding="utf-8") as file:
        result = json.load(file)
    os.remove(path)
    if result["executions"] + result["blocked"] >= MOST or "not all executions" in result["message"]:
        return None
    found = sorted({f"{f['kind']} {f['message']}" for f in result["findings"]})
    # Findings count as blocked where they are told, and each process tells its own.
    return result["verdict"], result["executions"], found, None if found else result["blocked"]


def main():
    plumb, include, first, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    compared = failed = 0
    for seed in range(first, first + count):
        name = f"jobs{seed}.c"
        with open(name, "w", encoding="utf-8") as file:
            file.write(f"/* seed {seed} */\n" + KINDS[seed % len(KINDS)](seed).text())
        fine = True
        for model in ("sc", "tso", "rc11"):
            one = explore(plumb, include, name, model)
            if one is None:
                continue
            others = [explore(plumb, include, name, model, *how)
                      for how in (("--jobs", "3"), ("--jobs", "2", "--checkpoint", name + ".ck"))]
            compared += 1
            if any(other != one for other in others):
                print(f"FAILED seed {seed} {model}: {one} by one process, {others} by several")
                fine = False
                break  # what begins again for ever takes a minute each time
        failed += not fine
        if fine:
            os.remove(name)
    print(f"seeds {first}..{first + count - 1}: {compared} compared, {failed} seeds not as expected")
    sys.exit(failed > 0 or compared < count)


if __name__ == "__main__":
    main()
