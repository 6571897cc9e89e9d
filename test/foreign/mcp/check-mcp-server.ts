/**
 * Calls the MCP server in the folder `server` with `client.js`, which uses the official SDK: `node check-mcp-server.ts <folder>`.
 * The client is registered, or its id is the URL of a document. The folder contains the certificate of the document's host,
 * `cert.pem` and `key.pem`. Starts a separate service that allows this host.
 */
import { equal, match } from "node:assert/strict";
import { type StdioOptions, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import { join } from "node:path";
import { freePort } from "../../support/free-port.ts";
import { createSignet } from "../apis/signet-user.ts";
import { startService } from "../start-service.ts";
import { whileRunning } from "../while-running.ts";

const [folder = ""] = process.argv.slice(2);
const REDIRECT_URI = "http://localhost:3002/callback";
const documentPort = await freePort();
const documentUrl = `https://localhost:${documentPort}/client.json`;
const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
const host = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (_request, response) => {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ client_id: documentUrl, redirect_uris: [REDIRECT_URI] }));
}).listen(documentPort, "localhost");

Object.assign(process.env, { CLIENT_METADATA_HOSTS: `localhost:${documentPort}`, NODE_EXTRA_CA_CERTS: cert });
const service = await startService(join(folder, "data"));
Object.assign(process.env, { SIGNET_ADDRESS: service.address, SIGNET_TOKEN: service.token });
try {
  await check();
} finally {
  await service.stop();
  host.close();
  host.closeAllConnections();
}

async function check(): Promise<void> {
  const signet = createSignet();
  const user = await signet.importUser();
  const mcpUrl = new URL(`http://localhost:${await freePort()}/mcp`);
  await signet.addApi(mcpUrl.href, ["tools.call"], { allowsUnregisteredClients: true });
  const registered = await signet.addApp("Tool", "OIDC_TOKEN_TYPE_JWT", REDIRECT_URI, {
    ...{ appType: "OIDC_APP_TYPE_NATIVE", authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE", devMode: false },
    postLogoutRedirectUris: [],
  });
  const options = {
    cwd: join(folder, "server"),
    env: { ...process.env, SIGNET_URL: signet.url, MCP_URL: mcpUrl.href },
  };
  await whileRunning({ command: process.execPath, args: ["server.js"], options, url: mcpUrl.href }, async () => {
    const discovered = await fetch(mcpUrl, { method: "POST" });
    equal(discovered.status, 401);
    match(discovered.headers.get("www-authenticate") ?? "", /resource_metadata="[^"]+oauth-protected-resource\/mcp"/);

    equal(await callTool(registered.clientId), user.userId);
    console.log("a registered client signs a user in, and calls a tool");
    equal(await callTool(documentUrl), user.userId);
    console.log("a client that nobody registers signs a user in, and calls a tool");

    const app = await signet.addApp("Other", "OIDC_TOKEN_TYPE_JWT");
    const other = await signet.signIn(user, app, "openid");
    for (const token of [other.access_token, other.id_token, "nothing"]) {
      const refused = await fetch(mcpUrl, { method: "POST", headers: { authorization: `Bearer ${token}` } });
      equal(refused.status, 401);
    }
    console.log("other tokens are refused");
  });

  /** Runs the client, and signs the user in. */
  async function callTool(clientId: string): Promise<string | undefined> {
    const env = { ...process.env, MCP_URL: mcpUrl.href, CALLBACK_PORT: String(await freePort()) };
    const stdio: StdioOptions = ["ignore", "pipe", "inherit"];
    const tool = spawn(process.execPath, ["client.js", clientId], { cwd: join(folder, "server"), env, stdio });
    let printed = "";
    for await (const chunk of tool.stdout ?? []) {
      printed += chunk;
      const [, address] = /^sign in at (\S+)\n$/.exec(printed) ?? [];
      if (address !== undefined) await fetch(await signet.passSignIn(user, new URL(address)));
    }
    return /^the tool says (.+)$/m.exec(printed)?.[1];
  }
}
