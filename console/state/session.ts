import { signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { type Api, createApi } from "../api/api.ts";
import { type SignedIn, signOut, startSignIn } from "../auth/sign-in.ts";
import type { Settings } from "../settings.ts";

/** What the person may do in an organization, and on the instance. What they may not do is not offered. */
export interface Permissions {
  can(permission: string): boolean;
}

/** While they are not known. */
export const NO_PERMISSIONS: Permissions = { can: () => false };

export function toPermissions(names: readonly string[]): Permissions {
  return { can: (permission) => names.includes(permission) };
}

/** The person who has signed in, and where the person has roles. */
export interface Session {
  readonly settings: Settings;
  readonly api: Api;
  /** The calls in an organization. */
  apiOf(orgId: string | undefined): Api;
  readonly me: { readonly id: string; readonly name: string; readonly orgId: string };
  /** What the roles in the instance allow. */
  readonly instance: Permissions;
  /** Whether the person may see all organizations. */
  readonly seesAllOrgs: boolean;
  /** The organizations in which the person has a role of their own. */
  readonly orgs: readonly { readonly id: string; readonly name: string }[];
  /** Whether the person has a role at all. */
  readonly hasRole: boolean;
  signOut(): void;
}

/** Whether the session of the person has ended while a form has changes. */
export const isSessionOver = signal(false);

/** Counts the changes of names of organizations, which several parts of the page show. */
export const orgChanges = signal(0);

/** @throws ConnectError */
export async function openSession(settings: Settings, { accessToken, idToken }: SignedIn): Promise<Session> {
  const apiOf = createApi(settings.issuer, accessToken);
  const api = apiOf();
  const [{ user }, { result }] = await Promise.all([
    api.auth.getMyUser({}),
    api.auth.listMyMemberships({ query: { limit: 1_000 } }),
  ]);
  const human = user?.type.case === "human" ? user.type.value : undefined;
  const permissions = result.flatMap((membership) => (membership.type.case === "iam" ? membership.permissions : []));
  return {
    ...{ settings, api, apiOf },
    me: {
      id: user?.id ?? "",
      name: human?.profile?.displayName ?? user?.userName ?? "",
      orgId: user?.details?.resourceOwner ?? "",
    },
    instance: toPermissions(permissions),
    seesAllOrgs: permissions.includes("iam.read"),
    orgs: result.flatMap(({ type, displayName }) =>
      type.case === "orgId" ? { id: type.value, name: displayName } : [],
    ),
    hasRole: result.length > 0,
    signOut: () => signOut(settings, idToken),
  };
}

/** The organization to begin with: one in which the person can do something. */
export function firstOrg({ me, orgs, seesAllOrgs }: Session): string {
  if (seesAllOrgs || orgs.some(({ id }) => id === me.orgId)) return me.orgId;
  return orgs[0]?.id ?? me.orgId;
}

/** After the token has become invalid: signs in again, without asking the person anything while the session lasts. */
export function renewSession(settings: Settings): void {
  void startSignIn(settings, location.pathname + location.search);
}

export const SessionContext = createContext<Session | undefined>(undefined);

/** The session of the person; pages are shown only within one. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error("there is no session");
  return session;
}

/** The calls of the API in an organization; without one, those for the instance. */
export function useApi(orgId: string | undefined): Api {
  return useSession().apiOf(orgId);
}
