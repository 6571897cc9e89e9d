import { AdminService } from "../gen/signet/v1/admin_pb.js";
import { ManagementService } from "../gen/signet/v1/management_pb.js";
import { addOidcIdp } from "./idps/add-oidc-idp.ts";
import { addOrgOidcIdp } from "./idps/add-org-oidc-idp.ts";
import { type AddOidcIdpParts, checkOidcIdp } from "./idps/oidc-idp.ts";
import { addPasskeyRegistration } from "./passkeys/add-passkey-registration.ts";
import { removePasskey } from "./passkeys/remove-passkey.ts";
import { implement, type Rpc } from "./rpc/implement.ts";
import { createRunOnce } from "./rpc/run-once.ts";
import { checkImportHumanUser } from "./users/check-import-human-user.ts";
import { type ImportHumanUserParts, importHumanUser } from "./users/import-human-user.ts";
import { removeIdpLink } from "./users/remove-idp-link.ts";
import { sendPasswordReset } from "./users/send-password-reset.ts";
import { checkSetHumanPassword, setHumanPassword } from "./users/set-human-password.ts";
import { checkUpdateHumanPhone, updateHumanPhone } from "./users/update-human-phone.ts";

/** What the operations need. */
export type RpcParts = AddOidcIdpParts & ImportHumanUserParts;

/** Every RPC with its operation. */
export function createRpcs(parts: RpcParts): Rpc[] {
  const runOnce = createRunOnce(parts);
  return [
    ...implement(AdminService, parts, runOnce, {
      addOIDCIDP: { check: checkOidcIdp, run: addOidcIdp },
    }),
    ...implement(ManagementService, parts, runOnce, {
      addOrgOIDCIDP: { check: checkOidcIdp, run: addOrgOidcIdp },
      importHumanUser: { check: checkImportHumanUser, run: importHumanUser },
      updateHumanPhone: { check: checkUpdateHumanPhone, run: updateHumanPhone },
      setHumanPassword: { check: checkSetHumanPassword, run: setHumanPassword },
      sendHumanResetPasswordNotification: { check: (request) => request, run: sendPasswordReset },
      addPasswordlessRegistration: { check: ({ userId }) => userId, run: addPasskeyRegistration },
      removeHumanPasswordless: { check: (request) => request, run: removePasskey },
      removeHumanLinkedIDP: { check: (request) => request, run: removeIdpLink },
    }),
  ];
}
