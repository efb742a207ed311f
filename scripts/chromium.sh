#!/bin/sh
# Prints the path of Chromium, and installs Debian's if there is none and we are root. Also installs Chromium's headless shell,
# which makes most browser tests faster; without it they run in the full browser.
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
        { apt-get update -qq && apt-get -o DPkg::Lock::Timeout=300 install -y -qq chromium; } >&2
    fi
    if ! command -v chromium-headless-shell >/dev/null 2>&1 && ! [ -e "$without" ]; then
        printf '%s\n' "upcard: installing chromium-headless-shell, which makes the browser tests faster" >&2
        if ! { apt-get update -qq -o Acquire::http::Timeout=10 && apt-get -o DPkg::Lock::Timeout=300 install -y -qq chromium-headless-shell; } >&2; then
            printf '%s\n' "upcard: not available; the browser tests run without it (to try again, remove $without)" >&2
            mkdir -p "$here/.tools" && touch "$without"
        fi
    fi
fi
if ! find_chromium; then
    printf '%s\n' "upcard: the browser tests need Chromium; install it (as root: apt-get install chromium) and run make again" >&2
    exit 1
fi
