import { existsSync } from "node:fs";
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { ManagementService } from "../../../gen/signet/v1/management_pb.js";

/** Names of fields with a URL or a host. */
const NAME = /(?:^|_)(?:ur[il]s?|issuer|endpoint|origins?|domain|hosts?)$/;

/** Only browsers open it, or compare it: Signet sends no request there. */
const NOT_REQUESTED = "";
const PROVIDERS = "test/sign-in/private-endpoints.test.ts";
const METADATA = "test/idps/saml-providers.wire.test.ts";
const LOGOUT = "test/oidc/logout.wire.test.ts";
const KEYS = "test/oidc/private-key-jwt.wire.test.ts";
const APPS = ["AddOIDCApp", "UpdateOIDCAppConfig", "PatchOIDCAppConfig"];
const DOMAINS = "test/orgs/domain-proof.test.ts";
const PASSWORD_HOOK = "test/web/sign-in/password-hook.wire.test.ts";
const WEBHOOKS = "test/webhooks/deliveries.db.test.ts";

/**
 * Every URL and host that an organization can set, by RPCs and fields, and the test that shows that Signet sends no request
 * for it to an address that is not public. A new field needs a row here, and such a test if Signet requests it.
 */
const ROWS: readonly (readonly [rpcs: readonly string[], fields: readonly string[], shownBy: string])[] = [
  [
    ["AddOrgOIDCIDP", "UpdateOrgIDPOIDCConfig", ...both("GenericOIDC"), ...both("GitLabSelfHosted")],
    ["issuer"],
    PROVIDERS,
  ],
  [
    [...both("GitHubEnterpriseServer"), ...both("GenericOAuth")],
    ["authorization_endpoint", "token_endpoint", "user_endpoint"],
    PROVIDERS,
  ],
  [both("SAML"), ["metadata_url"], METADATA],
  [APPS, ["back_channel_logout_uri"], LOGOUT],
  [APPS, ["jwks_uri"], KEYS],
  [APPS, ["redirect_uris", "post_logout_redirect_uris", "additional_origins"], NOT_REQUESTED],
  [["ValidateOrgDomain"], ["domain"], DOMAINS],
  [["AddWebhook", "UpdateWebhook"], ["url"], WEBHOOKS],
  [["SetPasswordHook"], ["url"], PASSWORD_HOOK],
  [
    ["AddOrgDomain", "RemoveOrgDomain", "GenerateOrgDomainValidation", "SetPrimaryOrgDomain"],
    ["domain"],
    NOT_REQUESTED,
  ],
  [["AddCustomLoginPolicy", "UpdateCustomLoginPolicy"], ["default_redirect_uri"], NOT_REQUESTED],
  [["AddCustomLabelPolicy", "UpdateCustomLabelPolicy"], ["terms_url", "privacy_url"], NOT_REQUESTED],
];

function both(kind: string): string[] {
  return [`Add${kind}Provider`, `Update${kind}Provider`];
}

function fieldsOf(message: DescMessage, above: readonly DescMessage[] = []): DescField[] {
  if (above.includes(message)) return [];
  return message.fields.flatMap((field) =>
    field.message === undefined ? [field] : [field, ...fieldsOf(field.message, [...above, message])],
  );
}

test("each URL that an organization can set has a test, or is not requested", () => {
  const found = ManagementService.methods.flatMap(({ name, input }) =>
    fieldsOf(input)
      .filter((field) => NAME.test(field.name))
      .map((field) => `${name}.${field.name}`),
  );
  const listed = ROWS.flatMap(([rpcs, fields]) => rpcs.flatMap((rpc) => fields.map((field) => `${rpc}.${field}`)));
  expect([...new Set(found)].sort()).toEqual(listed.sort());
  for (const [, , shownBy] of ROWS)
    expect([shownBy, shownBy === NOT_REQUESTED || existsSync(shownBy)]).toEqual([shownBy, true]);
});
