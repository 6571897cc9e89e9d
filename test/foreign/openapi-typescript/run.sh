# Generates types of the OpenAPI document, compiles a client with them, and runs it.
echo '{ "type": "module" }' >"$OUT/package.json"
npm install --silent --prefix "$OUT" openapi-typescript@7.13.0 openapi-fetch@0.17.0 typescript@5.9.3 @types/node@24.10.1
"$OUT/node_modules/.bin/openapi-typescript" gen/openapi.json --output "$OUT/signet.ts"
cp test/foreign/openapi-typescript/{client.ts,tsconfig.json} "$OUT"
"$OUT/node_modules/.bin/tsc" --project "$OUT"
node "$OUT/client.ts"
