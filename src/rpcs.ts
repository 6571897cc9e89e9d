import { AdminService } from "../gen/signet/v1/admin_pb.js";
import { ManagementService } from "../gen/signet/v1/management_pb.js";
import { addOidcIdp } from "./idps/add-oidc-idp.ts";
import { addOrgOidcIdp } from "./idps/add-org-oidc-idp.ts";
import { type AddOidcIdpParts, checkOidcIdp } from "./idps/oidc-idp.ts";
import { implement, type Rpc } from "./rpc/implement.ts";
import { checkImportHumanUser } from "./users/check-import-human-user.ts";
import { type ImportHumanUserParts, importHumanUser } from "./users/import-human-user.ts";
import { checkUpdateHumanPhone, updateHumanPhone } from "./users/update-human-phone.ts";

/** What the operations need. */
export type RpcParts = AddOidcIdpParts & ImportHumanUserParts;

/** Every RPC with its operation. */
export function createRpcs(parts: RpcParts): Rpc[] {
  return [
    ...implement(AdminService, parts, {
      addOIDCIDP: { check: checkOidcIdp, run: addOidcIdp },
    }),
    ...implement(ManagementService, parts, {
      addOrgOIDCIDP: { check: checkOidcIdp, run: addOrgOidcIdp },
      importHumanUser: { check: checkImportHumanUser, run: importHumanUser },
      updateHumanPhone: { check: checkUpdateHumanPhone, run: updateHumanPhone },
    }),
  ];
}
