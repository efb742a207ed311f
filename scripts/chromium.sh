#!/bin/sh
# Says where a Chromium is, and installs Debian's where there is none and we may. Beside it goes Chromium's headless shell, in
# which most browser tests run, and sooner; where it cannot be had they run in the whole browser too.
set -eu
here=$(dirname "$0")/..
without="$here/.tools/no-headless-shell"

find_chromium() {
    for name in chromium chromium-browser google-chrome; do
        command -v "$name" && return
    done
    return 1
}

may_install() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1
}

if may_install; then
    if ! find_chromium >/dev/null; then
        printf '%s\n' "upcard: installing chromium for the browser tests" >&2
        { apt-get update -qq && apt-get install -y -qq chromium; } >&2
    fi
    if ! command -v chromium-headless-shell >/dev/null 2>&1 && ! [ -e "$without" ]; then
        printf '%s\n' "upcard: installing chromium-headless-shell, in which the browser tests are quicker" >&2
        if ! { apt-get update -qq -o Acquire::http::Timeout=10 && apt-get install -y -qq chromium-headless-shell; } >&2; then
            printf '%s\n' "upcard: it cannot be had; the browser tests do without, until $without is removed" >&2
            mkdir -p "$here/.tools" && touch "$without"
        fi
    fi
fi
if ! find_chromium; then
    printf '%s\n' "upcard: the browser tests need Chromium; install it (as root: apt-get install chromium) and run make again" >&2
    exit 1
fi
