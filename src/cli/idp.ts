import type { Kysely } from "kysely";
import { OIDCMappingField, StylingType } from "../../gen/signet/v1/idp_pb.js";
import { type Config, ConfigError } from "../config.ts";
import type { Tables } from "../database/tables.ts";
import { findIdpRow, listAllIdps, type OwnedIdp } from "../idps/find-idps.ts";
import { checkIdp } from "../sign-in/check-idp.ts";
import { callbackUrl } from "../web/sign-in/idp-callback.ts";
import { withDatabase } from "./open-database.ts";
import { print, toTable } from "./print.ts";

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
      state: idp.state,
      org: idp.org_name,
      issuer: idp.issuer,
      createdAt: idp.created_at,
    }));
    const rows = idps.map(({ id, name, state, org, issuer }) => [id, name, state, org ?? "(instance)", issuer]);
    print(json, idps, toTable(["ID", "NAME", "STATE", "ORG", "ISSUER"], rows));
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
      stylingType: StylingType[idp.styling_type],
      issuer: idp.issuer,
      clientId: idp.client_id,
      scopes: idp.scopes,
      usernameMapping: OIDCMappingField[idp.username_mapping],
      displayNameMapping: OIDCMappingField[idp.display_name_mapping],
      autoRegister: idp.auto_register,
      callbackUrl: callbackUrl(config, idp.id),
      createdAt: idp.created_at,
      changedAt: idp.changed_at,
    };
    const lines = Object.entries(shown).map(([name, value]) => `${name}: ${toText(value)}`);
    print(json, shown, lines);
  });
}

/** `signet idp check`: exits with 1 if users cannot sign in with the provider. */
export async function checkIdpCommand(config: Config, { id, json }: IdpOptions): Promise<void> {
  await withDatabase(config, async (db) => {
    const { name, client_id: clientId, issuer, scopes, state, ...idp } = await find(db, id);
    const checked = await checkIdp(config, { clientId, issuer, scopes, isOfInstance: idp.org_name === null });
    const problems = [...(state === "active" ? [] : ["the provider is deactivated"]), ...checked.problems];
    print(json, { id: idp.id, name, problems, warnings: checked.warnings }, [
      ...problems.map((problem) => `problem: ${problem}`),
      ...checked.warnings.map((warning) => `warning: ${warning}`),
      ...(problems.length === 0 ? [`no problems; the callback URL to register is ${callbackUrl(config, idp.id)}`] : []),
    ]);
    if (problems.length > 0) process.exitCode = 1;
  });
}

function toText(value: unknown): string {
  if (value === null) return "(instance)";
  return value instanceof Date ? value.toISOString() : [value].flat().join(" ");
}

async function find(db: Kysely<Tables>, id: string): Promise<OwnedIdp> {
  const idp = await findIdpRow(db, id);
  if (idp === undefined) throw new ConfigError(`no identity provider has the id "${id}"`);
  return idp;
}
