import type { TestService } from "../servers/service.ts";

/** Stores a passkey with an invalid key, for tests that do not sign in with it. */
export async function addPasskey(
  { db }: TestService,
  { orgId, userId, id }: { orgId: string; userId: string; id: string },
): Promise<void> {
  await db.deleteFrom("passkeys").where("id", "=", id).execute();
  await db
    .insertInto("passkeys")
    .values({
      org_id: orgId,
      id,
      user_id: userId,
      public_key: Buffer.alloc(1),
      counter: 0n,
      transports: [],
      aaguid: "00000000-0000-0000-0000-000000000000",
      device_type: "singleDevice",
      backed_up: false,
      created_at: new Date(),
    })
    .execute();
}

/** Links a user to an identity provider. */
export async function addIdpLink(
  { db }: TestService,
  link: { orgId: string; userId: string; idpId: string; idpOwnerId: string; externalUserId: string },
): Promise<void> {
  await db
    .insertInto("user_idp_links")
    .values({
      org_id: link.orgId,
      idp_id: link.idpId,
      external_user_id: link.externalUserId,
      idp_owner_id: link.idpOwnerId,
      user_id: link.userId,
      display_name: "",
      created_at: new Date(),
    })
    .execute();
}
