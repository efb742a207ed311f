#!/bin/sh
# Says where a Chromium is, and installs Debian's where there is none and we may.
set -eu
for name in chromium chromium-browser google-chrome; do
    if command -v "$name" >/dev/null 2>&1; then
        command -v "$name"
        exit 0
    fi
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    printf '%s\n' "upcard: installing chromium for the browser tests" >&2
    { apt-get update -qq && apt-get install -y -qq chromium; } >&2
    command -v chromium
    exit 0
fi
printf '%s\n' "upcard: the browser tests need Chromium; install it (as root: apt-get install chromium) and run make again" >&2
exit 1
