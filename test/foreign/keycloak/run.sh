# Starts Keycloak from Maven Central, runs the commands of docs/keycloak.md as they are, and signs users in and out in
# Chromium. Requires Java 17, Maven, curl, OpenSSL and Chromium.
version=26.5.0
# In the folder, because Maven leaves a file in the current one.
(
  cd "$OUT"
  mvn --batch-mode --quiet org.apache.maven.plugins:maven-dependency-plugin:3.8.1:unpack \
    -Dartifact=org.keycloak:keycloak-quarkus-dist:$version:zip -DoutputDirectory="$OUT" >&2
)
PATH=$OUT/keycloak-$version/bin:$PATH

keycloak_port=$(node -e 'const s = require("net").createServer().listen(0, () => { console.log(s.address().port); s.close(); })')
# The compiler that starts faster.
export JAVA_OPTS_APPEND=-XX:TieredStopAtLevel=1
export KC_BOOTSTRAP_ADMIN_USERNAME=admin KC_BOOTSTRAP_ADMIN_PASSWORD=admin KC_CLI_PASSWORD=admin
kc.sh start-dev --http-host=127.0.0.1 --http-port="$keycloak_port" >"$OUT/keycloak.log" 2>&1 &
keycloak=$!
stop() {
  local status=$?
  [ "$status" -eq 0 ] || tail --lines=50 "$OUT/keycloak.log" >&2
  kill "$keycloak" 2>/dev/null && wait "$keycloak" || true
}
trap stop EXIT
# `kill` ends the script if Keycloak has ended.
until curl --silent --fail --output /dev/null "http://127.0.0.1:$keycloak_port/realms/master"; do
  kill -0 "$keycloak"
  sleep 0.5
done

# Runs the commands of a section of the page, with this run's addresses and folder. Keycloak is at 127.0.0.1, so that it is
# another site than Signet at localhost, and browsers treat its cookies accordingly.
section() {
  local commands
  commands=$(sed -n "/^#* $1\$/,/^#/p" docs/keycloak.md | sed -n '/^ *```sh/,/^ *```$/p' | sed -e '/^ *```/d' \
    -e "s#localhost:8080#localhost:$PORT#" -e "s#localhost:8180#127.0.0.1:$keycloak_port#" -e "s#data/#$DATA_DIR/#g")
  [ -n "$commands" ]
  eval "$commands" >>"$OUT/commands.log"
}

# `kcadm.sh` keeps its access token in the home folder.
export KC_OPTS="-Duser.home=$OUT -XX:TieredStopAtLevel=1"
section "Keycloak"
kcadm.sh create realms -s realm="$REALM" -s enabled=true
section "Keycloak as provider"
node test/foreign/keycloak/keycloak-as-provider.ts local
section "Sign-out at Keycloak"
node test/foreign/keycloak/keycloak-as-provider.ts federated
section "Keycloak as SAML provider"
node test/foreign/keycloak/keycloak-as-saml-provider.ts redirect
section "Requests by a form, sign-ins that begin at Keycloak"
node test/foreign/keycloak/keycloak-as-saml-provider.ts post
section "Signet as provider for Keycloak"
node test/foreign/keycloak/signet-as-provider.ts
section "Without a shared secret"
node test/foreign/keycloak/signet-as-provider.ts "a sign-out from Keycloak"
