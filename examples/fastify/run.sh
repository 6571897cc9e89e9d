# Installs Fastify in a copy of the example, and checks the API that it serves.
cp -r examples/fastify "$OUT/api"
npm install --silent --no-audit --no-fund --no-package-lock --prefix "$OUT/api"
node test/foreign/apis/check-api.ts "$OUT/api" node api.js
