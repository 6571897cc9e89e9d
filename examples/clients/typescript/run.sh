# Packs the client, and installs it in a separate project. Its dependencies are copied from this repository, so no
# network is needed.
npm run --silent pack:client -- "$OUT"
npm pack --silent --pack-destination "$OUT" ./node_modules/@bufbuild/protobuf ./node_modules/@connectrpc/connect \
  ./node_modules/@connectrpc/connect-node ./node_modules/@connectrpc/connect-web \
  ./node_modules/@types/node ./node_modules/undici-types
cp examples/clients/typescript/{package.json,tsconfig.json,client.ts} "$OUT"
npm install --silent --offline --prefix "$OUT" "$OUT"/*.tgz
npx tsc --project "$OUT"
npx node "$OUT/client.ts"
