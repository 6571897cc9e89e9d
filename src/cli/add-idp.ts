import type { Config } from "../config.ts";
import { registerKeys } from "../crypto/register-keys.ts";
import { addProvider } from "../idps/add-provider.ts";
import type { IdpOwner } from "../idps/idp-owner.ts";
import type { InsertIdpParts } from "../idps/insert-idp.ts";
import { addSamlProvider } from "../idps/saml/add-saml-provider.ts";
import { createSamlThread } from "../idps/saml/saml-thread.ts";
import { findOrg } from "../orgs/find-orgs.ts";
import { readNewProvider, readNewSamlProvider } from "../rpc/requests/provider.ts";
import { openKeyring } from "../server/keyring.ts";
import { withDatabase } from "../server/open-database.ts";
import { type AddIdpOptions, toProviderFields, toProviderKind, toSamlProviderFields } from "./new-idp.ts";
import { ofOperator } from "./of-operator.ts";
import { printNewIdp } from "./print-new-idp.ts";
import { readInstanceId } from "./read-instance-id.ts";

const clock = () => new Date();

/** `signet idp add`: adds a provider by the rules of `Add…Provider`, and prints what to register there. */
export async function addIdpCommand(config: Config, kind: string, options: AddIdpOptions): Promise<void> {
  const add = kind === "saml" ? await prepareSaml(config, options) : await prepare(kind, options);
  await withDatabase(config, async (db) => {
    const keyring = openKeyring(config);
    await registerKeys(db, keyring, clock());
    const owner =
      options.org === undefined
        ? ({ kind: "instance", id: await readInstanceId(db) } as const)
        : ({ kind: "org", id: (await findOrg(db, options.org)).id } as const);
    const { id } = await add({ db, keyring, clock }, owner);
    printNewIdp(options.json, config, {
      id,
      kind: kind === "saml" ? kind : toProviderKind(kind, options),
      ownerId: owner.id,
    });
  });
}

type Add = (parts: InsertIdpParts, owner: IdpOwner) => Promise<{ readonly id: string }>;

async function prepare(kind: string, options: AddIdpOptions): Promise<Add> {
  const checked = await readNewProvider(toProviderKind(kind, options), toProviderFields(options));
  return (parts, owner) => addProvider(parts, checked, owner, ofOperator(owner.id));
}

async function prepareSaml(config: Config, options: AddIdpOptions): Promise<Add> {
  const checked = await readNewSamlProvider(toSamlProviderFields(options));
  const saml = createSamlThread();
  return (parts, owner) => addSamlProvider({ ...parts, config, saml }, checked, owner, ofOperator(owner.id));
}
