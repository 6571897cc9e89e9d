import type { User } from "../../../gen/signet/v1/user_pb.js";
import type { Api } from "../../api/api.ts";
import { toFirstRequests, toRequest, type UserSearch } from "./user-search.ts";

export interface FoundUsers {
  readonly users: readonly User[];
  /** At most 10,000, which means that there may be more. */
  readonly total: number;
  /** Where the next page begins; empty on the last one. */
  readonly nextPage: string;
}

/** Finds the users of a page; on the first one, those of `toFirstRequests` come first. */
export async function findUsers({ management }: Api, search: UserSearch, signal: AbortSignal): Promise<FoundUsers> {
  const [page, ...first] = await Promise.all(
    [toRequest(search), ...toFirstRequests(search)].map((request) => management.listUsers(request, { signal })),
  );
  const listed = page?.result ?? [];
  const known = new Set(listed.map(({ id }) => id));
  const found = first.flatMap(({ result }) => result).filter(({ id }) => !known.has(id));
  const unique = [...new Map(found.map((user) => [user.id, user])).values()];
  return {
    users: [...unique, ...listed],
    total: Number(page?.details?.totalResult ?? 0) + unique.length,
    nextPage: page?.details?.nextPageToken ?? "",
  };
}
