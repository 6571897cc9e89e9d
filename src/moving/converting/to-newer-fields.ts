import type { SourceUser } from "../source.ts";

/** The fields of a user that ImportHumanUser does not take yet: they are lost. */
export function toNewerFields({ subject, recoveryCodes = [], passkeys = [] }: SourceUser, lost: string[]): object {
  if (subject !== undefined) lost.push("id that applications have seen");
  if (recoveryCodes.length > 0) lost.push("recovery codes");
  if (passkeys.length > 0) lost.push("passkeys");
  return {};
}
