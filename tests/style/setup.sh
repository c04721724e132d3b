# tools/setup, on machines made of a few small scripts: dpkg-query knows what the file
# `have` lists, apt-get and sudo write down how they were called.
real=$PATH
mkdir tools bin
for tool in bash env cat id; do ln -s "$(command -v $tool)" tools/; done
"$SRC/tools/setup" --list >wanted
[[ $(wc -l <wanted) -gt 10 ]]

cat >bin/dpkg-query <<'X'
#!/usr/bin/env bash
while read -r package; do printf 'installed:%s ' "$package"; done <have
exit 1 # as the real one, when it does not know one of them
X
cat >bin/apt-get <<'X'
#!/usr/bin/env bash
echo "apt-get $*" >>calls
X
cat >bin/sudo <<'X'
#!/usr/bin/env bash
echo sudo >>calls
"$@"
X
chmod +x bin/*
id() { printf '#!/usr/bin/env bash\necho %s\n' "$1" >bin/id; chmod +x bin/id; }
setup() { : >calls; PATH=$PWD/bin:$PWD/tools bash "$SRC/tools/setup" "$@" >out 2>err; }
expect() { diff - calls; }

# Everything there: nothing is called and nothing is said.
id 0
cp wanted have
setup
expect </dev/null
[[ ! -s out && ! -s err ]]

# Two missing, as root.
grep -vx -e cppcheck -e gcc wanted >have
setup
expect <<'X'
apt-get update -q
apt-get install -q -y --no-install-recommends gcc cppcheck
X

# The same as a user with sudo, and without.
id 1000
setup
expect <<'X'
sudo
apt-get update -q
sudo
apt-get install -q -y --no-install-recommends gcc cppcheck
X
mv bin/sudo sudo.away
if setup; then
    echo "without rights it cannot have succeeded"
    exit 1
fi
expect </dev/null
grep -q 'missing: gcc cppcheck' err

# No apt: says what is needed.
rm bin/apt-get
setup
grep -q 'no apt here' err
grep -q 'libdw-dev' err
PATH=$real
