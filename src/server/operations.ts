import type { createAddOidcIdp } from "../idps/add-oidc-idp.ts";
import type { createAddOrgOidcIdp } from "../idps/add-org-oidc-idp.ts";
import type { createImportHumanUser } from "../users/import-human-user.ts";
import type { createUpdateHumanPhone } from "../users/update-human-phone.ts";

/** What the RPCs do. Each throws SignetError. */
export interface Operations {
  readonly addOidcIdp: ReturnType<typeof createAddOidcIdp>;
  readonly addOrgOidcIdp: ReturnType<typeof createAddOrgOidcIdp>;
  readonly importHumanUser: ReturnType<typeof createImportHumanUser>;
  readonly updateHumanPhone: ReturnType<typeof createUpdateHumanPhone>;
}
