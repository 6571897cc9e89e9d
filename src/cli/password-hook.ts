import { timestampDate } from "@bufbuild/protobuf/wkt";
import { inOrg } from "../moving/in-org.ts";
import { apiCommand, type OrgOptions } from "./api.ts";
import { findNamedOrg } from "./named-org.ts";
import { print } from "./print.ts";

/** `signet password-hook set`: prints the signing key, which cannot be shown again. */
export const setPasswordHookCommand = apiCommand(
  async (api, { hookUrl, org, json }: OrgOptions & { readonly hookUrl: string }) => {
    const request = { url: hookUrl };
    const { details, signingKey } = await api.management.setPasswordHook(request, inOrg(await findNamedOrg(api, org)));
    print(json, { orgId: details?.resourceOwner, url: hookUrl, signingKey }, [`signing key: ${signingKey}`]);
  },
);

/** `signet password-hook show`. */
export const showPasswordHookCommand = apiCommand(async (api, { org, json }: OrgOptions) => {
  const { passwordHook } = await api.management.getPasswordHook({}, inOrg(await findNamedOrg(api, org)));
  const { url = "", details } = passwordHook ?? {};
  const changedAt = details?.changeDate && timestampDate(details.changeDate);
  print(json, { orgId: details?.resourceOwner, url, changedAt }, [
    `url: ${url}`,
    `set: ${changedAt?.toISOString() ?? ""}`,
  ]);
});

/** `signet password-hook remove`. */
export const removePasswordHookCommand = apiCommand(async (api, { org, json }: OrgOptions) => {
  const { details } = await api.management.removePasswordHook({}, inOrg(await findNamedOrg(api, org)));
  print(json, { orgId: details?.resourceOwner }, ["removed"]);
});
