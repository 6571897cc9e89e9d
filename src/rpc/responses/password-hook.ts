import type { PasswordHookRow } from "../../password-hook/get-password-hook.ts";
import { toDetails } from "./details.ts";

/** Converts a row to a password hook in a response. It never contains the signing key. */
export function toPasswordHook({ ownerId, url, ...row }: PasswordHookRow) {
  return { details: toDetails(row, ownerId), url };
}
