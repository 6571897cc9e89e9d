import { pathOf, type Snippet, type SnippetValues, toSnippet } from "./snippet.ts";

/** A server with Flask and Authlib. */
export function toAuthlib(values: SnippetValues): Snippet {
  const text = `import os

from authlib.integrations.flask_client import OAuth
from flask import Flask, redirect, session

app = Flask(__name__)
# At least 32 random characters, which sign the cookie.
app.secret_key = os.environ["SESSION_SECRET"]
oauth = OAuth(app)
oauth.register(
    "signet",
    client_id="${values.clientId}",
    client_secret=os.environ["CLIENT_SECRET"],
    server_metadata_url="${values.issuer}/.well-known/openid-configuration",
    client_kwargs={"scope": "openid profile email", "code_challenge_method": "S256"},
)


@app.get("/me")
def me():
    return session.get("user") or '<a href="/sign-in">Sign in</a>'


@app.get("/sign-in")
def sign_in():
    return oauth.signet.authorize_redirect("${values.redirectUri}")


@app.get("${pathOf(values)}")
def signed_in():
    oauth.signet.authorize_access_token()
    session["user"] = dict(oauth.signet.userinfo())
    return redirect("/me")
`;
  return toSnippet("Flask", "Python, Authlib", { pip: "pip install Authlib Flask requests\n", "app.py": text });
}

/** A Python program that gets tokens without users. */
export function toAuthlibService({ issuer, clientId }: SnippetValues): Snippet {
  const text = `import os

from authlib.integrations.requests_client import OAuth2Session

session = OAuth2Session("${clientId}", os.environ["CLIENT_SECRET"])
token = session.fetch_token("${issuer}/oauth/v2/token", grant_type="client_credentials")
print(token["access_token"])
`;
  return toSnippet("Authlib", "Python", { pip: "pip install Authlib requests\n", "service.py": text });
}
