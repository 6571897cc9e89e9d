import { type Snippet, type SnippetValues, toSnippet } from "./snippet.ts";

/** Checks a token of a user, as an API does. */
export function toCurl({ issuer, clientId }: SnippetValues): Snippet {
  const text = `# The endpoints.
curl -sS --fail-with-body ${issuer}/.well-known/openid-configuration

# Whether an access token is valid, and for whom.
curl -sS --fail-with-body ${issuer}/oauth/v2/introspect --user "${clientId}:$CLIENT_SECRET" --data-urlencode "token=$ACCESS_TOKEN"
`;
  return toSnippet("curl", "Shell", { sh: text });
}

/** Signs in on a device, without a browser there. */
export function toCurlDevice({ issuer, clientId }: SnippetValues): Snippet {
  const text = `# Open verification_uri_complete of the response in a browser, and sign in.
curl -sS --fail-with-body ${issuer}/oauth/v2/device_authorization -d client_id=${clientId} -d scope=openid

# Then get the tokens with device_code of the response.
curl -sS --fail-with-body ${issuer}/oauth/v2/token -d client_id=${clientId} -d "device_code=$DEVICE_CODE" -d grant_type=urn:ietf:params:oauth:grant-type:device_code
`;
  return toSnippet("curl", "Shell", { sh: text });
}

/** Gets a token without a user. */
export function toCurlService({ issuer, clientId }: SnippetValues): Snippet {
  const text = `curl -sS --fail-with-body ${issuer}/oauth/v2/token --user "${clientId}:$CLIENT_SECRET" -d grant_type=client_credentials
`;
  return toSnippet("curl", "Shell", { sh: text });
}
