import { ProviderError } from "../idps/discover-provider.ts";
import type { Claims } from "./claims.ts";

/** A user in the response of a user endpoint. */
interface FoundUser {
  /** Not checked for its length. */
  readonly id: string;
  /** The object with the member that is the id. */
  readonly user: Claims;
}

/**
 * Finds the user in the response of a user endpoint.
 *
 * @param path The member that is the id, or if there is no such member, the names of the members that lead to it,
 *   separated by dots: `data.id` for `{"data":{"id":"1"}}`.
 * @throws ProviderError if the member is missing, or neither a text nor a whole number.
 */
export function findUser(response: Claims, path: string): FoundUser {
  const names = Object.hasOwn(response, path) ? [path] : path.split(".");
  const last = names.pop() ?? "";
  const user = names.reduce<unknown>(readOwn, response);
  const value = readOwn(user, last);
  if (typeof value === "string") return { id: value, user: user as Claims };
  // A number beyond 2^53 may have lost digits, which would make it the id of another user.
  if (Number.isSafeInteger(value)) return { id: String(value), user: user as Claims };
  throw new ProviderError(`${path} in the response of the user endpoint is neither a text nor a whole number`);
}

/** A member of an object that is not inherited, such as `constructor` would be. */
function readOwn(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value) || !Object.hasOwn(value, name)) return;
  return (value as Claims)[name];
}
