# Sends generated requests, valid and invalid, to every operation of the OpenAPI document, and checks every response.
python3 -m venv "$OUT/venv"
"$OUT/venv/bin/pip" install --quiet --disable-pip-version-check schemathesis==4.32.5
cp test/foreign/schemathesis/{hooks.py,schemathesis.toml} gen/openapi.json "$OUT"
cd "$OUT"
USER_ID=$(curl --silent --fail "http://$SIGNET_ADDRESS/management/v1/users/human/_import" \
  -H "authorization: Bearer $SIGNET_TOKEN" -H 'content-type: application/json' \
  -d '{"userName":"schemathesis","profile":{"firstName":"Ada","lastName":"Lovelace"},"email":{"email":"ada@example.com"}}' |
  node -p 'JSON.parse(require("fs").readFileSync(0, "utf8")).userId')
export USER_ID
# Without allow_header_conformance: paths such as /users/_search also match /users/{id}, so they allow the methods of both.
SCHEMATHESIS_HOOKS=hooks PYTHONPATH=. venv/bin/st run --no-color --checks all --exclude-checks allow_header_conformance \
  --phases examples,coverage,fuzzing --url "http://$SIGNET_ADDRESS" openapi.json
