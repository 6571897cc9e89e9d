import type { Problems } from "../errors.ts";

/** Printable ASCII without space, `"` and `\`, as in a scope (RFC 6749, section 3.3). */
const ROLE_NAME = /^[\x21\x23-\x5b\x5d-\x7e]*$/;

/** Checks the names of roles of an application, in the field `roles`. The schema checks their number and length. */
export function checkRoleNames(roles: readonly string[], problems: Problems): void {
  for (const [position, role] of roles.entries()) {
    const field = `roles[${position}]`;
    if (!ROLE_NAME.test(role)) problems.add(field, 'must be printable ASCII characters without spaces, " and \\');
    else if (roles.indexOf(role) < position) problems.add(field, "must not be the same as an earlier one");
  }
}
