"""An API that checks access tokens with Authlib: `python api.py <identifier> [introspector]`. The identifier is that of
`signet api add`. With the output of `signet app create --json` for an application that may introspect its tokens, the API
asks Signet about each token; otherwise, it verifies signatures. It listens on http://localhost:3001.
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


audience, *introspectors = sys.argv[1:]
issuer = os.environ.get("SIGNET_URL", "http://localhost:8080")
port = int(os.environ.get("API_PORT", "3001"))

require_token = ResourceProtector()
if introspectors:
    require_token.register_token_validator(Introspection(issuer, read(introspectors[0]), audience))
else:
    require_token.register_token_validator(Signature(issuer, audience))

app = Flask(__name__)


@app.get("/orders")
@require_token("orders:read")
def orders():
    return {"user": current_token["sub"], "orders": []}


@app.get("/invoices")
@require_token("invoices:read")
def invoices():
    return {"user": current_token["sub"], "invoices": []}


# The server of Flask's documentation, for development. In production, use a WSGI server such as Gunicorn.
server = make_server("localhost", port, app, threaded=True)
print(f"listening on http://localhost:{port}", flush=True)
server.serve_forever()
