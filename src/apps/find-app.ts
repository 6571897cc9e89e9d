import { sql } from "kysely";
import { isId } from "../crypto/secrets.ts";
import { isActiveApp, isActiveUser } from "../database/active.ts";
import type { AppConfig } from "../database/app-config.ts";
import { prepareLookUp } from "../database/prepare-look-up.ts";
import type { RunTogether } from "../database/run-together.ts";
import { rolesIn } from "./app-roles.ts";
import { APP_CONFIG_COLUMNS } from "./list-apps.ts";

/** An application for the OpenID provider, without the settings that it reads elsewhere. */
export interface OidcApp extends Readonly<Omit<AppConfig, "roles" | "metadataClaims">> {
  /** Also the client id. */
  readonly id: string;
  /** The organization whose users may sign in; null if it belongs to the instance. */
  readonly orgId: string | null;
  readonly name: string;
  /** SHA-256 of the client secret; null for the methods `none` and `private_key_jwt`. */
  readonly secretHash: Buffer | null;
  /** The active machine user of an application of the type `service`; null if there is none. */
  readonly serviceUserId: string | null;
  /** The roles of this user in the application; null if the application has none, or another type. */
  readonly serviceRoles: string[] | null;
}

/** Finds an active application by its client id. Text of any other form is an unknown id. */
export async function findApp(runTogether: RunTogether, clientId: string): Promise<OidcApp | undefined> {
  if (!isId(clientId)) return undefined;
  return await runTogether(FIND_APP, { clientId: clientId.toLowerCase() });
}

const { roles: _roles, metadataClaims: _claims, serviceUserId: _userId, ...SETTINGS } = APP_CONFIG_COLUMNS;

const FIND_APP = prepareLookUp<{ clientId: string }, OidcApp>("find_app", { clientId: "uuid" }, (asked) =>
  asked
    .innerJoin("apps", "apps.id", "asked.clientId")
    .leftJoin("orgs", "orgs.id", "apps.owner_id")
    .select([
      "apps.id",
      "orgs.id as orgId",
      "apps.name",
      "apps.secret_hash as secretHash",
      ...Object.entries(SETTINGS).map(([name, column]) => sql`${column}`.as(name)),
      sql<string | null>`case when apps.type = 'service' then (
        select users.id from users
        where users.org_id = apps.owner_id and users.id = apps.service_user_id and users.kind = 'machine'
          and ${isActiveUser("users")}) end`.as("serviceUserId"),
      sql<
        string[] | null
      >`case when apps.type = 'service' then ${rolesIn("apps", sql.ref("apps.service_user_id"))} end`.as(
        "serviceRoles",
      ),
    ])
    .where(isActiveApp("apps")),
);
