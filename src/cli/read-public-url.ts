import { type Config, ConfigError } from "../config.ts";
import type { ApiOptions } from "./api.ts";

const TIMEOUT_MS = 10_000;

/**
 * Reads PUBLIC_URL: on a server, it is the issuer of its OpenID provider. The command may reach it at another URL.
 *
 * @throws ConfigError if it does not respond with its metadata.
 */
export async function readPublicUrl(configuration: () => Config, { url = "" }: ApiOptions): Promise<string> {
  if (url === "") return configuration().publicUrl;
  const metadata = new URL("/.well-known/openid-configuration", url);
  try {
    const response = await fetch(metadata, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const { issuer } = (await response.json()) as { readonly issuer?: unknown };
    if (typeof issuer === "string") return issuer;
  } catch {
    // The command needs the same advice.
  }
  throw new ConfigError(`cannot read the URL of the server at ${metadata.href}`);
}
