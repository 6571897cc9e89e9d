curl -sS --fail-with-body https://id.example.com/oauth/v2/token --user "YOUR_CLIENT_ID:$CLIENT_SECRET" -d grant_type=client_credentials
