import type { JsonObject } from "@bufbuild/protobuf";
import type { ReadRpc } from "../support/clients/callers.ts";
import { MESSAGE_TEXT } from "../support/message-text.ts";

/** What requests refer to: objects of one organization. */
export interface ReadObjects {
  readonly orgId: string;
  /** A human user with the metadata `plan`. */
  readonly humanId: string;
  /** A machine user, and the id of its token. */
  readonly machine: { readonly userId: string; readonly id: string };
  readonly appId: string;
  readonly apiId: string;
  readonly scimConnectionId: string;
  readonly webhookId: string;
  readonly idpId: string;
  readonly instanceIdpId: string;
}

/** A request of an RPC that reads, which succeeds where the caller has the permission. */
export function readRequestOf(
  rpc: ReadRpc,
  { orgId, humanId, machine, appId, apiId, scimConnectionId, webhookId, idpId, instanceIdpId }: ReadObjects,
): JsonObject {
  switch (rpc) {
    case "GetMyUser":
    case "ListMyMemberships":
    case "ListMyPermissions":
    case "GetMyOrg":
    case "ListOrgChanges":
    case "GetLabelPolicy":
    case "GetPreviewLabelPolicy":
    case "AdminService.GetLabelPolicy":
    case "AdminService.GetPreviewLabelPolicy":
    case "ListOrgDomains":
    case "ListEvents":
    case "AdminService.ListEvents":
    case "CountFailedSignIns":
    case "ListOrgs":
    case "ListUsers":
    case "ListIDPs":
    case "ListOrgIDPs":
    case "ListOrgMembers":
    case "ListIAMMembers":
    case "ListProviders":
    case "AdminService.ListProviders":
    case "GetLoginPolicy":
    case "AdminService.GetLoginPolicy":
    case "ListWebhooks":
    case "GetPasswordHook":
    case "ListUserMessages":
    case "GetInstanceInfo":
      return {};
    case "ListWebhookDeliveries":
      return { id: webhookId };
    case "CheckWebhook":
      return { id: webhookId, eventType: "org.changed" };
    case "GetIDPByID":
    case "AdminService.GetProviderByID":
    case "AdminService.CheckProvider":
      return { id: instanceIdpId };
    case "GetOrgIDPByID":
    case "GetProviderByID":
    case "CheckProvider":
      return { id: idpId };
    case "ListApps":
    case "ListUserAppRoles":
    case "ListAPIs":
    case "ListScimConnections":
      return {};
    case "GetAppByID":
      return { appId };
    case "GetAPIByID":
      return { id: apiId };
    case "GetScimConnection":
    case "ListScimRequests":
      return { id: scimConnectionId };
    case "GetOrgByID":
      return { id: orgId };
    case "GetUserByID":
      return { id: humanId };
    case "IsOrgUnique":
      return { name: "Own" };
    case "IsUserUnique":
      return { userName: "ada" };
    case "BulkCheckHumanUsers":
      return { users: [{ userName: "ada" }] };
    case "ListUserMetadata":
      return { id: humanId };
    case "GetUserMetadata":
      return { id: humanId, key: "plan" };
    case "ListPersonalAccessTokens":
      return { userId: machine.userId };
    case "GetPersonalAccessTokenByIDs":
      return { userId: machine.userId, tokenId: machine.id };
    case "ListHumanAuthFactors":
    case "ListUserSessions":
    case "ListUserChanges":
    case "ListHumanPasswordless":
    case "ListHumanLinkedIDPs":
      return { userId: humanId };
    case "ListCustomMessageTexts":
    case "ListDefaultMessageTexts":
    case "ListCustomPageTexts":
    case "ListDefaultPageTexts":
      return { language: "en" };
    case "GetPreviewCustomMessageText":
    case "GetPreviewDefaultMessageText":
      return MESSAGE_TEXT;
    default:
      return rpc satisfies never;
  }
}
