import type { Provider } from "oidc-provider";
import type { Logger } from "pino";
import { logFailure } from "../log-failure.ts";
import { ensureSigningKeys, readSigningKeys, type SigningKey, type SigningKeyParts } from "./signing-keys.ts";

interface CurrentProviderParts extends SigningKeyParts {
  readonly log: Logger;
  readonly build: (keys: readonly SigningKey[]) => Promise<Provider>;
}

/** A new key is not used for signing until ten minutes after its creation, so every process has read it by then. */
const READ_EVERY_MS = 60_000;

/**
 * Creates a function that returns the provider with the current signing keys: oidc-provider reads its keys once.
 * Requests in progress keep the provider that they started with.
 *
 * The first call creates the instance's keys if there are none. While the database is unavailable, the keys do not
 * change.
 */
export function createCurrentProvider({ log, build, ...parts }: CurrentProviderParts): () => Promise<Provider> {
  const { clock } = parts;
  let current: { readonly provider: Provider; readonly kids: string } | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    const startedAt = clock().getTime();
    if (current === undefined) await ensureSigningKeys(parts);
    const keys = await readSigningKeys(parts);
    const kids = keys.map(({ kid }) => kid).join(" ");
    if (current?.kids !== kids) current = { provider: await build(keys), kids };
    readAt = startedAt;
  }

  return async () => {
    if (clock().getTime() - readAt >= READ_EVERY_MS) {
      reading ??= read().finally(() => {
        reading = undefined;
      });
      try {
        await reading;
      } catch (error) {
        if (current === undefined) throw error;
        logFailure(log, "warn", { err: error }, "the signing keys could not be read");
      }
    }
    if (current === undefined) throw new Error("there is no provider");
    return current.provider;
  };
}
