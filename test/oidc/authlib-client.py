"""An application with Authlib: prints an authorization URL, reads the callback, and prints what it got as JSON.

Arguments: issuer, client id, client secret or the file of a private key (private_key_jwt), redirect URI.
"""

import json
import os
import sys

import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import JsonWebKey, jwt
from authlib.oauth2.rfc7523 import PrivateKeyJWT
from authlib.oidc.core import CodeIDToken

issuer, client_id, client_secret, redirect_uri = sys.argv[1:]
metadata = requests.get(f"{issuer}/.well-known/openid-configuration", timeout=10).json()
assert metadata["issuer"] == issuer
has_key = os.path.exists(client_secret)
if has_key:
    with open(client_secret, encoding="ascii") as file:
        client_secret = file.read()
session = OAuth2Session(
    client_id,
    client_secret,
    token_endpoint_auth_method="private_key_jwt" if has_key else None,
    revocation_endpoint_auth_method="private_key_jwt" if has_key else None,
    scope="openid email offline_access",
    redirect_uri=redirect_uri,
    code_challenge_method="S256",
)
if has_key:
    session.register_client_auth_method(PrivateKeyJWT(metadata["token_endpoint"]))
verifier, nonce = generate_token(48), generate_token(20)
url, state = session.create_authorization_url(metadata["authorization_endpoint"], code_verifier=verifier, nonce=nonce)
print(url, flush=True)

callback = sys.stdin.readline().strip()
token = session.fetch_token(
    metadata["token_endpoint"], authorization_response=callback, state=state, code_verifier=verifier
)
keys = JsonWebKey.import_key_set(requests.get(metadata["jwks_uri"], timeout=10).json())
claims = jwt.decode(
    token["id_token"],
    keys,
    claims_cls=CodeIDToken,
    claims_options={"iss": {"essential": True, "value": issuer}, "aud": {"essential": True, "value": client_id}},
    claims_params={"nonce": nonce, "client_id": client_id, "access_token": token["access_token"]},
)
claims.validate()
userinfo = session.get(metadata["userinfo_endpoint"]).json()
refreshed = session.refresh_token(metadata["token_endpoint"], refresh_token=token["refresh_token"])
introspected = session.introspect_token(metadata["introspection_endpoint"], token=refreshed["access_token"]).json()
session.revoke_token(metadata["revocation_endpoint"], token=refreshed["access_token"])
revoked = session.introspect_token(metadata["introspection_endpoint"], token=refreshed["access_token"]).json()
print(json.dumps({"claims": claims, "userinfo": userinfo, "introspected": introspected, "revoked": revoked}))
