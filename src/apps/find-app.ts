import { sql } from "kysely";
import { isId } from "../crypto/secrets.ts";
import { isActiveApp, isActiveUser } from "../database/active.ts";
import type { AppConfig } from "../database/app-config.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
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
export async function findApp(db: Database, clientId: string): Promise<OidcApp | undefined> {
  if (!isId(clientId)) return undefined;
  const [app] = await selectApp(db, { clientId });
  return app;
}

const { roles: _roles, metadataClaims: _claims, serviceUserId: _userId, ...SETTINGS } = APP_CONFIG_COLUMNS;

const selectApp = prepareStatement<{ clientId: string }, OidcApp>((db, param) =>
  db
    .selectFrom("apps")
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
    .where("apps.id", "=", param("clientId", "uuid"))
    .where(isActiveApp("apps"))
    .$castTo<OidcApp>(),
);
