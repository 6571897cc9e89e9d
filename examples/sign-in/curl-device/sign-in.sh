# Open verification_uri_complete of the response in a browser, and sign in.
curl -sS --fail-with-body https://id.example.com/oauth/v2/device_authorization -d client_id=YOUR_CLIENT_ID -d scope=openid

# Then get the tokens with device_code of the response.
curl -sS --fail-with-body https://id.example.com/oauth/v2/token -d client_id=YOUR_CLIENT_ID -d "device_code=$DEVICE_CODE" -d grant_type=urn:ietf:params:oauth:grant-type:device_code
