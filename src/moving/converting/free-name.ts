import type { ImportHumanUserRequest } from "../../../gen/signet/v1/management_pb.js";
import { trimText } from "../../fields/trim-text.ts";
import { userNameKey } from "../../fields/user-name.ts";
import type { WorkIndex } from "../work-index.ts";

/** A user whose name is the address, because the export has none. */
interface NamedByAddress {
  readonly request: ImportHumanUserRequest;
  /** The provider of the first link in the export; empty if there is none. Undefined if the export has a user name. */
  readonly addressNameSuffix: string | undefined;
}

/** As the preview says it. */
export const OTHER_NAME =
  "user name (it would be the address, which an earlier record has: it becomes one such as a@example.com+google)";

/**
 * Claims a name for a user whose name is the address. If an earlier record has the name, the user gets another one, such as
 * `ada@example.com+google`, and the index remembers it for `restoreName`.
 *
 * @param n The number of the record.
 * @returns Whether the name is another one.
 */
export function claimName(index: WorkIndex, n: number, user: NamedByAddress, claim: (key: string) => boolean): boolean {
  const { request, addressNameSuffix } = user;
  if (addressNameSuffix === undefined) return false;
  const first = request.userName;
  for (const name of candidates(first, addressNameSuffix)) {
    if (!claim(userNameKey(trimText(name)))) continue;
    request.userName = name;
    if (name !== first) index.addValues("name", n, name);
    return name !== first;
  }
  return false;
}

/** Gives a user the name that the check has found. */
export function restoreName(index: WorkIndex, n: number, { request, addressNameSuffix }: NamedByAddress): void {
  if (addressNameSuffix === undefined) return;
  request.userName = index.findValues("name", n)[0] ?? request.userName;
}

function* candidates(name: string, suffix: string): Generator<string> {
  yield name;
  const named = suffix === "" ? name : `${name}+${suffix.replace(/[^\w.-]+/g, "-")}`;
  if (named !== name) yield named;
  for (let number = 2; number < MOST; number += 1) yield `${named}+${number}`;
}

/** Records of one address and provider. */
const MOST = 1_000;
