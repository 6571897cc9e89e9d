# Lints the OpenAPI document with the recommended rules.
npm install --silent --prefix "$OUT" @redocly/cli@2.77.0
# The published paths of the kinds of providers are ambiguous in theory, but no provider has the name of a kind as its id.
"$OUT/node_modules/.bin/redocly" lint --skip-rule no-ambiguous-paths --format stylish gen/openapi.json 2>&1
