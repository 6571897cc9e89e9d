import { isId } from "../../crypto/secrets.ts";
import { addProblem, invalidArgument, type Problems, type Violation } from "../../errors.ts";
import type { ScimConnectionPayload } from "../../events/catalogue.ts";
import type { Change } from "../../events/change-object.ts";
import { describeNameProblem } from "../../fields/name.ts";
import { trimText } from "../../fields/trim-text.ts";
import { findTextPath } from "../protocol/text-path.ts";
import { USER_SCHEMAS } from "../users/user-schemas.ts";

/** The numbers of the `ScimAddressRule`: what happens to a user whose address no verified domain covers. */
export const ADDRESS_RULE = { invite: 1, silent: 2, reject: 3 } as const;

/** The numbers of the `ScimLinkAttribute`: the attribute with the id of a user at the provider. */
export const LINK_ATTRIBUTE = { externalId: 1, userName: 2, custom: 3 } as const;

interface ScimRequest {
  readonly name: string;
  readonly addressRule: number;
  readonly linkAttribute: number;
  readonly idpId: string;
  readonly groupAppId: string;
  readonly linkPath: string;
  readonly isTrial: boolean;
}

/** Checks the rules of the settings of a SCIM connection that the schema cannot express. */
export function checkScimConnection(request: ScimRequest, problems: Problems): ScimConnectionPayload {
  const name = trimText(request.name);
  // The schema rejects an empty name.
  addProblem(problems, "name", request.name !== "" && describeNameProblem(name));
  const { idpId, groupAppId, isTrial } = request;
  if (idpId !== "" && !isId(idpId)) problems.add("idpId", IDP_RULE);
  if (groupAppId !== "" && !isId(groupAppId)) problems.add("groupAppId", APP_RULE);
  const linkPath = toLinkPath(request, problems);
  return {
    name,
    addressRule: request.addressRule || ADDRESS_RULE.invite,
    linkAttribute: request.linkAttribute || LINK_ATTRIBUTE.externalId,
    idpId: idpId.toLowerCase() || null,
    groupAppId: groupAppId.toLowerCase() || null,
    linkPath,
    isTrial,
  };
}

function toLinkPath({ linkAttribute, linkPath }: ScimRequest, problems: Problems): string | null {
  if (linkAttribute !== LINK_ATTRIBUTE.custom) {
    if (linkPath !== "") problems.add("linkPath", "must be empty unless linkAttribute is SCIM_LINK_ATTRIBUTE_CUSTOM");
    return null;
  }
  const path = findTextPath(USER_SCHEMAS, linkPath);
  if (path !== undefined) return path;
  problems.add(
    "linkPath",
    "must be the path of an attribute that /scim/v2/Schemas lists for users and that has one text",
  );
  return null;
}

const IDP_RULE = "must be the id of an identity provider of the organization or the instance";
const APP_RULE = "must be the id of an application of the organization";

/** @throws SignetError INVALID_ARGUMENT for a provider or application that does not exist. */
export async function throwIfUnknown(
  { db }: Change,
  { idpId, groupAppId }: ScimConnectionPayload,
  { orgId, instanceId }: { readonly orgId: string; readonly instanceId: string },
): Promise<void> {
  const idps = db.selectFrom("idps").select("id").where("owner_id", "in", [orgId, instanceId]);
  const apps = db.selectFrom("apps").select("id").where("owner_id", "=", orgId);
  const hasIdp = idpId === null || (await idps.where("id", "=", idpId).executeTakeFirst()) !== undefined;
  const hasApp = groupAppId === null || (await apps.where("id", "=", groupAppId).executeTakeFirst()) !== undefined;
  const violations: Violation[] = [];
  if (!hasIdp) violations.push({ field: "idpId", description: IDP_RULE });
  if (!hasApp) violations.push({ field: "groupAppId", description: APP_RULE });
  if (violations.length > 0) throw invalidArgument(...violations);
}

/** The columns of the settings. */
export function toScimColumns(settings: ScimConnectionPayload) {
  const { name, addressRule, linkAttribute, idpId, groupAppId, linkPath, isTrial } = settings;
  return {
    name,
    address_rule: addressRule,
    link_attribute: linkAttribute,
    idp_id: idpId,
    group_app_id: groupAppId,
    link_path: linkPath,
    is_trial: isTrial,
  };
}
