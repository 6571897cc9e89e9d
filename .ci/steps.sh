# What `.ci/run` and `.ci/full` share. Source it in the root of the repository.
set -euo pipefail
exec </dev/null
export CI=true DEBIAN_FRONTEND=noninteractive

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=()
shopt -s nullglob

# Runs a command in a subshell that stops at its first error. After a failed step, the others still run.
step() {
  local name=$1 since=$SECONDS status=0
  shift
  echo "--- $name"
  set +e
  (
    set -e
    "$@"
  )
  status=$?
  set -e
  [ "$status" -eq 0 ] || failed+=("$name")
  echo "--- $name: $([ "$status" -eq 0 ] && echo passed || echo FAILED) after $((SECONDS - since)) s"
  return 0
}

# Installs missing Debian packages. Takes pairs: a command that succeeds if the package is there, and its name.
install_packages() {
  local missing=()
  while [ $# -gt 0 ]; do
    bash -c "$1" >/dev/null 2>&1 || missing+=("$2")
    shift 2
  done
  if [ ${#missing[@]} -eq 0 ]; then
    echo "all installed"
  elif command -v apt-get >/dev/null && [ "$(id -u)" -eq 0 ]; then
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >"$work/apt.log" || { cat "$work/apt.log"; return 1; }
  else
    echo "missing, and cannot be installed: ${missing[*]}"
  fi
}

# For the parts of `.ci/full`: tests of proxies, poolers, alerts and browsers.
full_packages() {
  install_packages \
    "command -v curl" curl "command -v chromium" chromium "[ -x /usr/sbin/pgbouncer ]" pgbouncer \
    "[ -x /usr/sbin/haproxy ]" haproxy "[ -x /usr/sbin/nginx ]" nginx "command -v caddy" caddy "command -v promtool" prometheus
  # Debian has no package of Helm.
  if ! command -v helm >/dev/null && command -v go >/dev/null && [ "$(id -u)" -eq 0 ]; then
    GOBIN=/usr/local/bin go install helm.sh/helm/v3/cmd/helm@v3.19.0
  fi
}

# Runs tests. Their results are counted by `finish`.
run_tests() {
  local script=$1
  shift
  npm run "$script" -- --json --outputFile="$(mktemp "$work/jest-XXXX.json")" "$@"
}

# Prints the failed steps and the count of all tests. Fails if a step has failed. A suite that failed to run counts as a failure.
finish() {
  [ ${#failed[@]} -eq 0 ] || printf 'failed step: %s\n' "${failed[@]}"
  node -e '
    let [passed, failed] = [0, 0];
    for (const file of process.argv.slice(1)) {
      let result = { numPassedTests: 0, numFailedTests: 1, numRuntimeErrorTestSuites: 0 };
      try { result = JSON.parse(require("fs").readFileSync(file, "utf8")); } catch {}
      passed += result.numPassedTests;
      failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
    }
    console.log(`${passed} passed, ${failed} failed`);
  ' "$work"/jest-*.json
  [ ${#failed[@]} -eq 0 ]
}

# Prints the part of `.ci/parts` with this name: its command, or the paths it depends on.
part_command() { awk -F ' *\\| *' -v name="$1" '$1 == name { print $2 }' .ci/parts; }
part_paths() { awk -F ' *\\| *' -v name="$1" '$1 == name { print $3 }' .ci/parts; }
part_names() { awk -F ' *\\| *' '/^[a-z]/ { print $1 }' .ci/parts; }

# Runs a part of `.ci/full`.
run_part() {
  local command arguments
  read -ra arguments <<<"$(part_command "$1")"
  command=${arguments[0]}
  case $command in
    test:slow | test:embedded) run_tests "${arguments[@]}" ;;
    *) npm run "${arguments[@]}" ;;
  esac
}
