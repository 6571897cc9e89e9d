import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Config } from "../config.ts";
import { inOrg } from "../moving/in-org.ts";
import { type ApiOptions, withApi } from "./api.ts";
import { findNamedOrg } from "./named-org.ts";
import { print } from "./print.ts";

interface PasswordHookOptions extends ApiOptions {
  /** Id or name; undefined for the organization of the token, or the default one of the database. */
  readonly org?: string;
  readonly json: boolean;
}

/** `signet password-hook set`: prints the signing key, which cannot be shown again. */
export async function setPasswordHookCommand(
  configuration: () => Config,
  { hookUrl, org, json, ...options }: PasswordHookOptions & { readonly hookUrl: string },
): Promise<void> {
  await withApi(configuration, options, async (api) => {
    const request = { url: hookUrl };
    const { details, signingKey } = await api.management.setPasswordHook(request, inOrg(await findNamedOrg(api, org)));
    print(json, { orgId: details?.resourceOwner, url: hookUrl, signingKey }, [`signing key: ${signingKey}`]);
  });
}

/** `signet password-hook show`. */
export async function showPasswordHookCommand(
  configuration: () => Config,
  { org, json, ...options }: PasswordHookOptions,
): Promise<void> {
  await withApi(configuration, options, async (api) => {
    const { passwordHook } = await api.management.getPasswordHook({}, inOrg(await findNamedOrg(api, org)));
    const { url = "", details } = passwordHook ?? {};
    const changedAt = details?.changeDate && timestampDate(details.changeDate);
    print(json, { orgId: details?.resourceOwner, url, changedAt }, [
      `url: ${url}`,
      `set: ${changedAt?.toISOString() ?? ""}`,
    ]);
  });
}

/** `signet password-hook remove`. */
export async function removePasswordHookCommand(
  configuration: () => Config,
  { org, json, ...options }: PasswordHookOptions,
): Promise<void> {
  await withApi(configuration, options, async (api) => {
    const { details } = await api.management.removePasswordHook({}, inOrg(await findNamedOrg(api, org)));
    print(json, { orgId: details?.resourceOwner }, ["removed"]);
  });
}
