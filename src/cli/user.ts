import { type Config, ConfigError } from "../config.ts";
import { isId } from "../crypto/secrets.ts";
import { mailFolder, smsFolder } from "../messages/senders/create-senders.ts";
import { createEraseFiles } from "../messages/senders/message-file.ts";
import { withDatabase } from "../server/open-database.ts";
import { removeUser } from "../users/change/remove-user.ts";
import { notifyAppsOfEnds } from "./notify-apps.ts";
import { ofOperator } from "./of-operator.ts";
import { print } from "./print.ts";

/** `signet user erase`: removes a user and all personal data, in any organization and with any role. */
export async function eraseUserCommand(config: Config, { id, json }: { id: string; json: boolean }): Promise<void> {
  await withDatabase(config, async (db) => {
    const user = isId(id)
      ? await db.selectFrom("users").select("org_id").where("id", "=", id).executeTakeFirst()
      : undefined;
    if (user === undefined) throw new ConfigError(`no user has the id "${id}"`);
    const eraseFiles = createEraseFiles({ email: mailFolder(config), sms: smsFolder(config) });
    const orgId = user.org_id;
    await notifyAppsOfEnds(config, db, (announceEnds) =>
      removeUser({ db, clock: () => new Date(), eraseFiles, announceEnds }, { id }, ofOperator(orgId)),
    );
    print(json, { id, orgId }, [`erased ${id}`]);
  });
}
