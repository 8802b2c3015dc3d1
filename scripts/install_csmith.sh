#!/bin/sh
# Installs csmith, which makes random C programs, and its headers where apt can do so. Succeeds if they are there.

present() {
    command -v csmith >/dev/null && ls /usr/include/csmith*/csmith.h /usr/local/include/csmith*/csmith.h 2>/dev/null |
        grep -q .
}

present && exit 0
if ! command -v apt-get >/dev/null || [ "$(id -u)" -ne 0 ]; then
    echo "csmith is not installed, and only root can install it with apt: its programs are skipped"
    echo "  help: install the packages csmith and libcsmith-dev (Debian, Ubuntu)"
    exit 1
fi
echo "csmith is not installed: apt-get install csmith libcsmith-dev"
export DEBIAN_FRONTEND=noninteractive
apt-get install -y -qq csmith libcsmith-dev >/dev/null 2>&1 ||
    { apt-get update -qq && apt-get install -y -qq csmith libcsmith-dev; } >/dev/null 2>&1
if present; then
    exit 0
fi
echo "apt could not install csmith: its programs are skipped"
exit 1
