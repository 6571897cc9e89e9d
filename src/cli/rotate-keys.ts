import { registerKeys } from "../crypto/register-keys.ts";
import { type KeyedColumns, rotateKeys } from "../crypto/rotate-keys.ts";
import { IDP_SEALED } from "../idps/insert-idp.ts";
import { MESSAGE_SEALED } from "../messages/message-content.ts";
import { CODE_HASHED } from "../messages/rotate-digits.ts";
import { rotateSigningKeys, SIGNING_KEY_SEALED } from "../oidc/signing-keys.ts";
import { PASSWORD_HOOK_SEALED } from "../password-hook/find-password-hook.ts";
import { RESPONSE_HASHED } from "../rpc/stored-responses.ts";
import { openKeyring } from "../server/keyring.ts";
import { USER_SEALED } from "../users/user-sealed.ts";
import { WEBHOOK_KEY_SEALED } from "../webhooks/signing-key.ts";
import { databaseCommand } from "./database-command.ts";
import { print } from "./print.ts";

/** All columns whose values depend on a master key. */
export const KEYED_COLUMNS: KeyedColumns = {
  sealed: [IDP_SEALED, USER_SEALED, MESSAGE_SEALED, SIGNING_KEY_SEALED, WEBHOOK_KEY_SEALED, PASSWORD_HOOK_SEALED],
  hashed: [CODE_HASHED, RESPONSE_HASHED],
};

const AGAIN = "run this command again in a day, when the older codes and stored responses have expired";

/** `signet keys rotate`: prints the number of re-encrypted secrets and the older keys that are still in use. */
export const rotateKeysCommand = databaseCommand(async (db, { json }: { readonly json: boolean }, config) => {
  const keyring = openKeyring(config);
  await registerKeys(db, keyring, new Date());
  const { rewritten, stillNeeded } = await rotateKeys(db, keyring, KEYED_COLUMNS, new Date());
  print(json, { currentKey: keyring.currentKeyId, rewritten, stillNeeded }, [
    `re-encrypted ${rewritten} ${rewritten === 1 ? "secret" : "secrets"} with key ${keyring.currentKeyId}`,
    stillNeeded.length === 0 ? "no older key is in use" : `still in use: ${stillNeeded.join(", ")}; ${AGAIN}`,
  ]);
});

/** `signet keys rotate-signing`: creates new signing keys, and prints when they start to sign. */
export const rotateSigningKeysCommand = databaseCommand(async (db, { json }: { readonly json: boolean }, config) => {
  const keyring = openKeyring(config);
  await registerKeys(db, keyring, new Date());
  const signsFrom = await rotateSigningKeys({ db, keyring, clock: () => new Date() });
  print(json, { signsFrom }, [`new keys sign from ${signsFrom.toISOString()}; the old keys continue to verify tokens`]);
});
