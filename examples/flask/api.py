"""An API that checks access tokens with Authlib: `python api.py introspection <API> <application>`, or
`python api.py jwt <application>`. The files are the output of `signet app create --json`: for the API itself, and for
the application whose users may call it. It listens on http://localhost:3001.
"""

import json
import os
import sys

from authlib.integrations.flask_oauth2 import ResourceProtector, current_token
from flask import Flask
from werkzeug.serving import make_server

from signet import Introspection, Signature


def read(file):
    with open(file, encoding="utf-8") as opened:
        return json.load(opened)


mode, *files = sys.argv[1:]
apps = [read(file) for file in files]
issuer = os.environ.get("SIGNET_URL", "http://localhost:8080")
port = int(os.environ.get("API_PORT", "3001"))
audience = apps[-1]["clientId"]

require_token = ResourceProtector()
if mode == "jwt":
    require_token.register_token_validator(Signature(issuer, audience))
else:
    require_token.register_token_validator(Introspection(issuer, apps[0], audience))

app = Flask(__name__)


@app.get("/orders")
@require_token()
def orders():
    return {"user": current_token["sub"], "orders": []}


@app.get("/profile")
@require_token("profile")
def profile():
    return {"user": current_token["sub"]}


# The server of Flask's documentation, for development. In production, use a WSGI server such as Gunicorn.
server = make_server("localhost", port, app, threaded=True)
print(f"listening on http://localhost:{port}", flush=True)
server.serve_forever()
