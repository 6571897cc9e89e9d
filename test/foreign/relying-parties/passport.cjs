// An application with passport-openidconnect, which has no PKCE: `node passport.cjs <port>`. See check-relying-parties.ts.
const express = require("express");
const session = require("express-session");
const passport = require("passport");
const { Strategy } = require("passport-openidconnect");

const { SIGNET_URL, APP_ORIGIN, CLIENT_ID, CLIENT_SECRET } = process.env;
const strategy = new Strategy(
  {
    issuer: SIGNET_URL,
    authorizationURL: `${SIGNET_URL}/oauth/v2/authorize`,
    tokenURL: `${SIGNET_URL}/oauth/v2/token`,
    userInfoURL: `${SIGNET_URL}/oidc/v1/userinfo`,
    clientID: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    callbackURL: `${APP_ORIGIN}/signed-in`,
    scope: "email",
    skipUserProfile: false,
  },
  (_issuer, profile, _context, _idToken, _accessToken, refreshToken, done) => done(null, { profile, refreshToken }),
);
passport.use(strategy);

const app = express();
app.use(session({ secret: CLIENT_SECRET, resave: false, saveUninitialized: false }));
app.get("/", (_request, response) => response.send("Sign in"));
app.get("/sign-in", passport.authenticate(strategy.name, { session: false }));
app.get("/signed-in", passport.authenticate(strategy.name, { session: false }), (request, response) => {
  const { id, emails } = request.user.profile;
  response.json({ sub: id, email: emails[0].value });
});

app.listen(Number(process.argv[2]), "127.0.0.1");
