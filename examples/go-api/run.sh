# Compiles the example with go-oidc, and checks the API that it serves.
cp -r examples/go-api "$OUT/api"
(cd "$OUT/api" && go build -o api .)
node test/foreign/apis/check-api.ts "$OUT/api" ./api
