# The endpoints.
curl -sS --fail-with-body https://id.example.com/.well-known/openid-configuration

# Whether an access token is valid, and for whom.
curl -sS --fail-with-body https://id.example.com/oauth/v2/introspect --user "YOUR_CLIENT_ID:$CLIENT_SECRET" --data-urlencode "token=$ACCESS_TOKEN"
