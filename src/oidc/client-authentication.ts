import type { IncomingHttpHeaders } from "node:http";
import type { Tables } from "../database/tables.ts";

/** How an application identifies itself, without an assertion. */
interface ClientAuthentication {
  readonly clientId: string;
  /** Undefined for the method `none`. */
  readonly secret: string | undefined;
  readonly method: Tables["apps"]["auth_method"];
}

/**
 * Reads the client id and secret from the header or the form (RFC 6749, section 2.3.1).
 *
 * @returns Undefined if there are none, or more than one kind, or a parameter occurs twice.
 */
export function readClientAuthentication(
  { authorization, ...headers }: IncomingHttpHeaders,
  form: URLSearchParams,
): ClientAuthentication | undefined {
  const names = [...form.keys()];
  if (new Set(names).size < names.length || names.some((name) => name.startsWith("client_assertion"))) return undefined;
  if (headers["oauth-client-attestation"] !== undefined) return undefined;
  const [clientId, secret] = [form.get("client_id"), form.get("client_secret")];
  if (authorization !== undefined) {
    const basic = readBasic(authorization);
    return secret !== null || (clientId !== null && clientId !== basic?.clientId) ? undefined : basic;
  }
  if (clientId === null) return undefined;
  return { clientId, secret: secret ?? undefined, method: secret === null ? "none" : "post" };
}

function readBasic(authorization: string): ClientAuthentication | undefined {
  const [, encoded = ""] = /^basic ([A-Za-z0-9+/]+={0,2})$/i.exec(authorization) ?? [];
  const [, id, secret] = /^([^:]+):(.+)$/s.exec(Buffer.from(encoded, "base64").toString()) ?? [];
  if (id === undefined || secret === undefined) return undefined;
  try {
    return { clientId: decodeFormValue(id), secret: decodeFormValue(secret), method: "basic" };
  } catch {
    return undefined;
  }
}

/** @throws URIError if it is encoded wrongly. */
function decodeFormValue(text: string): string {
  return decodeURIComponent(text.replaceAll("+", "%20"));
}
