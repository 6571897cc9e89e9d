import { type RawBuilder, sql } from "kysely";
import { effectiveSettings } from "../../policies/get-login-policy.ts";
import type { LoginPolicy } from "../../policies/login-policy.ts";

/**
 * Whether the user in `users` can still sign in without a passkey, or without a link to a provider. What the login
 * policy does not allow, and the link to a deactivated provider, are no ways to sign in.
 *
 * @param removed A condition on the passkeys in `passkeys`, or the links in `link`, to be removed.
 */
export function canSignInWithout(removed: {
  readonly passkey?: RawBuilder<boolean>;
  readonly link?: RawBuilder<boolean>;
}): RawBuilder<boolean> {
  const { passkey = sql<boolean>`false`, link = sql<boolean>`false` } = removed;
  return sql<boolean>`(
    users.password_hash is not null and ${allows("allowUsernamePassword")}
    or ${allows("allowPasswordless")} and exists (
      select from passkeys
      where passkeys.org_id = users.org_id and passkeys.user_id = users.id and not (${passkey}))
    or ${allows("allowExternalIdp")} and exists (
      select from user_idp_links as link
      where link.org_id = users.org_id and link.user_id = users.id and not (${link})
        and (select idps.state from idps where idps.owner_id = link.idp_owner_id and idps.id = link.idp_id) = 'active'))`;
}

/** Absent settings are those of a policy without restrictions. */
function allows(setting: keyof LoginPolicy): RawBuilder<boolean> {
  return sql<boolean>`coalesce((${effectiveSettings(sql.ref("users.org_id"))} ->> ${sql.lit(setting)})::boolean, true)`;
}
