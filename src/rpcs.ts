import { AdminService } from "../gen/signet/v1/admin_pb.js";
import { ManagementService } from "../gen/signet/v1/management_pb.js";
import { addOrgMember, checkOrgMember } from "./access/add-org-member.ts";
import { checkListOrgMembers, listOrgMembers } from "./access/list-org-members.ts";
import { removeOrgMember } from "./access/remove-org-member.ts";
import { updateOrgMember } from "./access/update-org-member.ts";
import { addOidcApp } from "./apps/add-oidc-app.ts";
import { checkAddOidcApp, checkUpdateOidcAppConfig } from "./apps/check-oidc-app.ts";
import { deactivateApp, reactivateApp } from "./apps/deactivate-app.ts";
import { getAppById } from "./apps/get-app-by-id.ts";
import { checkListApps, listApps } from "./apps/list-apps.ts";
import { regenerateClientSecret } from "./apps/regenerate-client-secret.ts";
import { removeApp } from "./apps/remove-app.ts";
import { updateOidcAppConfig } from "./apps/update-oidc-app-config.ts";
import { createSerializePerKey } from "./database/serialize-per-key.ts";
import { addOidcIdp } from "./idps/add-oidc-idp.ts";
import { addOrgOidcIdp } from "./idps/add-org-oidc-idp.ts";
import { deactivateIdp, deactivateOrgIdp } from "./idps/deactivate-idp.ts";
import { getIdpById, getOrgIdpById } from "./idps/get-idp.ts";
import { checkListIdps, checkListOrgIdps, listIdps, listOrgIdps } from "./idps/list-idps.ts";
import { type AddOidcIdpParts, checkOidcIdp } from "./idps/oidc-idp.ts";
import { reactivateIdp, reactivateOrgIdp } from "./idps/reactivate-idp.ts";
import { removeIdp, removeOrgIdp } from "./idps/remove-idp.ts";
import { updateIdp, updateOrgIdp } from "./idps/update-idp.ts";
import {
  checkUpdateIdpOidcConfig,
  updateIdpOidcConfig,
  updateOrgIdpOidcConfig,
} from "./idps/update-idp-oidc-config.ts";
import { getMyOrg, getOrgById } from "./orgs/get-org.ts";
import { checkListOrgs, listOrgs } from "./orgs/list-orgs.ts";
import { implement, type Rpc } from "./rpc/implement.ts";
import { addPasskeyRegistration } from "./users/add-passkey-registration.ts";
import type { ChangeUserParts } from "./users/change-user.ts";
import { checkImportHumanUser } from "./users/check-import-human-user.ts";
import { deactivateUser } from "./users/deactivate-user.ts";
import { getUserById } from "./users/get-user-by-id.ts";
import { type ImportHumanUserParts, importHumanUser } from "./users/import-human-user.ts";
import { checkIsUserUnique, isUserUnique } from "./users/is-user-unique.ts";
import { checkListHumanLinkedIdps, listHumanLinkedIdps } from "./users/list-human-linked-idps.ts";
import { listHumanPasswordless } from "./users/list-human-passwordless.ts";
import { checkListUserChanges, listUserChanges } from "./users/list-user-changes.ts";
import { checkListUsers, listUsers } from "./users/list-users.ts";
import { lockUser } from "./users/lock-user.ts";
import { reactivateUser } from "./users/reactivate-user.ts";
import { removeHumanPhone } from "./users/remove-human-phone.ts";
import { removeIdpLink } from "./users/remove-idp-link.ts";
import { removePasskey } from "./users/remove-passkey.ts";
import { type RemoveUserParts, removeUser } from "./users/remove-user.ts";
import { checkResendHumanInitialization, resendHumanInitialization } from "./users/resend-human-initialization.ts";
import { resendHumanPhoneVerification } from "./users/resend-human-phone-verification.ts";
import { sendPasswordReset } from "./users/send-password-reset.ts";
import { checkSetHumanPassword, setHumanPassword } from "./users/set-human-password.ts";
import { unlockUser } from "./users/unlock-user.ts";
import { checkUpdateHumanEmail, updateHumanEmail } from "./users/update-human-email.ts";
import { checkUpdateHumanPhone, updateHumanPhone } from "./users/update-human-phone.ts";
import { checkUpdateHumanProfile, updateHumanProfile } from "./users/update-human-profile.ts";

/** The dependencies of the operations. */
export type RpcParts = AddOidcIdpParts & ChangeUserParts & ImportHumanUserParts & RemoveUserParts;

/** Returns every RPC with its operation. */
export function createRpcs(given: RpcParts): Rpc[] {
  const parts = { ...given, serializeKeyed: createSerializePerKey(), serializeMembers: createSerializePerKey() };
  return [
    ...implement(AdminService, parts, {
      addOIDCIDP: { check: checkOidcIdp, run: addOidcIdp },
      getOrgByID: { check: asItIs, run: getOrgById },
      listOrgs: { check: checkListOrgs, run: listOrgs },
      getIDPByID: { check: asItIs, run: getIdpById },
      listIDPs: { check: checkListIdps, run: listIdps },
      updateIDP: { check: asItIs, run: updateIdp },
      updateIDPOIDCConfig: { check: checkUpdateIdpOidcConfig, run: updateIdpOidcConfig },
      deactivateIDP: { check: asItIs, run: deactivateIdp },
      reactivateIDP: { check: asItIs, run: reactivateIdp },
      removeIDP: { check: asItIs, run: removeIdp },
    }),
    ...implement(ManagementService, parts, {
      addOrgOIDCIDP: { check: checkOidcIdp, run: addOrgOidcIdp },
      importHumanUser: { check: checkImportHumanUser, run: importHumanUser, confirmsCaller: true },
      updateHumanPhone: { check: checkUpdateHumanPhone, run: updateHumanPhone, confirmsCaller: true },
      getMyOrg: { check: asItIs, run: getMyOrg },
      getUserByID: { check: asItIs, run: getUserById },
      listUsers: { check: checkListUsers, run: listUsers },
      isUserUnique: { check: checkIsUserUnique, run: isUserUnique },
      listUserChanges: { check: checkListUserChanges, run: listUserChanges },
      listHumanPasswordless: { check: asItIs, run: listHumanPasswordless },
      listHumanLinkedIDPs: { check: checkListHumanLinkedIdps, run: listHumanLinkedIdps },
      updateHumanProfile: { check: checkUpdateHumanProfile, run: updateHumanProfile, confirmsCaller: true },
      updateHumanEmail: { check: checkUpdateHumanEmail, run: updateHumanEmail, confirmsCaller: true },
      removeHumanPhone: { check: asItIs, run: removeHumanPhone, confirmsCaller: true },
      resendHumanInitialization: {
        check: checkResendHumanInitialization,
        run: resendHumanInitialization,
        confirmsCaller: true,
      },
      resendHumanPhoneVerification: { check: asItIs, run: resendHumanPhoneVerification, confirmsCaller: true },
      deactivateUser: { check: asItIs, run: deactivateUser, confirmsCaller: true },
      reactivateUser: { check: asItIs, run: reactivateUser, confirmsCaller: true },
      lockUser: { check: asItIs, run: lockUser, confirmsCaller: true },
      unlockUser: { check: asItIs, run: unlockUser, confirmsCaller: true },
      removeUser: { check: asItIs, run: removeUser },
      getOrgIDPByID: { check: asItIs, run: getOrgIdpById },
      listOrgIDPs: { check: checkListOrgIdps, run: listOrgIdps },
      updateOrgIDP: { check: asItIs, run: updateOrgIdp },
      updateOrgIDPOIDCConfig: { check: checkUpdateIdpOidcConfig, run: updateOrgIdpOidcConfig },
      deactivateOrgIDP: { check: asItIs, run: deactivateOrgIdp },
      reactivateOrgIDP: { check: asItIs, run: reactivateOrgIdp },
      removeOrgIDP: { check: asItIs, run: removeOrgIdp },
      listOrgMembers: { check: checkListOrgMembers, run: listOrgMembers },
      addOrgMember: { check: checkOrgMember, run: addOrgMember },
      updateOrgMember: { check: checkOrgMember, run: updateOrgMember },
      removeOrgMember: { check: asItIs, run: removeOrgMember },
      addOIDCApp: { check: checkAddOidcApp, run: addOidcApp },
      getAppByID: { check: asItIs, run: getAppById },
      listApps: { check: checkListApps, run: listApps },
      updateOIDCAppConfig: { check: checkUpdateOidcAppConfig, run: updateOidcAppConfig },
      regenerateOIDCClientSecret: { check: asItIs, run: regenerateClientSecret },
      deactivateApp: { check: asItIs, run: deactivateApp },
      reactivateApp: { check: asItIs, run: reactivateApp },
      removeApp: { check: asItIs, run: removeApp },
      setHumanPassword: { check: checkSetHumanPassword, run: setHumanPassword },
      sendHumanResetPasswordNotification: { check: asItIs, run: sendPasswordReset, confirmsCaller: true },
      addPasswordlessRegistration: { check: asItIs, run: addPasskeyRegistration, confirmsCaller: true },
      removeHumanPasswordless: { check: asItIs, run: removePasskey, confirmsCaller: true },
      removeHumanLinkedIDP: { check: asItIs, run: removeIdpLink, confirmsCaller: true },
    }),
  ];
}

/** The check of a request whose rules the schema expresses. */
function asItIs<Request>(request: Request): Request {
  return request;
}
