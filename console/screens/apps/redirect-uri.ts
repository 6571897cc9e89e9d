import type { Texts } from "../../texts/en/en.ts";
import type { Kind } from "./kinds.ts";

/** What is wrong with a redirect URI. */
export type RedirectUriProblem = keyof Texts["apps"]["uriProblems"];

/** Problems of URIs that the API accepts, but that mostly are mistakes. */
const WARNINGS: ReadonlySet<RedirectUriProblem> = new Set(["wildcard", "unencrypted"]);

const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Finds what is wrong with a URI to which a browser returns, by the rules of the API (RFC 6749, section 3.1.2, and
 * RFC 8252, section 7), so that it is known while it is typed.
 */
export function findRedirectUriProblem(text: string, kind: Kind, devMode: boolean): RedirectUriProblem | undefined {
  const native = kind === "native";
  const url = /^[\x21-\x7e]+$/.test(text) ? URL.parse(text) : null;
  if (url === null) return "notAbsolute";
  if (text.includes("#")) return "fragment";
  if (url.username !== "" || url.password !== "") return "userInfo";
  const isLoopback = LOOPBACK.has(url.hostname);
  if (url.protocol === "http:") {
    if (!devMode && !(native && isLoopback)) return native ? "httpsOrLoopback" : "httpsOrDevMode";
    if (!isLoopback) return "unencrypted";
  } else if (url.protocol !== "https:") {
    // RFC 8252, section 7.1: a reverse domain name, which contains a dot.
    const isPrivateUse = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/.test(url.protocol);
    if (!native || !isPrivateUse) return native ? "httpsOrScheme" : "https";
  }
  return text.includes("*") ? "wildcard" : undefined;
}

/** Whether the API rejects a URI with the problem. */
export function isRejected(problem: RedirectUriProblem): boolean {
  return !WARNINGS.has(problem);
}
