# Installs the SDK in a copy of the example, and calls the server with the SDK's client.
cp -r examples/mcp-server "$OUT/server"
npm install --silent --no-audit --no-fund --no-package-lock --prefix "$OUT/server"
openssl req -x509 -days 2 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost \
  -addext subjectAltName=DNS:localhost -keyout "$OUT/key.pem" -out "$OUT/cert.pem" 2>"$OUT/openssl.log"
node test/foreign/mcp/check-mcp-server.ts "$OUT"
