import { TextQueryMethod } from "../../../gen/signet/v1/list_pb.js";
import { OrgFieldName } from "../../../gen/signet/v1/org_pb.js";
import { type Api, byName } from "../../api/api.ts";
import type { Choice, Find } from "../../parts/pick-field.tsx";
import { texts } from "../../state/language.ts";
import { useApi } from "../../state/session.ts";
import { addressOf, nameOf } from "./describe-user.ts";
import { findUsers, isId, readSearch, type TypeFilter } from "./user-search.ts";

/** Objects of each kind. More are found by a longer text. */
export const SHOWN = 6;
const FIRST = { asc: true, limit: SHOWN };

/** Users by a part of a name or an address, or by their ids. */
export async function findPeople(api: Api, text: string, signal: AbortSignal, type?: TypeFilter): Promise<Choice[]> {
  const search = readSearch(new URLSearchParams({ q: text, sort: "name", dir: "asc" }));
  const { users } = await findUsers(api, { ...search, size: SHOWN, type }, signal);
  return users
    .slice(0, SHOWN)
    .map((user) => ({ value: user.id, title: nameOf(user), note: addressOf(user) || user.userName }));
}

/** Applications by a part of the name. */
export async function findApps({ management }: Api, text: string, signal: AbortSignal): Promise<Choice[]> {
  const { result } = await management.listApps({ query: FIRST, queries: byName(text) }, { signal });
  return result.map(({ id, name }) => ({ value: id, title: name, note: texts.value.shell.pages.apps }));
}

/** Organizations by a part of the name. */
export async function findOrgs(api: Api, text: string, signal: AbortSignal): Promise<Choice[]> {
  const request = { query: FIRST, sortingColumn: OrgFieldName.NAME, queries: byName(text) };
  const { result } = await api.admin.listOrgs(request, { signal });
  return result.map(({ id, name }) => ({ value: id, title: name, note: texts.value.shell.pages.orgs }));
}

/** The beginning of an id, in place of a name: the users whose ids begin with it are found by it. */
export function shortenId(id: string): string {
  return `${id.slice(0, 18)}…`;
}

/** Also offers the object whose id is the text. */
export function orById(find: Find): Find {
  return async (text, signal) => {
    const choices = await find(text, signal);
    if (!isId(text) || choices.some(({ value }) => value === text)) return choices;
    return [...choices, { value: text.toLowerCase(), title: shortenId(text), note: texts.value.audit.byId }];
  };
}

/** What a field needs to choose objects of a kind by their names. */
interface ObjectChoices {
  readonly id: string;
  readonly find: Find;
  readonly nameOf: (id: string, signal: AbortSignal) => Promise<string | undefined>;
}

/** The applications of an organization. */
export function useAppChoices(orgId: string): ObjectChoices {
  const api = useApi(orgId);
  return {
    id: `apps ${orgId}`,
    find: async (text, signal) => (await findApps(api, text, signal)).map(({ value, title }) => ({ value, title })),
    nameOf: async (appId, signal) => (await api.management.getAppByID({ appId }, { signal })).app?.name,
  };
}

/** The providers of an organization and those of the instance. */
export function useProviderChoices(orgId: string): ObjectChoices {
  const { management } = useApi(orgId);
  return {
    id: `providers ${orgId}`,
    async find(text, signal) {
      const value = { name: text, method: TextQueryMethod.CONTAINS_IGNORE_CASE };
      const queries = text === "" ? [] : [{ query: { case: "idpNameQuery" as const, value } }];
      const { result } = await management.listProviders({ query: FIRST, queries }, { signal });
      return result.map(({ id, name }) => ({ value: id, title: name }));
    },
    nameOf: async (id, signal) => (await management.getProviderByID({ id }, { signal })).idp?.name,
  };
}

/** The users of an organization. */
export function useUserChoices(orgId: string, type?: TypeFilter): ObjectChoices {
  const api = useApi(orgId);
  return {
    id: `users ${orgId} ${type}`,
    find: (text, signal) => findPeople(api, text, signal, type),
    async nameOf(id, signal) {
      const { user } = await api.management.getUserByID({ id }, { signal });
      return user && nameOf(user);
    },
  };
}
