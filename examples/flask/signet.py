"""Validators of access tokens, for Authlib's ResourceProtector."""

import time

import requests
from authlib.oauth2.rfc6750 import InvalidTokenError
from authlib.oauth2.rfc7662 import IntrospectTokenValidator
from authlib.oauth2.rfc9068 import JWTBearerTokenValidator


class Introspection(IntrospectTokenValidator):
    """Asks Signet about each token (RFC 7662), so a token that was revoked is rejected immediately.

    `introspector` has the client id and secret of an application that may introspect the tokens of the API, and `audience`
    is the identifier of the API.
    """

    def __init__(self, issuer, introspector, audience):
        super().__init__()
        self.url = f"{issuer}/oauth/v2/introspect"
        self.credentials = (introspector["clientId"], introspector["clientSecret"])
        self.audience = audience

    def introspect_token(self, token_string):
        fields = {"token": token_string, "token_type_hint": "access_token"}
        response = requests.post(self.url, data=fields, auth=self.credentials, timeout=5)
        response.raise_for_status()
        return response.json()

    def validate_token(self, token, scopes, request, **kwargs):
        # A refresh token is active too, but has no `token_type`.
        if token.get("token_type") != "Bearer" or token.get("aud") != self.audience:
            raise InvalidTokenError()
        super().validate_token(token, scopes, request, **kwargs)


# Signet publishes new keys ten minutes before it signs with them.
KEYS_SECONDS = 300


class Signature(JWTBearerTokenValidator):
    """Verifies JSON Web Tokens (RFC 9068) with the keys of Signet, without a request for each. A token is accepted until it
    expires. Authlib checks `typ`, which tells access tokens from ID tokens with the same issuer and key.
    """

    def __init__(self, issuer, audience):
        super().__init__(issuer=issuer, resource_server=audience)
        self.url = f"{issuer}/oauth/v2/keys"
        self.keys = None
        self.loaded = 0.0

    def get_jwks(self):
        if self.keys is None or time.monotonic() - self.loaded > KEYS_SECONDS:
            response = requests.get(self.url, timeout=5)
            response.raise_for_status()
            self.keys = response.json()
            self.loaded = time.monotonic()
        return self.keys

    def authenticate_token(self, token_string):
        try:
            return super().authenticate_token(token_string)
        except ValueError as error:
            # joserfc knows no key with the id in the header.
            raise InvalidTokenError() from error
