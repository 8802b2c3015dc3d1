#!/bin/sh
# A fresh machine, as far as this one can be made to look like it: what is committed, cloned; an empty home, an empty cache
# of pip, no compiler, 80 columns, no terminal. Runs `make demo`, the tests that are named, if any, and the installed
# package without the repository.
#
#   sh scripts/fresh.sh                              with python3
#   PYTHON=python3.13 sh scripts/fresh.sh tests/cli  with another Python, and these tests as well

set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
real=$("${PYTHON:-python3}" -c 'import os, sys; print(os.path.realpath(sys.executable))')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/home" "$work/elsewhere"

# All programs of this machine but compilers and other Pythons.
IFS=:
for folder in $PATH; do
    for program in "$folder"/*; do
        name=${program##*/}
        case $name in
            cc | gcc | g++ | c++ | c89 | c99 | clang | clang++ | tcc | *-gcc | *-g++ | cc-* | gcc-* | g++-* | clang-* | clang++-*) ;;
            *-gcc-[0-9]* | *-g++-[0-9]* | python* | pip*) ;;
            *) [ -x "$program" ] && [ ! -e "$work/bin/$name" ] && ln -s "$program" "$work/bin/$name" ;;
        esac
    done
done
unset IFS
printf '#!/bin/sh\nexec "%s" "$@"\n' "$real" > "$work/bin/python3"
chmod +x "$work/bin/python3"

# How pip comes to its packages is the machine's own business.
settings=${PIP_CONFIG_FILE:-$HOME/.config/pip/pip.conf}
alone() { # FOLDER COMMAND…: runs a command there, on the fresh machine
    echo "== $2 ${3-} ${4-} ${5-}" >&2
    (
        cd "$1" && shift
        status=0
        env -i PATH="$work/bin" HOME="$work/home" COLUMNS=80 PIP_CONFIG_FILE="$settings" PIP_NO_CACHE_DIR=1 \
            ${PIP_INDEX_URL:+PIP_INDEX_URL="$PIP_INDEX_URL"} ${https_proxy:+https_proxy="$https_proxy"} "$@" 2>&1 || status=$?
        echo "status $status"
    ) | cat > "$work/said"
    cat "$work/said" >&2
    tail -n 1 "$work/said" | sed 's/status //'
}
must() { # STATUS FOLDER COMMAND…: the command must end with that status, and never with a traceback
    expected=$1
    shift
    [ "$(alone "$@")" = "$expected" ] || { echo "fresh: failed: it should end with $expected: $2 ${3-} ${4-}"; exit 1; }
    ! grep -q Traceback "$work/said" || { echo "fresh: failed: a traceback: $2 ${3-} ${4-}"; exit 1; }
}

git clone --quiet "$here" "$work/clone"
must 0 "$work/clone" make demo
[ $# -eq 0 ] || must 0 "$work/clone" .venv/bin/python -m pytest -q -rs "$@"

must 0 "$work/elsewhere" python3 -m venv "$work/installed"
must 0 "$work/elsewhere" "$work/installed/bin/pip" install --quiet --disable-pip-version-check "$work/clone"
cp "$work/clone/examples/timer/timer.c" "$work/clone/examples/store/store.ccl" "$work/elsewhere"
rm -rf "$work/clone"
cat > "$work/elsewhere/blink.c" <<'C'
static int lit;
void tick(void) { lit = !lit; }
int is_lit(void) { return lit; }
int share(int of) { return 12 / of; }
C
stateglass() { # STATUS WORD…
    expected=$1
    shift
    must "$expected" "$work/elsewhere" "$work/installed/bin/stateglass" "$@"
}
stateglass 0 --help
stateglass 0 --version
stateglass 0 doctor blink.c
stateglass 0 extract blink.c --function tick --function is_lit -o blink.sg -o blink.svg
stateglass 0 info blink.sg
stateglass 1 check blink.c --function share --bound share.of=0..3 -o evidence.json
stateglass 0 check blink.c --function tick --claim 'G [lit == 0 || lit == 1]'
stateglass 2 replay evidence.json
stateglass 1 reflect timer.c --states t
stateglass 1 assembly store.ccl
stateglass 2 extract missing.c
stateglass 0 demo
echo "== fresh: all as it should be, with $("$real" --version)"
