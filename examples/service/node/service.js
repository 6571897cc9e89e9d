import * as client from "openid-client";

const issuer = new URL("https://id.example.com");
const signet = await client.discovery(
  issuer,
  "YOUR_CLIENT_ID",
  undefined,
  client.ClientSecretBasic(process.env.CLIENT_SECRET),
  // HTTP without TLS only on the local machine.
  { execute: issuer.protocol === "http:" ? [client.allowInsecureRequests] : [] },
);
const tokens = await client.clientCredentialsGrant(signet);
console.log(tokens.access_token);
