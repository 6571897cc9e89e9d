import { AdminService } from "../gen/signet/v1/admin_pb.js";
import { ManagementService } from "../gen/signet/v1/management_pb.js";
import { addOidcIdp } from "./idps/add-oidc-idp.ts";
import { addOrgOidcIdp } from "./idps/add-org-oidc-idp.ts";
import { type AddOidcIdpParts, checkOidcIdp } from "./idps/oidc-idp.ts";
import { checkGetMyOrg, checkGetOrgById, type GetOrgParts, getMyOrg, getOrgById } from "./orgs/get-org.ts";
import { checkListOrgs, listOrgs } from "./orgs/list-orgs.ts";
import { implement, type Rpc } from "./rpc/implement.ts";
import { checkImportHumanUser } from "./users/check-import-human-user.ts";
import { checkGetUserById, getUserById } from "./users/get-user-by-id.ts";
import { type ImportHumanUserParts, importHumanUser } from "./users/import-human-user.ts";
import { checkIsUserUnique, isUserUnique } from "./users/is-user-unique.ts";
import { checkListHumanLinkedIdps, listHumanLinkedIdps } from "./users/list-human-linked-idps.ts";
import { checkListHumanPasswordless, listHumanPasswordless } from "./users/list-human-passwordless.ts";
import { checkListUserChanges, listUserChanges } from "./users/list-user-changes.ts";
import { checkListUsers, listUsers } from "./users/list-users.ts";
import { checkUpdateHumanPhone, updateHumanPhone } from "./users/update-human-phone.ts";

/** What the operations need. */
export type RpcParts = AddOidcIdpParts & ImportHumanUserParts & GetOrgParts;

/** Every RPC with its operation. */
export function createRpcs(parts: RpcParts): Rpc[] {
  return [
    ...implement(AdminService, parts, {
      addOIDCIDP: { check: checkOidcIdp, run: addOidcIdp },
      getOrgByID: { check: checkGetOrgById, run: getOrgById },
      listOrgs: { check: checkListOrgs, run: listOrgs },
    }),
    ...implement(ManagementService, parts, {
      addOrgOIDCIDP: { check: checkOidcIdp, run: addOrgOidcIdp },
      importHumanUser: { check: checkImportHumanUser, run: importHumanUser },
      updateHumanPhone: { check: checkUpdateHumanPhone, run: updateHumanPhone },
      getMyOrg: { check: checkGetMyOrg, run: getMyOrg },
      getUserByID: { check: checkGetUserById, run: getUserById },
      listUsers: { check: checkListUsers, run: listUsers },
      isUserUnique: { check: checkIsUserUnique, run: isUserUnique },
      listUserChanges: { check: checkListUserChanges, run: listUserChanges },
      listHumanPasswordless: { check: checkListHumanPasswordless, run: listHumanPasswordless },
      listHumanLinkedIDPs: { check: checkListHumanLinkedIdps, run: listHumanLinkedIdps },
    }),
  ];
}
