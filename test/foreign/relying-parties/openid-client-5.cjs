// An application with openid-client 5, without PKCE: `node openid-client-5.cjs <port>`. See check-relying-parties.ts.
const express = require("express");
const session = require("express-session");
const { Issuer, generators } = require("openid-client");

const { SIGNET_URL, APP_ORIGIN, CLIENT_ID, CLIENT_SECRET } = process.env;
const redirect_uri = `${APP_ORIGIN}/signed-in`;
const app = express();
app.use(session({ secret: CLIENT_SECRET, resave: false, saveUninitialized: false }));

const connected = Issuer.discover(SIGNET_URL).then(
  ({ Client }) => new Client({ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: [redirect_uri] }),
);

app.get("/", (_request, response) => response.send("Sign in"));

app.get("/sign-in", async (request, response) => {
  const client = await connected;
  request.session.checks = { state: generators.state(), nonce: generators.nonce() };
  response.redirect(client.authorizationUrl({ scope: "openid email offline_access", ...request.session.checks }));
});

app.get("/signed-in", async (request, response) => {
  const client = await connected;
  const tokens = await client.callback(redirect_uri, client.callbackParams(request), {
    ...request.session.checks,
    response_type: "code",
  });
  const userinfo = await client.userinfo(tokens);
  const refreshed = await client.refresh(tokens);
  response.json({ sub: tokens.claims().sub, refreshed: refreshed.claims().sub, email: userinfo.email });
});

app.listen(Number(process.argv[2]), "127.0.0.1");
