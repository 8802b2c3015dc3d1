#!/bin/sh
# Prints the first interpreter on PATH that is recent enough and can make virtual environments.
# Every folder of PATH is looked at, because a name may be there without working (a version manager's shim).

can_run='import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))'
found=
IFS=:
for folder in $PATH; do
    for name in python3 python3.11 python3.12 python3.13 python3.14 python; do
        candidate=$folder/$name
        [ -x "$candidate" ] || continue
        if "$candidate" -c "$can_run" >/dev/null 2>&1; then
            echo "$candidate"
            exit 0
        fi
        version=$("$candidate" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || continue
        found="$found $candidate ($version)"
    done
done
{
    echo "error: Stateglass needs Python 3.11 or newer with its venv and ensurepip modules, and PATH has none."
    [ -z "$found" ] || echo "  found:$found"
    echo "  help: install Python 3.11 or newer (on Debian and Ubuntu: python3 and python3-venv)"
} >&2
exit 1
