import { isNoAddress } from "../../fields/no-address.ts";
import { parsePhone } from "../../fields/phone.ts";
import type { Values } from "../protocol/attributes.ts";
import { pickEmail, pickPhone, unusableValues, withPicked } from "./picked-values.ts";
import type { GivenRole, StoredUser } from "./stored-user.ts";
import { ENTERPRISE, METADATA_ATTRIBUTES, USER } from "./user-schemas.ts";

/** The number of the `UserState` of a deactivated user. */
const INACTIVE = 2;

/** The attributes of a user that clients can set. */
export function toAttributes({ row, metadata }: StoredUser): Values {
  const extension: Values = {};
  const core: Values = {};
  for (const { schema, attribute, key } of METADATA_ATTRIBUTES) {
    const value = metadata.get(key);
    if (value === undefined || attribute.multiValued) continue;
    (schema.isExtension ? extension : core)[attribute.name] = attribute.type === "complex" ? { value } : value;
  }
  const { email, phone } = row;
  const hasAddress = email !== null && !isNoAddress(email);
  return dropAbsent({
    ...core,
    userName: row.user_name,
    name: dropAbsent({ familyName: row.last_name, givenName: row.first_name }),
    displayName: row.display_name,
    nickName: row.nick_name,
    preferredLanguage: row.preferred_language || metadata.get("preferred_language"),
    active: isActive(row),
    emails: hasAddress
      ? withPicked(metadata.get("emails"), pickEmail, { value: email, type: "work", primary: true })
      : undefined,
    phoneNumbers:
      phone === null
        ? unusableValues(metadata.get("phone_numbers"), (value) => parsePhone(value).ok)
        : withPicked(metadata.get("phone_numbers"), pickPhone, { value: phone, type: "mobile" }),
    [ENTERPRISE]: Object.keys(extension).length > 0 ? extension : undefined,
  });
}

export function isActive({ state_number }: Pick<StoredUser["row"], "state_number">): boolean {
  return state_number !== INACTIVE;
}

/** A user as a resource (RFC 7643, section 4.1). */
export function toUserResource(user: StoredUser, baseUrl: string): Values {
  const { row, roles } = user;
  const attributes = toAttributes(user);
  const { first_name: first, last_name: last } = row;
  return {
    schemas: ENTERPRISE in attributes ? [USER, ENTERPRISE] : [USER],
    id: row.id,
    ...attributes,
    name: { formatted: [first, last].filter(Boolean).join(" "), ...(attributes.name as object) },
    ...(roles.length > 0 && {
      groups: roles.map((role) => ({ value: toGroupId(role), display: toGroupName(role) })),
    }),
    meta: {
      resourceType: "User",
      created: row.created_at.toISOString(),
      lastModified: row.changed_at.toISOString(),
      location: `${baseUrl}/Users/${row.id}`,
      version: toVersion(row),
    },
  };
}

/** The version of a resource, for the headers `etag`, `if-match` and `if-none-match`. */
export function toVersion({ sequence }: { readonly sequence: bigint }): string {
  return `W/"${sequence}"`;
}

/** The id of the group that is a role of an application. */
export function toGroupId({ appId, role }: Pick<GivenRole, "appId" | "role">): string {
  return `${appId}.${Buffer.from(role).toString("base64url")}`;
}

export function toGroupName({ appName, role }: Pick<GivenRole, "appName" | "role">): string {
  return `${appName} / ${role}`;
}

function dropAbsent(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== ""),
  );
}
