# Line-Up's Table 2: 100 random tests of 3x3 for each of its 18 rows. Rows with a root cause have tests
# that fail, the others none; where all 100 come to an end, how many fail is fixed by the seed.
# timeout: 7200
source "$SRC/tests/check/lib.bash"
expect 0 bench papers --only lineup --subjects "$SRC/subjects" --seconds 60 --json table.json
cat out
python3 - <<'PYTHON'
import json
fails = {}  # of the rows that are explored to their end in far less than the time
for line in """
    Lazy Initialization 0 0
    ManualResetEvent(Pre) 32 24
    ManualResetEvent 0 0
    CountdownEvent 0 0
    ConcurrentDictionary 0 0
    """.strip().splitlines():
    name, sc, rc11 = line.strip().rsplit(' ', 2)
    fails[name] = int(sc), int(rc11)
rows = {row['name']: row for row in json.load(open('table.json'))['rows']}
assert len(rows) == 18, sorted(rows)
for name, row in rows.items():
    for run in ('unbounded', 'rc11'):
        r = row[run]
        assert r['pass'] + r['fail'] + r['left'] == r['tests'] == 100, (name, run, r)
for name, expected in fails.items():
    row = rows[name]
    got = row['unbounded']['fail'], row['rc11']['fail']
    left = row['unbounded']['left'], row['rc11']['left']
    assert left == (0, 0) and got == expected, (name, got, left)
PYTHON
