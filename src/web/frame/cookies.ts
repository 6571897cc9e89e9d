import type { Config } from "../../config.ts";
import { createSealedValues, type SealedParts } from "../../crypto/sealed-values.ts";
import type { Visit } from "./page.ts";

/**
 * The value of a cookie in the header `cookie`. The first of several cookies with the same name counts (RFC 6265,
 * section 5.4).
 */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(";") ?? []) {
    const end = pair.indexOf("=");
    if (end > 0 && pair.slice(0, end).trim() === name) return pair.slice(end + 1).trim();
  }
  return undefined;
}

/** What a cookie needs to know of the service. */
export interface CookieParts {
  readonly config: Pick<Config, "publicUrl">;
}

/** A cookie that no script can read, and that, over HTTPS, only this host can set. */
export interface HostCookie {
  /** The header `set-cookie`. The value needs no encoding. */
  header(parts: CookieParts, value: string): string;
  /** The value; empty if the browser sends none. */
  read(parts: CookieParts, visit: Pick<Visit, "request">): string;
  /** The header `set-cookie` that deletes it. */
  forget(parts: CookieParts): string;
}

export function createCookie(name: string, maxAgeSeconds: number): HostCookie {
  const nameAt = (publicUrl: string) => (publicUrl.startsWith("https:") ? `__Host-${name}` : name);
  const write = (publicUrl: string, value: string, seconds: number) => {
    const attributes = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax`;
    return `${nameAt(publicUrl)}=${value}; ${attributes}${publicUrl.startsWith("https:") ? "; Secure" : ""}`;
  };
  return {
    header: ({ config }, value) => write(config.publicUrl, value, maxAgeSeconds),
    read: ({ config }, { request }) => readCookie(request.headers.cookie, nameAt(config.publicUrl)) ?? "",
    forget: ({ config }) => write(config.publicUrl, "", 0),
  };
}

/** A cookie with an encrypted value, which is valid for one subject. */
export interface SealedCookie<Value> {
  header(parts: CookieParts & SealedParts, subject: string, value: Value): string;
  /** Undefined if the browser sends none, or it has expired, or is of another subject. */
  read(parts: CookieParts & SealedParts, visit: Pick<Visit, "request">, subject: string): Value | undefined;
  forget(parts: CookieParts): string;
}

/** @param kind See `createSealedValues`. */
export function createSealedCookie<Value>(
  name: string,
  kind: Parameters<typeof createSealedValues>[0],
): SealedCookie<Value> {
  const cookie = createCookie(name, kind.validSeconds);
  const values = createSealedValues<Value>(kind);
  return {
    header: (parts, subject, value) => cookie.header(parts, values.seal(parts, subject, value)),
    read(parts, visit, subject) {
      const text = cookie.read(parts, visit);
      return text === "" ? undefined : values.open(parts, subject, text);
    },
    forget: cookie.forget,
  };
}
