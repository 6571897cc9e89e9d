import { type Snippet, type SnippetValues, toSnippet } from "./snippet.ts";

/** A page with oidc-client-ts. */
export function toBrowser({ issuer, clientId, redirectUri }: SnippetValues): Snippet {
  const text = `import { UserManager } from "oidc-client-ts";

const signet = new UserManager({
  authority: "${issuer}",
  client_id: "${clientId}",
  redirect_uri: "${redirectUri}",
  scope: "openid profile email",
});

if (location.href.startsWith("${redirectUri}?")) {
  const user = await signet.signinCallback();
  console.log(user.profile.sub);
} else {
  await signet.signinRedirect();
}
`;
  return toSnippet("oidc-client-ts", "React, Vue, Svelte", { npm: "npm install oidc-client-ts\n", "sign-in.js": text });
}

/** A Node program that gets tokens without users. */
export function toNodeService({ issuer, clientId }: SnippetValues): Snippet {
  const options = issuer.startsWith("http:")
    ? "\n  // Only on the local machine.\n  { execute: [client.allowInsecureRequests] },"
    : "";
  const text = `import * as client from "openid-client";

const signet = await client.discovery(
  new URL("${issuer}"),
  "${clientId}",
  undefined,
  client.ClientSecretBasic(process.env.CLIENT_SECRET),${options}
);
const tokens = await client.clientCredentialsGrant(signet);
console.log(tokens.access_token);
`;
  return toSnippet("openid-client", "Node.js", { npm: "npm install openid-client\n", "service.js": text });
}
