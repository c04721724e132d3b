# docs/DEPENDENCIES.md gives a reason for every package that tools/setup installs, and
# for no other.
"$SRC/tools/setup" --list | sort >installed
grep '^|' "$SRC/docs/DEPENDENCIES.md" | cut -d'|' -f2 | grep -o '`[^`]*`' | tr -d '`' | sort >explained
[[ -s installed ]]
diff installed explained
