/**
 * Signs a user in, and calls the tool of the MCP server: `node client.js <client id>`. The id is that of a registered
 * application, or the URL of a document with the metadata of an unregistered client.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [clientId = ""] = process.argv.slice(2);
const url = new URL(process.env.MCP_URL ?? "http://localhost:3001/mcp");
const redirectUrl = `http://localhost:${process.env.CALLBACK_PORT ?? 3002}/callback`;
const isDocument = clientId.startsWith("https://");

/** The state of the client during the sign-in. The SDK discovers everything else. */
const kept = { information: isDocument ? undefined : { client_id: clientId } };
const authProvider = {
  redirectUrl,
  clientMetadata: { redirect_uris: [redirectUrl], token_endpoint_auth_method: "none" },
  ...(isDocument && { clientMetadataUrl: clientId }),
  state: () => crypto.randomUUID(),
  clientInformation: () => kept.information,
  saveClientInformation: (information) => Object.assign(kept, { information }),
  tokens: () => kept.tokens,
  saveTokens: (tokens) => Object.assign(kept, { tokens }),
  codeVerifier: () => kept.verifier,
  saveCodeVerifier: (verifier) => Object.assign(kept, { verifier }),
  redirectToAuthorization: (address) => Object.assign(kept, { address }),
};

const client = new Client({ name: "example", version: "1.0.0" });
const transport = new StreamableHTTPClientTransport(url, { authProvider });
try {
  await client.connect(transport);
} catch (error) {
  if (!(error instanceof UnauthorizedError)) throw error;
  const callback = createServer().listen(new URL(redirectUrl).port, "localhost");
  console.log(`sign in at ${kept.address}`);
  const [request, response] = await once(callback, "request");
  response.setHeader("connection", "close").end("You can close this page.");
  callback.close();
  const { searchParams } = new URL(request.url, redirectUrl);
  if (searchParams.get("state") !== kept.address.searchParams.get("state"))
    throw new Error("the response belongs to another sign-in");
  await transport.finishAuth(searchParams.get("code"));
  await client.connect(new StreamableHTTPClientTransport(url, { authProvider }));
}
const { content } = await client.callTool({ name: "whoami" });
console.log(`the tool says ${content[0].text}`);
await client.close();
