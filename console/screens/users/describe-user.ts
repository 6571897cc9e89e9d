import { type Human, type User, UserState } from "../../../gen/signet/v1/user_pb.js";
import { isNoAddress } from "../../../src/fields/no-address.ts";
import type { Texts } from "../../texts/en/en.ts";

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

const STATES = {
  [UserState.ACTIVE]: "active",
  [UserState.INACTIVE]: "inactive",
  [UserState.LOCKED]: "locked",
  [UserState.INITIAL]: "initial",
} as const;

export function stateOf({ state }: User, { states }: Texts["user"]): string {
  return state in STATES ? states[STATES[state as keyof typeof STATES]] : "";
}
