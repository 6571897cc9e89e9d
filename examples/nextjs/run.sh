# Installs Next.js in a copy of the example, builds it, and signs users in and out.
cp -r examples/nextjs "$OUT/app"
npm install --silent --no-audit --no-fund --no-package-lock --prefix "$OUT/app"
export NEXT_TELEMETRY_DISABLED=1
npm run --silent --prefix "$OUT/app" build >"$OUT/build.log" || { cat "$OUT/build.log"; exit 1; }
node test/foreign/apis/check-sign-in.ts "$OUT/app" node node_modules/next/dist/bin/next start --port
