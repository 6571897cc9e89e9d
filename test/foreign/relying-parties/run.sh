# Signs users in to relying parties from npm: older ones, which use no PKCE, and one with DPoP and pushed requests.
echo '{ "private": true }' >"$OUT/package.json"
npm install --silent --no-audit --no-fund --prefix "$OUT" \
  openid-client@5.7.1 express@5.3.0 express-session@1.19.0 passport@0.7.0 passport-openidconnect@0.1.2
cp test/foreign/relying-parties/*.cjs "$OUT"
node test/foreign/relying-parties/check-relying-parties.ts "$OUT"
