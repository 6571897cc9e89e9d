import { ConfigError } from "../config.ts";
import { createAdministratorLink } from "../instance/administrator-link.ts";
import { hasAdministrator } from "../instance/has-administrator.ts";
import { openKeyring } from "../server/keyring.ts";
import { databaseCommand } from "./database-command.ts";
import { print } from "./print.ts";

/** `signet admin link`: prints a link that makes the first administrator, once and for 72 hours. */
export const adminLinkCommand = databaseCommand(async (db, { json }: { readonly json: boolean }, config) => {
  const parts = { db, keyring: openKeyring(config), clock: () => new Date() };
  const link = await createAdministratorLink(parts, config.publicUrl);
  if (link === undefined) {
    throw new ConfigError(
      (await hasAdministrator(db))
        ? "there is an administrator already; to give a role to a user, use `signet member add`"
        : "there is no default organization, to which the administrator would belong",
    );
  }
  print(json, { link }, [link]);
});
