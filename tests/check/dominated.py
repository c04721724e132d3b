"""Is every history that one search was told of one that the other covers?

    dominated.py ALL FEWER

Both are files of PLUMB_TELL_HISTORIES (src/cli/told.h). A history covers another if it has the same
answers and whatever it orders is ordered there, too: then each client that can see the other can see it.
"""
import sys


def read(name):
    histories = {}
    with open(name, encoding="utf-8") as lines:
        for line in lines:
            answers, *relations = line.rstrip("\n").split("\t")
            rows = {r.split()[0]: [int(w, 16) for w in r.split()[1:]] for r in relations}
            histories.setdefault(answers, []).append(rows)
    return histories


def covers(fewer, other):
    return all(not a & ~b for name in other for a, b in zip(fewer[name], other[name]))


every, fewer = read(sys.argv[1]), read(sys.argv[2])
if not every or not fewer:
    sys.exit("no histories")
for answers, histories in every.items():
    for history in histories:
        if not any(covers(h, history) for h in fewer.get(answers, [])):
            sys.exit(f"not covered: {answers} {history}")
print(sum(map(len, every.values())), sum(map(len, fewer.values())))
