import { type Human, type User, UserState } from "../../../gen/signet/v1/user_pb.js";
import type { Texts } from "../../texts/shape.ts";

/** The person; undefined for a machine. */
export function humanOf(user: User): Human | undefined {
  return user.type.case === "human" ? user.type.value : undefined;
}

export function nameOf(user: User): string {
  const name = user.type.case === "machine" ? user.type.value.name : humanOf(user)?.profile?.displayName;
  return name || user.userName;
}

export function stateOf(user: User, { states }: Texts["user"]): string {
  switch (user.state) {
    case UserState.ACTIVE:
      return states.active;
    case UserState.INACTIVE:
      return states.inactive;
    case UserState.LOCKED:
      return states.locked;
    case UserState.INITIAL:
      return states.initial;
    default:
      return "";
  }
}
