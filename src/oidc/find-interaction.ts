import { sql } from "kysely";
import type { AdapterPayload } from "oidc-provider";
import { toAppId } from "../access/live-token.ts";
import { shownOrgName } from "../branding/org-name.ts";
import { hashSecret } from "../crypto/secrets.ts";
import { isActiveApp } from "../database/active.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { effectiveSettings } from "../policies/get-login-policy.ts";
import { type LoginPolicy, toLoginPolicy } from "../policies/login-policy.ts";
import { ACCOUNT_APP } from "../web/frame/account-app.ts";
import type { SignInOrg } from "../web/sign-in/interactions.ts";
import { documentHost, isDocumentId } from "./client-documents.ts";
import { ORG_PARAMETER } from "./requested-org.ts";
import { type StoredPayload, toPayload } from "./stored-artifacts.ts";

/** A sign-in requested by an application, in the form that the pages need. */
interface FoundInteraction {
  /** What the provider has stored. */
  readonly interaction: AdapterPayload;
  readonly app: { readonly id: string; readonly name: string };
  /** The organization whose users may sign in. */
  readonly org: SignInOrg;
  /** The login policy of the organization. */
  readonly policy: LoginPolicy;
  /** The user who last authenticated in this sign-in. */
  readonly provedUserId: string | undefined;
}

/**
 * Finds a sign-in that has not expired, with its active application and its organization, in one statement.
 *
 * @param id The id of the interaction.
 */
export async function findInteraction(db: Database, id: string, now: Date): Promise<FoundInteraction | undefined> {
  const [row] = await selectInteraction(db, { key: hashSecret(id), now });
  if (row === undefined) return undefined;
  const interaction = toPayload(row, id);
  const app =
    interaction.params?.client_id === ACCOUNT_APP.id
      ? ACCOUNT_APP
      : row.app_id !== null
        ? { id: row.app_id, name: row.app_name ?? "" }
        : toDocumentApp(interaction.params?.client_id);
  if (!app) return undefined;
  const org = { id: row.org_id, shownName: row.shown_org_name ?? undefined };
  const policy = toLoginPolicy(row.login_policy);
  return { interaction, app, org, policy, provedUserId: row.user_id ?? undefined };
}

/** A client that is not registered. The provider has found its document when the sign-in began. */
function toDocumentApp(clientId: unknown): FoundInteraction["app"] | undefined {
  if (typeof clientId !== "string" || !isDocumentId(clientId)) return undefined;
  return { id: clientId, name: documentHost(clientId) };
}

interface FoundInteractionRow extends StoredPayload {
  readonly user_id: string | null;
  /** Null for the account page, and if the application is not active. */
  readonly app_id: string | null;
  readonly app_name: string | null;
  readonly org_id: string;
  readonly shown_org_name: string | null;
  readonly login_policy: Partial<LoginPolicy> | null;
}

const clientId = sql<string>`interaction.payload #>> '{params,client_id}'`;
const orgId = sql<string>`interaction.payload #>> ${sql.lit(`{params,${ORG_PARAMETER}}`)}`;

const selectInteraction = prepareStatement<{ key: Buffer; now: Date }, FoundInteractionRow>((db, param) =>
  db
    .selectFrom("oidc_artifacts as interaction")
    .innerJoin("orgs", (join) => join.on(sql<boolean>`orgs.id = (${orgId})::uuid`).on("orgs.state", "=", "active"))
    .leftJoinLateral(
      ({ selectFrom }) =>
        selectFrom("apps")
          .select(["apps.id", "apps.name"])
          // The ids of the account page and of clients that are not registered are not UUIDs.
          .where(sql<boolean>`apps.id = ${toAppId(clientId)}`)
          .where(isActiveApp("apps"))
          // Without it, a plan created while there are few applications reads all of them.
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
    ])
    .select(shownOrgName.as("shown_org_name"))
    .select(effectiveSettings(sql.ref("orgs.id")).as("login_policy"))
    .where("interaction.kind", "=", "Interaction")
    .where("interaction.key", "=", param("key", "bytea"))
    .where("interaction.expires_at", ">", param("now", "timestamptz"))
    .$castTo<FoundInteractionRow>(),
);
