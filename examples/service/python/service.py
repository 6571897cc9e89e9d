import os

from authlib.integrations.requests_client import OAuth2Session

session = OAuth2Session("YOUR_CLIENT_ID", os.environ["CLIENT_SECRET"])
token = session.fetch_token("https://id.example.com/oauth/v2/token", grant_type="client_credentials")
print(token["access_token"])
