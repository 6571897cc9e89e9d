import type { Human, User } from "../../../gen/signet/v1/user_pb.js";
import { isNoAddress } from "../../../src/fields/no-address.ts";

/** The person; undefined for a machine. */
export function humanOf(user: User): Human | undefined {
  return user.type.case === "human" ? user.type.value : undefined;
}

/** The email address; empty for a machine, and for a user without one, who has a placeholder. */
export function addressOf(user: User): string {
  const address = humanOf(user)?.email?.email ?? "";
  return isNoAddress(address) ? "" : address;
}

export function nameOf(user: User): string {
  const name = user.type.case === "machine" ? user.type.value.name : humanOf(user)?.profile?.displayName;
  return name || user.userName;
}
