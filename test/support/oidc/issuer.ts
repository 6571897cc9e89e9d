import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A server with the metadata of an OpenID provider, where nobody signs in. */
export interface Issuer {
  readonly issuer: string;
  /** The paths of the requests so far. */
  readonly requested: string[];
  /** The responses to paths; others are not found. */
  readonly answers: Map<string, (response: ServerResponse, request: IncomingMessage) => void>;
  /** Responds to a path with a text. */
  serve(path: string, text: string): void;
  /** Serves metadata and keys, and forgets the requests. @param changes Of the metadata. */
  publish(changes?: Readonly<Record<string, unknown>>, keys?: unknown): void;
  close(): Promise<void>;
}

const KEYS = { keys: [{ kty: "RSA", kid: "1", n: "AQAB", e: "AQAB" }] };

export async function startIssuer(): Promise<Issuer> {
  const answers: Issuer["answers"] = new Map();
  const requested: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    requested.push(path);
    const answer = answers.get(path);
    if (answer === undefined) response.writeHead(404).end();
    else answer(response, request);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const serve = (path: string, text: string) => void answers.set(path, (response) => response.end(text));
  return {
    issuer,
    requested,
    answers,
    serve,
    publish(changes = {}, keys = KEYS) {
      requested.length = 0;
      const metadata = {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/me`,
        jwks_uri: `${issuer}/keys`,
        scopes_supported: ["openid", "email"],
        ...changes,
      };
      serve("/.well-known/openid-configuration", JSON.stringify(metadata));
      serve("/keys", JSON.stringify(keys));
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
