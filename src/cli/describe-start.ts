import { existsSync } from "node:fs";
import { relative } from "node:path";
import type { Config } from "../config.ts";
import { emailRoute, mailFolder, smsFolder } from "../messages/senders/create-senders.ts";

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
  Emails     ${describeEmails(config)}
  SMS        ${describeSms(config)}
  Token      ${hasToken ? tokenFile : "none here: `signet token create` makes one"}

Try it:

  curl ${origin}/management/v1/users/human/_import \\
    -H "authorization: Bearer $(cat ${hasToken ? quote(tokenFile) : "token-file"})" -H 'content-type: application/json' \\
    -d '${JSON.stringify(request)}'
`;
}

function describeEmails(config: Config): string {
  const route = emailRoute(config);
  switch (route) {
    case "smtp":
      return `by SMTP at ${new URL(config.smtpUrl ?? "").host}`;
    case "files":
      return `.eml files in ${shorten(mailFolder(config))}`;
    case "none":
      return "wait in the queue: SMTP_URL is not set";
    default:
      return route satisfies never;
  }
}

function describeSms(config: Config): string {
  switch (config.sms?.kind) {
    case undefined:
      return "none: SMS_PROVIDER is not set";
    case "file":
      return `.txt files in ${shorten(smsFolder(config))}`;
    case "webhook":
      return "by the server at SMS_WEBHOOK_URL";
    case "twilio":
      return "by Twilio";
    default:
      return config.sms satisfies never;
  }
}

/** As a shell takes it for one word. */
function quote(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

function shorten(path: string): string {
  const inside = relative("", path);
  return inside === "" || inside.startsWith("..") ? path : inside;
}
