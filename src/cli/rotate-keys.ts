import type { Config } from "../config.ts";
import { registerKeys } from "../crypto/register-keys.ts";
import { rotateKeys } from "../crypto/rotate-keys.ts";
import { openKeyring } from "./keyring.ts";
import { openForCommand } from "./open-database.ts";
import { print } from "./print.ts";

/** `signet keys rotate`: prints how much it encrypted again, and which older keys are still needed. */
export async function rotateKeysCommand(config: Config, { json }: { json: boolean }): Promise<void> {
  const { db, close } = await openForCommand(config);
  try {
    const keyring = openKeyring(config);
    await registerKeys(db, keyring, new Date());
    const { rewritten, stillNeeded } = await rotateKeys(db, keyring, new Date());
    print(json, { currentKey: keyring.currentKeyId, rewritten, stillNeeded }, [
      `encrypted ${rewritten} again under the key ${keyring.currentKeyId}`,
      stillNeeded.length === 0
        ? "no older key is needed any more"
        : `still in use: ${stillNeeded.join(", ")}; run this again in an hour, when codes that were sent have expired`,
    ]);
  } finally {
    await close();
  }
}
