import { existsSync } from "node:fs";
import { relative } from "node:path";
import type { Config } from "../config.ts";

/** What a person is told at the start: where things are, and a line to paste that works. */
export function describeStart(config: Config): string {
  const scheme = config.tls ? "https" : "http";
  const host =
    config.host === "127.0.0.1" || config.host === "0.0.0.0" || config.host === "::" ? "localhost" : config.host;
  const origin = `${scheme}://${host.includes(":") ? `[${host}]` : host}:${config.port}`;
  const tokenFile = shorten(config.adminTokenFile);
  const hasToken = existsSync(config.adminTokenFile);
  const request = {
    userName: "ada",
    profile: { firstName: "Ada", lastName: "Lovelace" },
    email: { email: "ada@example.com", isEmailVerified: true },
  };
  return `
Signet serves gRPC, gRPC-Web, Connect and REST.

  API        ${origin}
  Database   ${config.databaseUrl === undefined ? `embedded PostgreSQL in ${shorten(config.dataDir)}/db` : "PostgreSQL at DATABASE_URL"}
  Token      ${hasToken ? tokenFile : "none here: `signet token create` makes one"}

Try it:

  curl ${origin}/management/v1/users/human/_import \\
    -H "authorization: Bearer $(cat ${hasToken ? quote(tokenFile) : "token-file"})" -H 'content-type: application/json' \\
    -d '${JSON.stringify(request)}'
`;
}

/** As a shell takes it for one word. */
function quote(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

function shorten(path: string): string {
  const inside = relative("", path);
  return inside === "" || inside.startsWith("..") ? path : inside;
}
