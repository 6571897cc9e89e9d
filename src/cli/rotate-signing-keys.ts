import type { Config } from "../config.ts";
import { registerKeys } from "../crypto/register-keys.ts";
import { rotateSigningKeys } from "../oidc/signing-keys.ts";
import { openKeyring } from "../server/keyring.ts";
import { withDatabase } from "../server/open-database.ts";
import { print } from "./print.ts";

/** `signet keys rotate-signing`: creates new signing keys, and prints when they start to sign. */
export async function rotateSigningKeysCommand(config: Config, { json }: { json: boolean }): Promise<void> {
  await withDatabase(config, async (db) => {
    const keyring = openKeyring(config);
    await registerKeys(db, keyring, new Date());
    const signsFrom = await rotateSigningKeys({ db, keyring, clock: () => new Date() });
    print(json, { signsFrom }, [
      `new keys sign from ${signsFrom.toISOString()}; the old keys continue to verify tokens`,
    ]);
  });
}
