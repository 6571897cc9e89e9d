import { readFileSync } from "node:fs";
import type { DescService } from "@bufbuild/protobuf";
import { AdminService as PublishedAdmin } from "@zitadel/proto/zitadel/admin_pb";
import { AuthService as PublishedAuth } from "@zitadel/proto/zitadel/auth_pb";
import { ManagementService as PublishedManagement } from "@zitadel/proto/zitadel/management_pb";
import { AdminService } from "../../gen/signet/v1/admin_pb.js";
import { UpdateOIDCAppConfigRequestSchema } from "../../gen/signet/v1/app_pb.js";
import { AuthService } from "../../gen/signet/v1/auth_pb.js";
import { ManagementService } from "../../gen/signet/v1/management_pb.js";
import { findDifferences, findIgnored } from "./message-differences.ts";

/** Where the messages differ on purpose, each with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "signet.v1.ImportHumanUserRequest.Phone: 1 optional string phone, published: 1 string phone":
    "tells an absent value from an empty one; both are the same on the wire",
  "signet.v1.ImportHumanUserRequest: 5 optional string password, published: 5 string password":
    "tells an absent value from an empty one; both are the same on the wire",
  "signet.v1.ImportHumanUserRequest.HashedPassword: 1 optional string value, published: 1 string value":
    "tells an absent value from an empty one; both are the same on the wire",
  "signet.v1.ImportHumanUserRequest.HashedPassword: 2 string algorithm, published: none":
    "the published guide still sends it, although its number is reserved there",
  "signet.v1.UpdateHumanPhoneRequest: 3 optional bool is_phone_verified, published: 3 bool is_phone_verified":
    "tells an absent value from false, which makes a stored number unverified; an absent one is the same on the wire",
  "signet.v1.UpdateHumanEmailRequest: 3 optional bool is_email_verified, published: 3 bool is_email_verified":
    "as UpdateHumanPhoneRequest",
  "signet.v1.AddCustomLoginPolicyRequest: 7 optional bool ignore_unknown_usernames, published: 7 bool ignore_unknown_usernames":
    "tells an absent value from false, which is not supported; both are the same on the wire",
  "signet.v1.UpdateCustomLoginPolicyRequest: 7 optional bool ignore_unknown_usernames, published: 7 bool ignore_unknown_usernames":
    "tells an absent value from false, which is not supported; both are the same on the wire",
  "signet.v1.UpdateLoginPolicyRequest: 7 optional bool ignore_unknown_usernames, published: 7 bool ignore_unknown_usernames":
    "tells an absent value from false, which is not supported; both are the same on the wire",
  "signet.v1.RemoveOrgIDPResponse: 1 message details, published: none":
    "every change returns details; the published client ignores them",
  "signet.v1.AppState: 3 APP_STATE_REMOVED, published: none": "never sent; kept for generated code that names it",
  "BulkImportHumanUsers is not published":
    "the published API imports users one by one, or a file of the whole instance",
  "BulkCheckHumanUsers is not published": "as BulkImportHumanUsers",
  "AddAPI is not published": "the published API has no audiences of this kind",
  "UpdateAPI is not published": "as AddAPI",
  "RemoveAPI is not published": "as AddAPI",
  "GetAPIByID is not published": "as AddAPI",
  "ListAPIs is not published": "as AddAPI",
  "AddUserAppRoles is not published": "the published API has roles of projects",
  "RemoveUserAppRoles is not published": "as AddUserAppRoles",
  "ListUserAppRoles is not published": "as AddUserAppRoles",
  "PatchOIDCAppConfig is not published": "the published API replaces the whole configuration",
  "ListUserSessions is not published": "the published API lists the sessions of its browser only",
  "ListMyPermissions is not published": "the published call returns the permissions under another name",
  "EndUserSessions is not published": "as ListUserSessions",
  "ListUserMessages is not published": "the published API does not show its messages",
  "RetryUserMessage is not published": "as ListUserMessages",
  "GetInstanceInfo is not published": "the published API shows neither configuration nor keys",
  "WatchEvents is not published": "the published API has no streams",
  "ListEvents is not published": "the published API lists events of the instance only",
  "CountFailedSignIns is not published": "the published API counts no events",
  "AddWebhook is not published": "the published API calls targets during requests only",
  "UpdateWebhook is not published": "as AddWebhook",
  "RemoveWebhook is not published": "as AddWebhook",
  "DeactivateWebhook is not published": "as AddWebhook",
  "ReactivateWebhook is not published": "as AddWebhook",
  "RotateWebhookSigningKey is not published": "as AddWebhook",
  "ListWebhooks is not published": "as AddWebhook",
  "ListWebhookDeliveries is not published": "as AddWebhook",
  "RetryWebhookDelivery is not published": "as AddWebhook",
  "CheckWebhook is not published": "as AddWebhook",
  "SetPasswordHook is not published": "as AddWebhook",
  "GetPasswordHook is not published": "as AddWebhook",
  "RemovePasswordHook is not published": "as AddWebhook",
  "AddScimConnection is not published": "the published API has SCIM for the whole instance, without connections",
  "UpdateScimConnection is not published": "as AddScimConnection",
  "RotateScimToken is not published": "as AddScimConnection",
  "RemoveScimConnection is not published": "as AddScimConnection",
  "GetScimConnection is not published": "as AddScimConnection",
  "ListScimConnections is not published": "as AddScimConnection",
  "ListScimRequests is not published": "as AddScimConnection",
  "AddProviderDraft is not published": "the published API adds a provider with its settings only",
  "CheckProvider is not published": "the published API loads metadata at a sign-in only",
  "AddHumanLinkedIDP is not published": "the published API links users at their import and on pages only",
  "UploadLabelPolicyImage is not published": "the published API has an upload over HTTP alone",
  "UploadCustomLabelPolicyImage is not published": "the published API has an upload over HTTP alone",
  "ResetInstanceLabelPolicyToDefault is not published": "its instances always have a policy of their own",
  "ListCustomMessageTexts is not published": "the published API has calls for each kind of message, with other texts",
  "SetCustomMessageText is not published": "as ListCustomMessageTexts",
  "GetPreviewCustomMessageText is not published": "as ListCustomMessageTexts",
  "ResetCustomMessageTextToDefault is not published": "as ListCustomMessageTexts",
  "ListDefaultMessageTexts is not published": "as ListCustomMessageTexts",
  "SetDefaultMessageText is not published": "as ListCustomMessageTexts",
  "GetPreviewDefaultMessageText is not published": "as ListCustomMessageTexts",
  "ResetDefaultMessageTextToDefault is not published": "as ListCustomMessageTexts",
  "ListCustomPageTexts is not published": "the published API has a field for each text, of other pages",
  "SetCustomPageTexts is not published": "as ListCustomPageTexts",
  "ResetCustomPageTextsToDefault is not published": "as ListCustomPageTexts",
  "ListDefaultPageTexts is not published": "as ListCustomPageTexts",
  "SetDefaultPageTexts is not published": "as ListCustomPageTexts",
  "ResetDefaultPageTextsToDefault is not published": "as ListCustomPageTexts",
  "signet.v1.ProviderType lacks 2 PROVIDER_TYPE_JWT": "never sent: there are no such providers",
  "signet.v1.ProviderType lacks 3 PROVIDER_TYPE_LDAP": "never sent: there are no such providers",
  "signet.v1.SAMLBinding lacks 3 SAML_BINDING_ARTIFACT": "not supported there either",
  "signet.v1.AddSAMLProviderRequest lacks 9 federated_logout_enabled": "there is no single logout",
  "signet.v1.UpdateSAMLProviderRequest lacks 10 federated_logout_enabled": "there is no single logout",
  "signet.v1.SAMLConfig lacks 6 federated_logout_enabled": "there is no single logout",
  "signet.v1.ProviderQuery: 3 message owner_type_query of query, published: none":
    "both services have the same message; the published one of the instance lacks the condition",
  "signet.v1.IDPType lacks 3 IDP_TYPE_JWT": "never sent: there are no such providers",
};

/** The services of the API that the specification describes, as its published client has them. */
const SERVICES: readonly (readonly [DescService, DescService])[] = [
  [AdminService, PublishedAdmin],
  [ManagementService, PublishedManagement],
  [AuthService, PublishedAuth],
];

const calls = SERVICES.flatMap(([own, published]) =>
  own.methods.map((method) => ({
    name: method.name,
    method,
    published: published.methods.find(({ name }) => name === method.name),
  })),
);

function differencesOf({ method, published }: (typeof calls)[number]): string[] {
  if (published === undefined) return [`${method.name} is not published`];
  return [...findDifferences(method.input, published.input), ...findDifferences(method.output, published.output)];
}

describe("the messages of the published client", () => {
  const found = new Set(calls.flatMap(differencesOf));

  test("are those of every call, with exceptions", () => {
    expect([...found].filter((difference) => EXCEPTIONS[difference] === undefined)).toEqual([]);
    expect(calls.length).toBeGreaterThan(200);
  });

  test("have every difference that is an exception", () => {
    expect(Object.keys(EXCEPTIONS).filter((exception) => !found.has(exception))).toEqual([]);
  });

  test("differ where another message is compared", () => {
    const addApp = PublishedManagement.methods.find(({ name }) => name === "AddOIDCApp");
    if (addApp === undefined) throw new Error("AddOIDCApp is not published");
    const found = findDifferences(UpdateOIDCAppConfigRequestSchema, addApp.input);
    expect(found).toContain("signet.v1.UpdateOIDCAppConfigRequest: 9 bool dev_mode, published: 9 enum version");
    expect(found).toContain("signet.v1.UpdateOIDCAppConfigRequest: 2 string app_id, published: 2 string name");
    expect(found).toContain("signet.v1.UpdateOIDCAppConfigRequest lacks 19 login_version");
  });

  test("have every field of a request that Signet ignores in docs/moving/zitadel.md, with its call", () => {
    const rows = readFileSync("docs/moving/zitadel.md", "utf8").split("\n");
    const missing = calls.flatMap(({ name, method, published }) =>
      (published === undefined ? [] : findIgnored(method.input, published.input))
        .filter((path) => !rows.some((row) => row.includes(`\`${name}\``) && row.includes(`\`${path}\``)))
        .map((path) => `${name} ${path}`),
    );
    expect(missing).toEqual([]);
  });
});
