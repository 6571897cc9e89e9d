import { existsSync } from "node:fs";
import { relative } from "node:path";
import type { Config } from "../config.ts";
import { ADMINISTRATOR_LINK_HOURS } from "../instance/administrator-link.ts";
import { emailRoute, mailFolder, smsFolder } from "../messages/senders/create-senders.ts";

/**
 * The text printed at startup: addresses, file locations, and a sample request.
 *
 * @param administratorLink See `prepareDatabase`.
 */
export function describeStart(config: Config, administratorLink?: string): string {
  const scheme = config.tls ? "https" : "http";
  const host =
    config.host === "127.0.0.1" || config.host === "0.0.0.0" || config.host === "::" ? "localhost" : config.host;
  const origin = `${scheme}://${host.includes(":") ? `[${host}]` : host}:${config.port}`;
  const tokenFile = shorten(config.adminTokenFile);
  const hasToken = existsSync(config.adminTokenFile);
  // The first request in the README, so that a second one does not create a second user.
  const request = {
    userName: "ada@example.com",
    profile: { firstName: "Ada", lastName: "Lovelace" },
    email: { email: "ada@example.com" },
  };
  return `
Signet serves gRPC, gRPC-Web, Connect and REST.

  API        ${origin}
  Guide      ${origin}/docs/guide
  Reference  ${origin}/docs
  Console    ${config.publicUrl}/console
  Accounts   ${config.publicUrl}/ui/account
  Database   ${describeDatabase(config)}
  Emails     ${describeEmails(config)}
  SMS        ${describeSms(config)}
  Token      ${hasToken ? tokenFile : "not on this machine; create one with `signet token create`"}
${administratorLink === undefined ? "" : describeAdministratorLink(administratorLink)}
Try it:

  curl ${origin}/management/v1/users/human/_import \\
    -H "authorization: Bearer $(cat ${hasToken ? quote(tokenFile) : "token-file"})" -H 'content-type: application/json' \\
    -d '${JSON.stringify(request)}'
`;
}

function describeAdministratorLink(link: string): string {
  return `
Open this link to create the first administrator. It works once, for ${ADMINISTRATOR_LINK_HOURS} hours:

  ${link}
`;
}

function describeDatabase({ databaseUrl, dataDir }: Config): string {
  return databaseUrl === undefined ? `embedded PostgreSQL in ${shorten(dataDir)}/db` : "PostgreSQL at DATABASE_URL";
}

function describeEmails(config: Config): string {
  const route = emailRoute(config);
  switch (route) {
    case "smtp":
      return `sent by SMTP to ${new URL(config.smtpUrl ?? "").host}`;
    case "files":
      return `.eml files in ${shorten(mailFolder(config))}`;
    case "none":
      return "queued until SMTP_URL is set";
    default:
      return route satisfies never;
  }
}

function describeSms(config: Config): string {
  switch (config.sms?.kind) {
    case undefined:
      return "disabled: SMS_PROVIDER is not set";
    case "file":
      return `.txt files in ${shorten(smsFolder(config))}`;
    case "webhook":
      return "sent by the webhook at SMS_WEBHOOK_URL";
    case "twilio":
      return "sent by Twilio";
    default:
      return config.sms satisfies never;
  }
}

/** Quotes a path for a POSIX shell. */
function quote(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

function shorten(path: string): string {
  const inside = relative("", path);
  return inside === "" || inside.startsWith("..") ? path : inside;
}
