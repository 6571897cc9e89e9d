import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createSecureContext, getCACertificates } from "node:tls";
import { ConfigError } from "../config.ts";

/** `pg`'s options for connections to this URL. Without `ssl`, PGSSLMODE applies, as interpreted by `pg`. */
interface UrlOptions {
  readonly connectionString: string;
  readonly ssl?: false | TlsOptions;
}

interface TlsOptions {
  ca?: string[] | string;
  cert?: string;
  key?: string;
  rejectUnauthorized?: boolean;
  checkServerIdentity?: () => undefined;
}

const MODES = ["disable", "require", "verify-ca", "verify-full"] as const;
const PARAMETERS = ["sslmode", "sslrootcert", "sslcert", "sslkey"];
/** libpq's name for the operating system's certificate authorities. */
const SYSTEM = "system";

/**
 * Reads the TLS parameters of a connection URL. They have the same meaning as in libpq (PostgreSQL documentation, "SSL
 * Support"). `pg` itself would treat `require` and `verify-ca` as `verify-full`.
 *
 * @throws ConfigError for a parameter that is unknown or would not protect the connection, and for unusable files.
 */
export function readUrlOptions(url: string): UrlOptions {
  const [base = "", query] = splitQuery(url);
  const parameters = new URLSearchParams(query);
  const given = new Map<string, string>();
  for (const [name, value] of [...parameters]) {
    if (!/^(ssl|uselibpqcompat)/.test(name)) continue;
    parameters.delete(name);
    // Only changes how `pg` interprets sslmode, so it is accepted and has no effect.
    if (name === "uselibpqcompat") continue;
    if (!PARAMETERS.includes(name))
      throw invalid(`the parameter ${name} is not supported; use ${PARAMETERS.join(", ")}`);
    given.set(name, value);
  }
  if (given.size === 0) return { connectionString: url };
  const ssl = readTls(given);
  const connectionString = parameters.size > 0 ? `${base}?${parameters}` : base;
  // As in libpq, TLS does not apply to Unix sockets.
  return { connectionString, ssl: isUnixSocket(base, parameters) ? false : ssl };
}

function readTls(given: ReadonlyMap<string, string>): false | TlsOptions {
  const mode = MODES.find((known) => known === given.get("sslmode"));
  if (mode === undefined) throw invalid(describeMode(given));
  const options = readFiles(given);
  switch (mode) {
    case "disable":
      return false;
    case "require":
      // As in libpq, the certificate is verified if an authority is given.
      return options.ca === undefined ? { ...options, rejectUnauthorized: false } : withAnyName(options, given);
    case "verify-ca":
      if (options.ca === undefined) throw invalid("sslmode=verify-ca requires sslrootcert");
      return withAnyName(options, given);
    case "verify-full":
      return options;
    default:
      return mode satisfies never;
  }
}

function describeMode(given: ReadonlyMap<string, string>): string {
  const mode = given.get("sslmode");
  if (mode === undefined)
    return `${[...given.keys()].join(", ")} requires sslmode; expected one of ${MODES.join(", ")}`;
  const reason = ["prefer", "allow"].includes(mode)
    ? ", which does not protect against an attacker on the network"
    : "";
  return `expected sslmode to be one of ${MODES.join(", ")}, got ${JSON.stringify(mode)}${reason}`;
}

/** Anyone can get a certificate from a public authority, so only the name in it identifies the server. */
function withAnyName(options: TlsOptions, given: ReadonlyMap<string, string>): TlsOptions {
  if (given.get("sslrootcert") === SYSTEM) throw invalid(`sslrootcert=${SYSTEM} requires sslmode=verify-full`);
  return { ...options, checkServerIdentity: () => undefined };
}

function readFiles(given: ReadonlyMap<string, string>): TlsOptions {
  const options: TlsOptions = {};
  const root = given.get("sslrootcert");
  if (root === SYSTEM) options.ca = getCACertificates("system");
  else if (root !== undefined) options.ca = readPem("sslrootcert", root, (pem) => new X509Certificate(pem));
  const [cert, key] = [given.get("sslcert"), given.get("sslkey")];
  if (cert === undefined && key === undefined) return options;
  if (cert === undefined || key === undefined) throw invalid("sslcert and sslkey require each other");
  options.cert = readPem("sslcert", cert, (pem) => new X509Certificate(pem));
  options.key = readPem("sslkey", key, (pem) => createSecureContext({ cert: options.cert, key: pem }));
  return options;
}

/** @param check Throws if the text is unusable. */
function readPem(name: string, file: string, check: (pem: string) => unknown): string {
  try {
    const pem = readFileSync(file, "utf8");
    check(pem);
    return pem;
  } catch (error) {
    const expected = name === "sslkey" ? "the PEM file of sslcert's private key" : "a PEM file of a certificate";
    throw invalid(
      `expected ${name} to be ${expected}, got "${file}" (${error instanceof Error ? error.message : error})`,
    );
  }
}

function splitQuery(url: string): [string, string?] {
  const at = url.indexOf("?");
  return at === -1 ? [url] : [url.slice(0, at), url.slice(at + 1)];
}

function isUnixSocket(base: string, parameters: URLSearchParams): boolean {
  return (parameters.get("host") ?? "").startsWith("/") || /^\w+:\/\/([^@/]*@)?%2f/i.test(base);
}

function invalid(problem: string): ConfigError {
  return new ConfigError(`DATABASE_URL is invalid: ${problem}`);
}
