import { createHmac } from "node:crypto";
import { Provider } from "oidc-provider";
import type { Keyring } from "../crypto/keyring.ts";
import type { GenerateTokenId } from "./access-token-format.ts";

type RefreshToken = InstanceType<Provider["RefreshToken"]>;

/**
 * How long a refresh token can be used again after its first use, in seconds: the response may have been lost, or two
 * requests sent at once.
 */
export const REUSE_SECONDS = 30;

/** Longer chains of tokens that were all used within `REUSE_SECONDS` are followed by the next request. */
const MAX_STEPS = 10;

/** Returns the token that replaces a refresh token. */
export type NextToken = (token: string) => string;

/**
 * Each refresh token is derived from the previous one, so that a repeated request gets the same new token, in every
 * process, although only its hash is stored. There is one chain: anyone with a stolen token of it and the client both use
 * the same tokens, and the first use after `REUSE_SECONDS` of one that the other has used ends the grant (RFC 9700,
 * section 4.14.2). Nobody can derive the next token without the master key.
 */
export function createNextToken(keyring: Keyring): NextToken {
  const [key] = keyring.derive("refresh tokens");
  return (token) => createHmac("sha256", key).update(token).digest("base64url");
}

/** Makes the provider issue the derived tokens. */
export function chainRefreshTokens(
  generateTokenId: GenerateTokenId<RefreshToken>,
  nextToken: NextToken,
): GenerateTokenId<RefreshToken> {
  return function generate() {
    const rotated = Provider.ctx?.oidc.entities.RotatedRefreshToken;
    return rotated === undefined ? generateTokenId.call(this) : nextToken(rotated.jti);
  };
}

interface UsedToken {
  /** When it was first used, in seconds since 1970. */
  readonly consumed?: unknown;
}

/**
 * The token that stands for one that was presented again soon after its first use: the last one of the chain that was
 * used, so that the response has the newest one.
 *
 * @param find Finds a token of the chain.
 * @returns The found token as unused. Undefined if the presented one cannot be used again.
 */
export async function findReusable<Found extends UsedToken>(
  presented: Found & { readonly jti: string },
  nextToken: NextToken,
  now: Date,
  find: (token: string) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  let [last, token]: [Found, string] = [presented, presented.jti];
  if (!wasJustUsed(last, now)) return undefined;
  for (let step = 0; step < MAX_STEPS; step++) {
    token = nextToken(token);
    const next = await find(token);
    if (next === undefined || !wasJustUsed(next, now)) break;
    last = next;
  }
  return { ...last, consumed: undefined };
}

function wasJustUsed({ consumed }: UsedToken, now: Date): boolean {
  return typeof consumed === "number" && now.getTime() / 1_000 - consumed < REUSE_SECONDS;
}
