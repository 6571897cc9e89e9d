# Lints the OpenAPI document with the rules for OpenAPI. Warnings fail, too.
npm install --silent --prefix "$OUT" @stoplight/spectral-cli@6.16.3
"$OUT/node_modules/.bin/spectral" lint --fail-severity warn --ruleset test/foreign/spectral/ruleset.yaml gen/openapi.json
