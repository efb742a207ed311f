#!/bin/sh
# Runs uv with the given arguments. If the machine has none, installs one in .tools/ by package name.
set -eu
version=0.13.7
here=$(cd "$(dirname "$0")/.." && pwd)
tools=$here/.tools
python=${PYTHON:-python3}

say() { printf '%s\n' "$*" >&2; }

install_uv() {
    mkdir -p "$tools"
    # Uses a private environment if venv works, else pip into a folder (Debian may lack venv), else apt if we are root.
    if "$python" -m venv "$tools/env" >/dev/null 2>&1; then
        "$tools/env/bin/python" -m pip install --quiet --disable-pip-version-check "uv==$version"
        return
    fi
    rm -rf "$tools/env"
    if ! "$python" -m pip --version >/dev/null 2>&1; then
        if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
            say "upcard: installing python3-pip (this Python has neither venv nor pip)"
            apt-get update -qq >&2 && apt-get install -y -qq python3-pip >&2
        else
            say "upcard: this Python has neither venv nor pip; install python3-venv (as root: apt-get install python3-venv) and run make again"
            exit 1
        fi
    fi
    "$python" -m pip install --quiet --disable-pip-version-check --target "$tools/lib" "uv==$version"
    mkdir -p "$tools/env/bin"
    ln -sf "$tools/lib/bin/uv" "$tools/env/bin/uv"
}

if command -v uv >/dev/null 2>&1; then
    exec uv "$@"
fi
if [ ! -x "$tools/env/bin/uv" ]; then
    say "upcard: installing uv $version in .tools/"
    install_uv 1>&2
fi
exec "$tools/env/bin/uv" "$@"
