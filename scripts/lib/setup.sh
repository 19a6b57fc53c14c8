# Set-up shared by scripts/test and scripts/demo; sourced, with the repository root as working directory. Every
# function may run twice; what is in place is left alone.

MIN_NODE="20.19.0"
PACKAGE_LIST="scripts/lib/debian-packages.txt"

say() { printf '%s\n' "$*"; }
complain() { printf '%s\n' "$*" >&2; }

require_node() {
  if ! command -v node >/dev/null 2>&1 || ! command -v npm >/dev/null 2>&1; then
    complain "Node $MIN_NODE or later with npm is needed and was not found. Install it from https://nodejs.org/ and run this again."
    exit 2
  fi
  local have
  have="$(node -p 'process.versions.node')"
  if ! node -e '
    const [have, need] = process.argv.slice(1).map((text) => text.split(".").map(Number));
    const at = need.findIndex((part, index) => part !== have[index]);
    process.exit(at < 0 || have[at] > need[at] ? 0 : 1);' "$have" "$MIN_NODE"; then
    complain "Node $MIN_NODE or later is needed; this is Node $have ($(command -v node)). Install a newer one and run this again."
    exit 2
  fi
}

install_node_modules() {
  # npm writes this file last, so it marks a finished installation.
  local stamp=node_modules/.package-lock.json
  if [ -f "$stamp" ] && ! [ package-lock.json -nt "$stamp" ]; then return; fi
  say "Installing the packages of package-lock.json (npm ci) ..."
  npm ci --no-audit --no-fund
  touch "$stamp"
}

build_package() {
  say "Building dist/ (npm run build) ..."
  npm run --silent build
  # npx marks it as a program when it links it, once; a file that is built anew has lost that.
  chmod +x dist/cli/main.js
}

# Names of the packages whose probe is not there, one a line.
missing_debian_packages() {
  local name probe purpose
  while read -r name probe purpose; do
    case "$name" in '' | '#'*) continue ;; esac
    case "$probe" in
      /*) [ -e "$probe" ] || printf '%s\n' "$name" ;;
      *) command -v "$probe" >/dev/null 2>&1 || printf '%s\n' "$name" ;;
    esac
  done <"$PACKAGE_LIST"
}

# Sets MISSING_PACKAGES to what is still missing in the end. $1 is "yes" when --install was given.
ensure_debian_packages() {
  MISSING_PACKAGES="$(missing_debian_packages | tr '\n' ' ')"
  MISSING_PACKAGES="${MISSING_PACKAGES% }"
  if [ -z "$MISSING_PACKAGES" ]; then return; fi
  if ! command -v apt-get >/dev/null 2>&1; then
    say "No apt-get here. Missing for a virtual display (Debian names): $MISSING_PACKAGES"
    return
  fi
  local as_root=()
  if [ "$(id -u)" != 0 ]; then
    if [ "$1" != yes ]; then
      say "Missing Debian packages. Install them with --install, or by hand:"
      say "  sudo apt-get update && sudo apt-get install -y --no-install-recommends $MISSING_PACKAGES"
      return
    fi
    as_root=(sudo)
  fi
  say "Installing Debian packages: $MISSING_PACKAGES"
  # shellcheck disable=SC2086  # the list is meant to be split
  if ! { ${as_root[@]+"${as_root[@]}"} apt-get update -qq &&
    DEBIAN_FRONTEND=noninteractive ${as_root[@]+"${as_root[@]}"} apt-get install -y -qq --no-install-recommends \
      $MISSING_PACKAGES >/dev/null; }; then
    complain "apt-get failed; going on with what is here."
  fi
  MISSING_PACKAGES="$(missing_debian_packages | tr '\n' ' ')"
  MISSING_PACKAGES="${MISSING_PACKAGES% }"
}
