import { type Kysely, sql } from "kysely";
import type { AdapterPayload } from "oidc-provider";
import { hashSecret } from "../crypto/secrets.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import { ACCOUNT_APP } from "../web/frame/account-app.ts";
import { type StoredPayload, toPayload } from "./payloads.ts";
import { ORG_PARAMETER } from "./requested-org.ts";

/** A sign-in requested by an application, in the form that the pages need. */
export interface PendingSignIn {
  /** What the provider has stored. */
  readonly interaction: AdapterPayload;
  readonly app: { readonly id: string; readonly name: string };
  /** The organization whose users may sign in. */
  readonly org: { readonly id: string; readonly name: string };
  /** The user who last authenticated in this sign-in. */
  readonly provedUserId: string | undefined;
}

/**
 * Finds a sign-in that has not expired, with its active application and its organization, in one statement.
 *
 * @param id The id of the interaction.
 */
export async function findPendingSignIn(db: Kysely<Tables>, id: string, now: Date): Promise<PendingSignIn | undefined> {
  const [row] = await selectPendingSignIn(db, { key: hashSecret(id), now });
  if (row === undefined) return undefined;
  const interaction = toPayload(row, id);
  const app =
    interaction.params?.client_id === ACCOUNT_APP.id
      ? ACCOUNT_APP
      : row.app_id !== null && { id: row.app_id, name: row.app_name ?? "" };
  if (!app) return undefined;
  const org = { id: row.org_id, name: row.org_name };
  return { interaction, app, org, provedUserId: row.user_id ?? undefined };
}

interface PendingSignInRow extends StoredPayload {
  readonly user_id: string | null;
  /** Null for the account page, and if the application is not active. */
  readonly app_id: string | null;
  readonly app_name: string | null;
  readonly org_id: string;
  readonly org_name: string;
}

const clientId = sql<string>`interaction.payload #>> '{params,client_id}'`;
const orgId = sql<string>`interaction.payload #>> ${sql.lit(`{params,${ORG_PARAMETER}}`)}`;

const selectPendingSignIn = prepareStatement<{ key: Buffer; now: Date }, PendingSignInRow>((db, param) =>
  db
    .selectFrom("oidc_artifacts as interaction")
    .innerJoin("orgs", (join) => join.on(sql<boolean>`orgs.id = (${orgId})::uuid`))
    .leftJoinLateral(
      ({ selectFrom }) =>
        selectFrom("apps")
          .select(["apps.id", "apps.name"])
          // The account page's id is not a UUID.
          .where(
            sql<boolean>`apps.id = case when ${clientId} <> ${sql.lit(ACCOUNT_APP.id)} then (${clientId})::uuid end`,
          )
          .where("apps.state", "=", "active")
          // Without it, a plan created while there are few applications reads all of them: see `accountOf`.
          .limit(sql.lit(1))
          .as("app"),
      (join) => join.onTrue(),
    )
    .select([
      "interaction.payload",
      "interaction.consumed_at",
      "interaction.user_id",
      "app.id as app_id",
      "app.name as app_name",
      "orgs.id as org_id",
      "orgs.name as org_name",
    ])
    .where("interaction.kind", "=", "Interaction")
    .where("interaction.key", "=", param("key", "bytea"))
    .where("interaction.expires_at", ">", param("now", "timestamptz"))
    .$castTo<PendingSignInRow>(),
);
