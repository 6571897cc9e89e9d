import { type Config, ConfigError } from "../config.ts";
import type { Database } from "../database/database.ts";
import { findIdpRow, listAllIdps, type OwnedIdp } from "../idps/find-idps.ts";
import { updateIdp } from "../idps/update-idp.ts";
import { toIdpNames } from "../rpc/responses/idp.ts";
import { withDatabase } from "../server/open-database.ts";
import { checkIdp } from "../sign-in/check-idp.ts";
import { responseUrl } from "../sign-in/idp-urls.ts";
import { samlEntityId } from "../sign-in/saml-sign-in.ts";
import { signedOutUrl } from "../web/sign-in/idp-sign-out.ts";
import { ofOperator } from "./of-operator.ts";
import { print, toLines, toTable } from "./print.ts";
import { reportIdpCheck } from "./report-idp-check.ts";

interface IdpOptions {
  readonly id: string;
  readonly json: boolean;
}

/** `signet idp list`. */
export async function listIdpsCommand(config: Config, { json }: { json: boolean }): Promise<void> {
  await withDatabase(config, async (db) => {
    const idps = (await listAllIdps(db)).map((idp) => ({
      id: idp.id,
      name: idp.name,
      kind: idp.kind,
      state: idp.state,
      org: idp.org_name,
      issuer: idp.issuer,
      createdAt: idp.created_at,
    }));
    const rows = idps.map(({ id, name, kind, state, org, issuer }) => [
      id,
      name,
      kind,
      state,
      org ?? "(instance)",
      issuer,
    ]);
    print(json, idps, toTable(["ID", "NAME", "KIND", "STATE", "ORG", "ISSUER"], rows));
  });
}

/** `signet idp show`. */
export async function showIdpCommand(config: Config, { id, json }: IdpOptions): Promise<void> {
  await withDatabase(config, async (db) => {
    const idp = await find(db, id);
    const shown = {
      id: idp.id,
      ownerId: idp.owner_id,
      org: idp.org_name,
      name: idp.name,
      state: idp.state,
      issuer: idp.issuer,
      clientId: idp.client_id,
      scopes: idp.scopes,
      ...toIdpNames(idp),
      autoRegister: idp.auto_register,
      federatedLogoutEnabled: idp.federated_logout_enabled,
      ...(idp.kind === "saml" && { entityId: samlEntityId(config, idp.id) }),
      callbackUrl: responseUrl(config, idp),
      signedOutUrl: signedOutUrl(config, idp.id),
      createdAt: idp.created_at,
      changedAt: idp.changed_at,
    };
    print(json, shown, toLines({ ...shown, org: idp.org_name ?? "(instance)" }));
  });
}

interface UpdateIdpOptions extends IdpOptions {
  /** Undefined to keep the stored value. */
  readonly federatedLogout?: boolean;
}

/** `signet idp update`: changes the given settings, and keeps the others. */
export async function updateIdpCommand(config: Config, { id, json, federatedLogout }: UpdateIdpOptions): Promise<void> {
  await withDatabase(config, async (db) => {
    const idp = await find(db, id);
    const settings = {
      idpId: idp.id,
      name: idp.name,
      stylingType: idp.styling_type,
      autoRegister: idp.auto_register,
      federatedLogoutEnabled: federatedLogout ?? idp.federated_logout_enabled,
    };
    const owner = { kind: idp.org_name === null ? "instance" : "org", id: idp.owner_id } as const;
    await updateIdp({ db, clock: () => new Date() }, settings, owner, ofOperator(owner.id));
    print(json, { id: idp.id, federatedLogoutEnabled: settings.federatedLogoutEnabled }, [`updated ${idp.id}`]);
  });
}

/** `signet idp check`: exits with 1 if users cannot sign in with the provider. */
export async function checkIdpCommand(config: Config, { id, json }: IdpOptions): Promise<void> {
  await withDatabase(config, async (db) => {
    const idp = await find(db, id);
    const checked = await checkIdp({ config }, idp, { isOfInstance: idp.org_name === null });
    reportIdpCheck(json, idp, { ...checked, callbackUrl: responseUrl(config, idp) });
  });
}

async function find(db: Database, id: string): Promise<OwnedIdp> {
  const idp = await findIdpRow(db, id);
  if (idp === undefined) throw new ConfigError(`no identity provider has the id "${id}"`);
  return idp;
}
