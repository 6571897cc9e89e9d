import { AdminService } from "../gen/signet/v1/admin_pb.js";
import { AuthService } from "../gen/signet/v1/auth_pb.js";
import { ManagementService } from "../gen/signet/v1/management_pb.js";
import { addPersonalAccessToken } from "./access/add-personal-access-token.ts";
import { addMember, removeMember, updateMember } from "./access/change-member.ts";
import { listMyMemberships, listMyPermissions } from "./access/list-my-memberships.ts";
import { getPersonalAccessToken, listPersonalAccessTokens } from "./access/list-personal-access-tokens.ts";
import { checkMember } from "./access/member-roles.ts";
import { removeMyOrg, removeOrg } from "./access/remove-org.ts";
import { removePersonalAccessToken } from "./access/remove-personal-access-token.ts";
import { searchMembers } from "./access/search-members.ts";
import { setUpOrg } from "./access/set-up-org.ts";
import { addApi, removeApi, updateApi } from "./apis/change-api.ts";
import { checkApi, checkNewApi } from "./apis/check-api.ts";
import { APIS, getApiById } from "./apis/list-apis.ts";
import { deactivateApp, reactivateApp, regenerateClientSecret, removeApp } from "./apps/change-app.ts";
import { addOidcApp, patchOidcAppConfig, updateOidcAppConfig } from "./apps/change-oidc-app.ts";
import { getAppById, listApps } from "./apps/list-apps.ts";
import {
  activateLabelPolicy,
  addLabelPolicy,
  removeLabelPolicyImage,
  resetLabelPolicy,
  updateLabelPolicy,
} from "./branding/change-label-policy.ts";
import { checkLabelImage } from "./branding/check-label-image.ts";
import { checkLabelPolicy } from "./branding/check-label-policy.ts";
import { checkLanguage, checkMessageText, checkMessageTextId } from "./branding/check-message-text.ts";
import { checkPageTexts } from "./branding/check-page-texts.ts";
import { getLabelPolicy, getOrgLabelPolicy } from "./branding/get-label-policy.ts";
import { listMessageTexts } from "./branding/list-message-texts.ts";
import { listPageTexts } from "./branding/list-page-texts.ts";
import { type PreviewLabelPolicyParts, previewLabelPolicy } from "./branding/preview-label-policy.ts";
import { resetMessageText, setMessageText } from "./branding/set-message-text.ts";
import { resetPageTexts, setPageTexts } from "./branding/set-page-texts.ts";
import { type UploadLabelImageParts, uploadLabelPolicyImage } from "./branding/upload-label-image.ts";
import { createSerializePerKey } from "./database/serialize-per-key.ts";
import { type ListEventsParts, listInstanceEvents, listOrgEvents } from "./events/list-events.ts";
import { checkUpdateIdp, deactivateIdp, reactivateIdp, removeIdp, updateIdp } from "./idps/change-idp.ts";
import { addOidcIdp, checkOidcIdp, checkUpdateIdpOidcConfig, updateIdpOidcConfig } from "./idps/change-oidc-idp.ts";
import { addProvider, addProviderDraft, updateProvider } from "./idps/change-provider.ts";
import type { InsertIdpParts } from "./idps/insert-idp.ts";
import { getIdp, listIdps } from "./idps/list-idps.ts";
import { addSamlProvider, type LoadMetadataParts, updateSamlProvider } from "./idps/saml/change-saml-provider.ts";
import { type GetInstanceInfoParts, getInstanceInfo } from "./instance/get-instance-info.ts";
import { previewMessageText } from "./messages/preview-message-text.ts";
import { addOrg, deactivateOrg, reactivateOrg, updateOrg } from "./orgs/change-org.ts";
import { checkOrgName } from "./orgs/check-org-name.ts";
import {
  addOrgDomain,
  checkDomain,
  checkNewDomain,
  generateDomainValidation,
  removeOrgDomain,
  setPrimaryOrgDomain,
} from "./orgs/domains/change-org-domain.ts";
import { listOrgDomains } from "./orgs/domains/list-org-domains.ts";
import { type ValidateOrgDomainParts, validateOrgDomain } from "./orgs/domains/validate-org-domain.ts";
import { checkListOrgChanges, listOrgChanges } from "./orgs/list-org-changes.ts";
import { getMyOrg, getOrgById, isOrgUnique, listOrgs } from "./orgs/list-orgs.ts";
import { ofInstance, ofOrg } from "./owner.ts";
import {
  checkPasswordHook,
  getPasswordHook,
  removePasswordHook,
  setPasswordHook,
} from "./password-hook/set-password-hook.ts";
import {
  addLoginPolicy,
  removeLoginPolicy,
  updateInstanceLoginPolicy,
  updateLoginPolicy,
} from "./policies/change-login-policy.ts";
import { getInstanceLoginPolicy, getLoginPolicy } from "./policies/get-login-policy.ts";
import { createBulkImport } from "./rpc/create-bulk-import.ts";
import { implement, type Rpc, rpc } from "./rpc/implement.ts";
import { toApi, toApiSearch } from "./rpc/messages/api.ts";
import { toApp, toAppChange, toAppId, toAppPatch, toAppSearch, toNewApp } from "./rpc/messages/app.ts";
import { toUserAppRole, toUserAppRoleSearch, toUserAppRoles } from "./rpc/messages/app-role.ts";
import {
  toLabelPolicyResponse,
  toMessageTexts,
  toOrgLabelPolicyResponse,
  toPageTexts,
  toPreviewResponse,
} from "./rpc/messages/branding.ts";
import { toDomainItem, toDomainSearch, toDomainValidation } from "./rpc/messages/domain.ts";
import { toChange, toEventList, toEventSearch } from "./rpc/messages/event.ts";
import { toFailedSignInSearch, toFailedSignIns } from "./rpc/messages/failed-sign-in.ts";
import { toAddedIdp, toIdp, toIdpSearch } from "./rpc/messages/idp.ts";
import { toInstanceInfo } from "./rpc/messages/instance.ts";
import { listOf } from "./rpc/messages/list.ts";
import { toLoginPolicy, toNewPolicy, toPolicy } from "./rpc/messages/login-policy.ts";
import { toGranted, toMember, toMemberSearch } from "./rpc/messages/member.ts";
import { toMembership, toMembershipSearch } from "./rpc/messages/membership.ts";
import {
  toMetadata,
  toMetadataItem,
  toMetadataItems,
  toMetadataKey,
  toMetadataKeys,
  toMetadataSearch,
} from "./rpc/messages/metadata.ts";
import { toOrg, toOrgSearch, toOrgToSetUp } from "./rpc/messages/org.ts";
import {
  type ProviderKind,
  toProvider,
  toProviderCheck,
  toProviderDraft,
  toProviderFields,
  toProviderList,
  toSamlProviderFields,
} from "./rpc/messages/provider.ts";
import {
  toScimConnection,
  toScimConnectionChange,
  toScimConnectionSearch,
  toScimRequest,
  toScimRequestSearch,
} from "./rpc/messages/scim.ts";
import { toNewToken, toToken, toTokenSearch } from "./rpc/messages/token.ts";
import {
  toAuthFactors,
  toHumanToImport,
  toIdpLink,
  toImportResponse,
  toLinkSearch,
  toMyUserResponse,
  toPasskey,
  toPasswordReset,
  toRegistrationResponse,
  toSession,
  toSessionSearch,
  toUser,
  toUserResponse,
  toUserSearch,
} from "./rpc/messages/user.ts";
import { toMessageSearch, toUserMessage } from "./rpc/messages/user-message.ts";
import {
  toDeliverySearch,
  toPasswordHook,
  toWebhook,
  toWebhookCheck,
  toWebhookDelivery,
  toWebhookSearch,
} from "./rpc/messages/webhook.ts";
import {
  addScimConnection,
  removeScimConnection,
  rotateScimToken,
  updateScimConnection,
} from "./scim/connections/change-scim-connection.ts";
import { getScimConnection, SCIM_CONNECTIONS } from "./scim/connections/list-scim-connections.ts";
import { checkScimConnection } from "./scim/connections/scim-settings.ts";
import { type ListScimRequestsParts, listScimRequests } from "./scim/requests/list-scim-requests.ts";
import { openOneTimeCode, type StoredOneTimeCode } from "./sign-in/code/one-time-code.ts";
import { countFailedSignIns } from "./sign-in/count-failed-sign-ins.ts";
import { type CheckStoredIdpParts, checkStoredIdp } from "./sign-in/provider/check-stored-idp.ts";
import { addUserAppRoles, removeUserAppRoles } from "./users/app-roles/change-user-app-roles.ts";
import { listUserAppRoles } from "./users/app-roles/list-user-app-roles.ts";
import { addIdpLink, checkNewIdpLink, removeIdpLink } from "./users/change/change-idp-links.ts";
import type { ChangeUserParts } from "./users/change/change-user.ts";
import { deactivateUser, lockUser, reactivateUser, unlockUser } from "./users/change/change-user-state.ts";
import { endUserSessions } from "./users/change/end-user-sessions.ts";
import { removeHumanPhone } from "./users/change/remove-human-phone.ts";
import { type RemoveUserParts, removeUser } from "./users/change/remove-user.ts";
import { resendHumanPhoneVerification } from "./users/change/resend-human-phone-verification.ts";
import { checkUpdateHumanEmail, updateHumanEmail } from "./users/change/update-human-email.ts";
import { checkUpdateHumanPhone, updateHumanPhone } from "./users/change/update-human-phone.ts";
import { checkUpdateHumanProfile, updateHumanProfile } from "./users/change/update-human-profile.ts";
import { checkUpdateUserName, updateUserName } from "./users/change/update-user-name.ts";
import { addPasskeyRegistration } from "./users/credentials/add-passkey-registration.ts";
import { removePasskey } from "./users/credentials/change-passkeys.ts";
import { removeOneTimeCode } from "./users/credentials/remove-one-time-code.ts";
import {
  checkResendHumanInitialization,
  resendHumanInitialization,
} from "./users/credentials/resend-human-initialization.ts";
import { sendPasswordReset } from "./users/credentials/send-password-reset.ts";
import { checkSetHumanPassword, setHumanPassword } from "./users/credentials/set-human-password.ts";
import { type ImportHumanUserParts, importHumanUser } from "./users/import/import-human-user.ts";
import { addMachineUser, checkMachineChange, checkNewMachine, updateMachine } from "./users/machine/machine-users.ts";
import { listUserMessages } from "./users/messages/list-user-messages.ts";
import { retryUserMessage } from "./users/messages/retry-user-message.ts";
import { removeUserMetadata, setUserMetadata } from "./users/metadata/change-user-metadata.ts";
import { getUserMetadata, listUserMetadata } from "./users/metadata/list-user-metadata.ts";
import { findTakenValues } from "./users/read/find-taken-values.ts";
import { getMyUser, getUserById } from "./users/read/get-user-by-id.ts";
import { checkIsUserUnique, isUserUnique } from "./users/read/is-user-unique.ts";
import { listHumanAuthFactors, listHumanPasswordless } from "./users/read/list-human-credentials.ts";
import { listHumanLinkedIdps } from "./users/read/list-human-linked-idps.ts";
import { checkListUserChanges, listUserChanges } from "./users/read/list-user-changes.ts";
import { listUserSessions } from "./users/read/list-user-sessions.ts";
import { listUsers } from "./users/read/list-users.ts";
import {
  addWebhook,
  deactivateWebhook,
  reactivateWebhook,
  removeWebhook,
  rotateSigningKey,
  updateWebhook,
} from "./webhooks/change-webhook.ts";
import { type CheckWebhookParts, checkStoredWebhook, checkTestEvent } from "./webhooks/check-stored-webhook.ts";
import { checkWebhook } from "./webhooks/check-webhook.ts";
import { listDeliveries } from "./webhooks/list-deliveries.ts";
import { WEBHOOKS } from "./webhooks/list-webhooks.ts";
import { retryDelivery } from "./webhooks/retry-delivery.ts";

/** The dependencies of the operations. */
export type RpcParts = InsertIdpParts &
  LoadMetadataParts &
  CheckStoredIdpParts &
  CheckWebhookParts &
  ChangeUserParts &
  ImportHumanUserParts &
  ListEventsParts &
  ListScimRequestsParts &
  PreviewLabelPolicyParts &
  RemoveUserParts &
  UploadLabelImageParts &
  ValidateOrgDomainParts &
  GetInstanceInfoParts;

/** Returns every RPC with its operation. */
export function createRpcs(given: RpcParts): Rpc[] {
  const { publicUrl } = given;
  const parts = {
    ...given,
    serializeKeyed: createSerializePerKey(),
    isOneTimeCode: (user: StoredOneTimeCode) => openOneTimeCode(given.keyring, user) !== undefined,
  };
  const rpcs = [
    ...implement(AdminService, parts, {
      addOIDCIDP: rpc(ofInstance(addOidcIdp), { check: checkOidcIdp, respond: (added) => toAddedIdp(added) }),
      getOrgByID: rpc(getOrgById, { respond: (org) => ({ org: toOrg(org) }) }),
      isOrgUnique: rpc(isOrgUnique, { check: checkOrgName, respond: (isUnique) => ({ isUnique }) }),
      setUpOrg: rpc(setUpOrg, { check: toOrgToSetUp, ownerOf: ({ orgId }) => orgId }),
      removeOrg: rpc(removeOrg, { ownerOf: (_response, { orgId }) => orgId.toLowerCase() }),
      listOrgs: rpc(listOrgs, { check: toOrgSearch, respond: listOf(toOrg) }),
      listEvents: rpc(listInstanceEvents, { check: toEventSearch, respond: toEventList }),
      getInstanceInfo: rpc(getInstanceInfo, { respond: toInstanceInfo }),
      getIDPByID: rpc(ofInstance(getIdp), { respond: (idp, call) => ({ idp: toIdp(idp, call) }) }),
      listIDPs: rpc(ofInstance(listIdps), {
        check: toIdpSearch,
        respond: listOf(toIdp),
      }),
      updateIDP: rpc(ofInstance(updateIdp), { check: checkUpdateIdp }),
      updateIDPOIDCConfig: rpc(ofInstance(updateIdpOidcConfig), { check: checkUpdateIdpOidcConfig }),
      deactivateIDP: rpc(ofInstance(deactivateIdp)),
      reactivateIDP: rpc(ofInstance(reactivateIdp)),
      removeIDP: rpc(ofInstance(removeIdp)),
      getLabelPolicy: rpc(ofInstance(getLabelPolicy), { respond: (found) => toLabelPolicyResponse(found, publicUrl) }),
      getPreviewLabelPolicy: rpc(ofInstance(previewLabelPolicy), {
        respond: (found) => toPreviewResponse(found, publicUrl),
      }),
      updateLabelPolicy: rpc(ofInstance(updateLabelPolicy), { check: checkLabelPolicy }),
      activateLabelPolicy: rpc(ofInstance(activateLabelPolicy)),
      uploadLabelPolicyImage: rpc(ofInstance(uploadLabelPolicyImage), { check: checkLabelImage }),
      removeLabelPolicyLogo: rpc(ofInstance(removeLabelPolicyImage("logo"))),
      removeLabelPolicyLogoDark: rpc(ofInstance(removeLabelPolicyImage("logoDark"))),
      removeLabelPolicyIcon: rpc(ofInstance(removeLabelPolicyImage("icon"))),
      removeLabelPolicyIconDark: rpc(ofInstance(removeLabelPolicyImage("iconDark"))),
      resetInstanceLabelPolicyToDefault: rpc(ofInstance(resetLabelPolicy)),
      listDefaultMessageTexts: rpc(ofInstance(listMessageTexts), {
        check: checkLanguage,
        respond: (found) => toMessageTexts(found),
      }),
      setDefaultMessageText: rpc(ofInstance(setMessageText), { check: checkMessageText }),
      getPreviewDefaultMessageText: rpc(ofInstance(previewMessageText), {
        check: checkMessageText,
        respond: (message) => message,
      }),
      resetDefaultMessageTextToDefault: rpc(ofInstance(resetMessageText), { check: checkMessageTextId }),
      listDefaultPageTexts: rpc(ofInstance(listPageTexts), {
        check: checkLanguage,
        respond: (found) => toPageTexts(found),
      }),
      setDefaultPageTexts: rpc(ofInstance(setPageTexts), { check: checkPageTexts("instance") }),
      resetDefaultPageTextsToDefault: rpc(ofInstance(resetPageTexts), { check: checkLanguage }),
      ...providerRpcs(ofInstance),
      listIAMMembers: rpc(ofInstance(searchMembers), { check: toMemberSearch, respond: listOf(toMember) }),
      addIAMMember: rpc(ofInstance(addMember), {
        check: checkMember("instance"),
        respond: (added) => toGranted(added),
      }),
      updateIAMMember: rpc(ofInstance(updateMember), {
        check: checkMember("instance"),
        respond: (changed) => toGranted(changed),
      }),
      removeIAMMember: rpc(ofInstance(removeMember)),
      getLoginPolicy: rpc(getInstanceLoginPolicy, { respond: (found) => ({ policy: toLoginPolicy(found) }) }),
      updateLoginPolicy: rpc(updateInstanceLoginPolicy, { check: toPolicy }),
    }),
    ...implement(ManagementService, parts, {
      addOrgOIDCIDP: rpc(ofOrg(addOidcIdp), { check: checkOidcIdp, respond: (added) => toAddedIdp(added) }),
      importHumanUser: rpc(importHumanUser, {
        check: toHumanToImport(given),
        respond: toImportResponse,
        confirmsCaller: true,
        hashesPassword: ({ password }) => password !== undefined && password !== "",
      }),
      bulkCheckHumanUsers: rpc(findTakenValues, { respond: (results) => ({ results }) }),
      updateHumanPhone: rpc(updateHumanPhone, { check: checkUpdateHumanPhone, confirmsCaller: true }),
      listHumanAuthFactors: rpc(listHumanAuthFactors, { respond: toAuthFactors }),
      removeHumanAuthFactorOTP: rpc(removeOneTimeCode),
      listUserSessions: rpc(listUserSessions, { check: toSessionSearch, respond: listOf(toSession) }),
      endUserSessions: rpc(endUserSessions),
      listUserMessages: rpc(listUserMessages, { check: toMessageSearch, respond: listOf(toUserMessage) }),
      retryUserMessage: rpc(retryUserMessage, { confirmsCaller: true }),
      setUserMetadata: rpc(setUserMetadata, { check: toMetadataItem, confirmsCaller: true }),
      bulkSetUserMetadata: rpc(setUserMetadata, {
        check: toMetadataItems,
        respond: ({ details }) => ({ details }),
        confirmsCaller: true,
      }),
      listUserMetadata: rpc(listUserMetadata, { check: toMetadataSearch, respond: listOf(toMetadata) }),
      getUserMetadata: rpc(getUserMetadata, { respond: (row, call) => ({ metadata: toMetadata(row, call) }) }),
      removeUserMetadata: rpc(removeUserMetadata, { check: toMetadataKey, confirmsCaller: true }),
      bulkRemoveUserMetadata: rpc(removeUserMetadata, { check: toMetadataKeys, confirmsCaller: true }),
      addMachineUser: rpc(addMachineUser, { check: checkNewMachine }),
      updateMachine: rpc(updateMachine, { check: checkMachineChange, confirmsCaller: true }),
      addPersonalAccessToken: rpc(addPersonalAccessToken, { check: toNewToken, confirmsCaller: true }),
      listPersonalAccessTokens: rpc(listPersonalAccessTokens, {
        check: toTokenSearch,
        respond: listOf(toToken),
      }),
      getPersonalAccessTokenByIDs: rpc(getPersonalAccessToken, {
        respond: (token, call) => ({ token: toToken(token, call) }),
      }),
      removePersonalAccessToken: rpc(removePersonalAccessToken, { confirmsCaller: true }),
      addOrg: rpc(addOrg, { check: checkOrgName, ownerOf: ({ id }) => id }),
      updateOrg: rpc(updateOrg, { check: checkOrgName }),
      deactivateOrg: rpc(deactivateOrg),
      reactivateOrg: rpc(reactivateOrg),
      removeOrg: rpc(removeMyOrg),
      addOrgDomain: rpc(addOrgDomain, { check: checkNewDomain }),
      listOrgDomains: rpc(listOrgDomains, { check: toDomainSearch, respond: listOf(toDomainItem) }),
      removeOrgDomain: rpc(removeOrgDomain, { check: checkDomain }),
      generateOrgDomainValidation: rpc(generateDomainValidation, { check: toDomainValidation }),
      validateOrgDomain: rpc(validateOrgDomain, { check: checkDomain }),
      setPrimaryOrgDomain: rpc(setPrimaryOrgDomain, { check: checkDomain }),
      getMyOrg: rpc(getMyOrg, { respond: (org) => ({ org: toOrg(org) }) }),
      listOrgChanges: rpc(listOrgChanges, {
        check: checkListOrgChanges,
        respond: (rows, call) => ({ result: rows.map((row) => toChange(row, call)) }),
      }),
      getUserByID: rpc(getUserById, { respond: toUserResponse }),
      listUsers: rpc(listUsers, { check: toUserSearch, respond: listOf(toUser) }),
      isUserUnique: rpc(isUserUnique, { check: checkIsUserUnique, respond: (isUnique) => ({ isUnique }) }),
      listUserChanges: rpc(listUserChanges, {
        check: checkListUserChanges,
        respond: (rows, call) => ({ result: rows.map((row) => toChange(row, call)) }),
      }),
      listHumanPasswordless: rpc(listHumanPasswordless, { respond: (rows) => ({ result: rows.map(toPasskey) }) }),
      listHumanLinkedIDPs: rpc(listHumanLinkedIdps, { check: toLinkSearch, respond: listOf(toIdpLink) }),
      updateUserName: rpc(updateUserName, { check: checkUpdateUserName, confirmsCaller: true }),
      updateHumanProfile: rpc(updateHumanProfile, { check: checkUpdateHumanProfile, confirmsCaller: true }),
      updateHumanEmail: rpc(updateHumanEmail, { check: checkUpdateHumanEmail, confirmsCaller: true }),
      removeHumanPhone: rpc(removeHumanPhone, { confirmsCaller: true }),
      resendHumanInitialization: rpc(resendHumanInitialization, {
        check: checkResendHumanInitialization,
        confirmsCaller: true,
      }),
      resendHumanPhoneVerification: rpc(resendHumanPhoneVerification, { confirmsCaller: true }),
      deactivateUser: rpc(deactivateUser, { confirmsCaller: true }),
      reactivateUser: rpc(reactivateUser, { confirmsCaller: true }),
      lockUser: rpc(lockUser, { confirmsCaller: true }),
      unlockUser: rpc(unlockUser, { confirmsCaller: true }),
      removeUser: rpc(removeUser),
      getOrgIDPByID: rpc(ofOrg(getIdp), { respond: (idp, call) => ({ idp: toIdp(idp, call) }) }),
      listOrgIDPs: rpc(ofOrg(listIdps), {
        check: toIdpSearch,
        respond: listOf(toIdp),
      }),
      updateOrgIDP: rpc(ofOrg(updateIdp), { check: checkUpdateIdp }),
      updateOrgIDPOIDCConfig: rpc(ofOrg(updateIdpOidcConfig), { check: checkUpdateIdpOidcConfig }),
      deactivateOrgIDP: rpc(ofOrg(deactivateIdp)),
      reactivateOrgIDP: rpc(ofOrg(reactivateIdp)),
      removeOrgIDP: rpc(ofOrg(removeIdp)),
      getLabelPolicy: rpc(ofOrg(getOrgLabelPolicy), {
        respond: (found) => toOrgLabelPolicyResponse(found, publicUrl),
      }),
      getPreviewLabelPolicy: rpc(ofOrg(previewLabelPolicy), {
        respond: (found) => toPreviewResponse(found, publicUrl),
      }),
      addCustomLabelPolicy: rpc(ofOrg(addLabelPolicy), { check: checkLabelPolicy }),
      updateCustomLabelPolicy: rpc(ofOrg(updateLabelPolicy), { check: checkLabelPolicy }),
      activateCustomLabelPolicy: rpc(ofOrg(activateLabelPolicy)),
      uploadCustomLabelPolicyImage: rpc(ofOrg(uploadLabelPolicyImage), { check: checkLabelImage }),
      removeCustomLabelPolicyLogo: rpc(ofOrg(removeLabelPolicyImage("logo"))),
      removeCustomLabelPolicyLogoDark: rpc(ofOrg(removeLabelPolicyImage("logoDark"))),
      removeCustomLabelPolicyIcon: rpc(ofOrg(removeLabelPolicyImage("icon"))),
      removeCustomLabelPolicyIconDark: rpc(ofOrg(removeLabelPolicyImage("iconDark"))),
      resetLabelPolicyToDefault: rpc(ofOrg(resetLabelPolicy)),
      listCustomMessageTexts: rpc(ofOrg(listMessageTexts), {
        check: checkLanguage,
        respond: (found) => toMessageTexts(found),
      }),
      setCustomMessageText: rpc(ofOrg(setMessageText), { check: checkMessageText }),
      getPreviewCustomMessageText: rpc(ofOrg(previewMessageText), {
        check: checkMessageText,
        respond: (message) => message,
      }),
      resetCustomMessageTextToDefault: rpc(ofOrg(resetMessageText), { check: checkMessageTextId }),
      listCustomPageTexts: rpc(ofOrg(listPageTexts), {
        check: checkLanguage,
        respond: (found) => toPageTexts(found),
      }),
      setCustomPageTexts: rpc(ofOrg(setPageTexts), { check: checkPageTexts("org") }),
      resetCustomPageTextsToDefault: rpc(ofOrg(resetPageTexts), { check: checkLanguage }),
      ...providerRpcs(ofOrg),
      listEvents: rpc(listOrgEvents, { check: toEventSearch, respond: toEventList }),
      countFailedSignIns: rpc(countFailedSignIns, { check: toFailedSignInSearch, respond: toFailedSignIns }),
      addWebhook: rpc(addWebhook, { check: checkWebhook }),
      updateWebhook: rpc(updateWebhook, { check: checkWebhook }),
      removeWebhook: rpc(removeWebhook),
      deactivateWebhook: rpc(deactivateWebhook),
      reactivateWebhook: rpc(reactivateWebhook),
      rotateWebhookSigningKey: rpc(rotateSigningKey),
      listWebhooks: rpc(WEBHOOKS.list, { check: toWebhookSearch, respond: listOf(toWebhook) }),
      listWebhookDeliveries: rpc(listDeliveries, { check: toDeliverySearch, respond: listOf(toWebhookDelivery) }),
      retryWebhookDelivery: rpc(retryDelivery),
      checkWebhook: rpc(checkStoredWebhook, { check: checkTestEvent, respond: (checked) => toWebhookCheck(checked) }),
      setPasswordHook: rpc(setPasswordHook, { check: checkPasswordHook }),
      getPasswordHook: rpc(getPasswordHook, { respond: (hook) => ({ passwordHook: toPasswordHook(hook) }) }),
      removePasswordHook: rpc(removePasswordHook),
      addScimConnection: rpc(addScimConnection, { check: checkScimConnection }),
      updateScimConnection: rpc(updateScimConnection, { check: toScimConnectionChange }),
      rotateScimToken: rpc(rotateScimToken),
      removeScimConnection: rpc(removeScimConnection),
      getScimConnection: rpc(getScimConnection, {
        respond: (connection) => ({ connection: toScimConnection(connection) }),
      }),
      listScimConnections: rpc(SCIM_CONNECTIONS.list, {
        check: toScimConnectionSearch,
        respond: listOf(toScimConnection),
      }),
      listScimRequests: rpc(listScimRequests, { check: toScimRequestSearch, respond: listOf(toScimRequest) }),
      listOrgMembers: rpc(ofOrg(searchMembers), { check: toMemberSearch, respond: listOf(toMember) }),
      addOrgMember: rpc(ofOrg(addMember), { check: checkMember("org"), respond: (added) => toGranted(added) }),
      updateOrgMember: rpc(ofOrg(updateMember), {
        check: checkMember("org"),
        respond: (changed) => toGranted(changed),
      }),
      removeOrgMember: rpc(ofOrg(removeMember)),
      addOIDCApp: rpc(addOidcApp, { check: toNewApp }),
      getAppByID: rpc(getAppById, { check: toAppId, respond: (app) => ({ app: toApp(app) }) }),
      listApps: rpc(listApps, { check: toAppSearch, respond: listOf(toApp) }),
      updateOIDCAppConfig: rpc(updateOidcAppConfig, { check: toAppChange }),
      patchOIDCAppConfig: rpc(patchOidcAppConfig, { check: toAppPatch, respond: ({ details }) => ({ details }) }),
      regenerateOIDCClientSecret: rpc(regenerateClientSecret),
      deactivateApp: rpc(deactivateApp),
      reactivateApp: rpc(reactivateApp),
      removeApp: rpc(removeApp),
      addAPI: rpc(addApi, { check: checkNewApi }),
      updateAPI: rpc(updateApi, { check: checkApi }),
      removeAPI: rpc(removeApi),
      getAPIByID: rpc(getApiById, { respond: (api) => ({ api: toApi(api) }) }),
      listAPIs: rpc(APIS.list, { check: toApiSearch, respond: listOf(toApi) }),
      addUserAppRoles: rpc(addUserAppRoles, { check: toUserAppRoles, confirmsCaller: true }),
      removeUserAppRoles: rpc(removeUserAppRoles, { check: toUserAppRoles, confirmsCaller: true }),
      listUserAppRoles: rpc(listUserAppRoles, { check: toUserAppRoleSearch, respond: listOf(toUserAppRole) }),
      setHumanPassword: rpc(setHumanPassword, { check: checkSetHumanPassword }),
      sendHumanResetPasswordNotification: rpc(sendPasswordReset, { check: toPasswordReset, confirmsCaller: true }),
      addPasswordlessRegistration: rpc(addPasskeyRegistration, {
        respond: toRegistrationResponse,
        confirmsCaller: true,
      }),
      removeHumanPasswordless: rpc(removePasskey, { confirmsCaller: true }),
      addHumanLinkedIDP: rpc(addIdpLink, { check: checkNewIdpLink, confirmsCaller: true }),
      removeHumanLinkedIDP: rpc(removeIdpLink, { confirmsCaller: true }),
      getLoginPolicy: rpc(getLoginPolicy, {
        respond: (found) => ({
          policy: toLoginPolicy(found),
          isDefault: found.isDefault,
          instancePolicy: toLoginPolicy(found.ofInstance),
        }),
      }),
      addCustomLoginPolicy: rpc(addLoginPolicy, { check: toNewPolicy }),
      updateCustomLoginPolicy: rpc(updateLoginPolicy, { check: toPolicy }),
      resetLoginPolicyToDefault: rpc(removeLoginPolicy),
    }),
    ...implement(AuthService, parts, {
      getMyUser: rpc(getMyUser, { respond: toMyUserResponse }),
      listMyMemberships: rpc(listMyMemberships, { check: toMembershipSearch, respond: listOf(toMembership) }),
      listMyPermissions: rpc(listMyPermissions, { respond: (result) => ({ result }) }),
    }),
  ];
  return [...rpcs, createBulkImport(rpcs)];
}

/** The operations on providers of all kinds, which both services have. */
function providerRpcs(of: typeof ofInstance) {
  const add = (kind: ProviderKind) => rpc(of(addProvider), { check: toProviderFields(kind) });
  const update = (kind: ProviderKind) => rpc(of(updateProvider), { check: toProviderFields(kind) });
  const list = of(listIdps);
  const get = of(getIdp);
  const remove = of(removeIdp);
  return {
    addProviderDraft: rpc(of(addProviderDraft), { check: toProviderDraft }),
    addGenericOIDCProvider: add("oidc"),
    updateGenericOIDCProvider: update("oidc"),
    addGoogleProvider: add("google"),
    updateGoogleProvider: update("google"),
    addAzureADProvider: add("azure"),
    updateAzureADProvider: update("azure"),
    addAppleProvider: add("apple"),
    updateAppleProvider: update("apple"),
    addGitLabProvider: add("gitlab"),
    updateGitLabProvider: update("gitlab"),
    addGitLabSelfHostedProvider: add("gitlab_self_hosted"),
    updateGitLabSelfHostedProvider: update("gitlab_self_hosted"),
    addGitHubProvider: add("github"),
    updateGitHubProvider: update("github"),
    addGitHubEnterpriseServerProvider: add("github_es"),
    updateGitHubEnterpriseServerProvider: update("github_es"),
    addGenericOAuthProvider: add("oauth"),
    updateGenericOAuthProvider: update("oauth"),
    addSAMLProvider: rpc(of(addSamlProvider), { check: toSamlProviderFields }),
    updateSAMLProvider: rpc(of(updateSamlProvider), { check: toSamlProviderFields }),
    listProviders: rpc(list, { check: toIdpSearch, respond: toProviderList }),
    getProviderByID: rpc(get, { respond: (idp, call) => ({ idp: toProvider(idp, call) }) }),
    checkProvider: rpc(of(checkStoredIdp), { respond: (checked) => toProviderCheck(checked) }),
    deleteProvider: rpc(remove, {
      check: ({ id }: { readonly id: string }) => ({ idpId: id, field: "id" as const }),
    }),
  };
}
