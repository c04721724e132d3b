# Line-Up's Table 2: 100 random tests of 3x3 for each of its 18 rows. Rows with a root cause have tests
# that fail, the others none; where all 100 come to an end, how many fail is fixed by the seed.
# timeout: 7200
source "$SRC/tests/check/lib.bash"
expect 0 bench papers --only lineup --subjects "$SRC/subjects" --seconds 60 --json table.json
cat out
python3 - <<'PYTHON'
import json
# Failing tests under sc, of the rows that are explored to their end in far less than the time.
fails = {'Lazy Initialization': 0, 'ManualResetEvent(Pre)': 32, 'CountdownEvent': 0,
         'ConcurrentDictionary': 0, 'TaskCompletionSource(Pre)': 56, 'TaskCompletionSource': 51,
         'CancellationTokenSource': 0}
rows = {row['name']: row for row in json.load(open('table.json'))['rows']}
assert len(rows) == 18, sorted(rows)
for name, row in rows.items():
    for run in ('unbounded', 'rc11'):
        r = row[run]
        assert r['pass'] + r['fail'] + r['left'] == r['tests'] == 100, (name, run, r)
for name, expected in fails.items():
    r = rows[name]['unbounded']
    assert r['left'] == 0 and r['fail'] == expected, (name, r)
PYTHON
