#!/bin/sh
# expect.sh CODE COMMAND...: passes when COMMAND ends with exactly that exit code. CTest's
# WILL_FAIL would take an error for a violation.
expected=$1
shift
"$@"
code=$?
[ "$code" -eq "$expected" ] && exit 0
echo "plumb: exit code $code where $expected was expected (0 pass, 1 violation, 2 error, 3 unknown)" >&2
exit 1
