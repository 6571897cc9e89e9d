import type { Provider } from "oidc-provider";
import { SESSION_SECONDS } from "./lifetimes.ts";

/** What a session keeps about its sign-in, besides what oidc-provider keeps. */
export interface SessionDetails {
  /** When the user signed in here, in seconds since 1970. `loginTs` is earlier after a sign-in at another provider. */
  readonly startedTs?: number;
  /** How long the sign-in lasts by the login policy of that time, in seconds; absent for the lifetimes of sessions. */
  readonly lifetime?: number;
  /** The owner of the provider that has confirmed the user; absent for a user whom this service has authenticated. */
  readonly idpOwner?: "instance" | "org";
  /**
   * The provider that has confirmed the user in this session. Unlike `idpOwner`, it stays when the user authenticates
   * here later, because the session at the provider stays too.
   */
  readonly idpId?: string;
  /** See `AuthTime.isAssumed`. */
  readonly isTimeAssumed?: boolean;
  /** The header `user-agent` at the sign-in, cut to `LONGEST_USER_AGENT`. */
  readonly userAgent?: string | undefined;
  /**
   * The sequence of the user when the session was found, or at the sign-in. The session gets no new id if the user's
   * sessions have ended since. Not stored.
   */
  readonly sequence?: string;
}

/** The part of an interaction's result that `keepSessionDetails` reads. */
export interface LoginDetails {
  /** When the user authenticated, in seconds since 1970; null if that is not known. */
  readonly ts: number | null;
  readonly details: SessionDetails;
}

/** Characters. Those of browsers are shorter. */
const LONGEST_USER_AGENT = 300;

type ProviderSession = InstanceType<Provider["Session"]>;

interface StoredSession extends SessionDetails {
  /** The id under which the session was found in the database. Not stored. */
  storedAs?: string;
  /** The id that a new one has replaced. Its row is deleted when the session is stored. */
  oldId?: string | undefined;
}

/** The properties of a session besides those of oidc-provider. */
export const SESSION_DETAILS = [
  "startedTs",
  "lifetime",
  "idpOwner",
  "idpId",
  "isTimeAssumed",
  "userAgent",
  "sequence",
  "storedAs",
];

/** Keeps the details of a sign-in in its session. */
export function keepSessionDetails(provider: Provider): void {
  provider.on("interaction.ended", ({ oidc, headers }) => {
    const login = oidc.entities.Interaction?.result?.login as Partial<LoginDetails> | undefined;
    if (login === undefined) return;
    const { idpId, ...others } = login.details ?? {};
    // Replaces those of an earlier sign-in.
    const session = (oidc.session ?? {}) as SessionDetails;
    const userAgent = headers["user-agent"]?.slice(0, LONGEST_USER_AGENT);
    Object.assign(session, NO_DETAILS, others, { idpId: idpId ?? session.idpId, userAgent });
  });
}

const NO_DETAILS = {
  startedTs: undefined,
  lifetime: undefined,
  idpOwner: undefined,
  isTimeAssumed: undefined,
  sequence: undefined,
};

/** Stores a session that has a new id. The provider does so at the end of a request, but a grant depends on it. */
export async function storeSession(session: ProviderSession & StoredSession, now: Date): Promise<void> {
  if (session.storedAs === session.jti) return;
  await session.save(sessionSeconds(session, now));
  session.storedAs = session.jti;
  session.oldId = undefined;
}

/** The session's remaining time: it ends some time after its last use, or a maximum time after the sign-in. */
export function sessionSeconds(
  session: Pick<ProviderSession, "accountId" | "loginTs" | "transient"> & SessionDetails,
  now: Date,
): number {
  const { accountId, loginTs, startedTs = loginTs ?? 0, lifetime = Number.POSITIVE_INFINITY, transient } = session;
  if (accountId === undefined) return SESSION_SECONDS.anonymous;
  const absolute = transient ? SESSION_SECONDS.transient : SESSION_SECONDS.absolute;
  const rest = startedTs + Math.min(lifetime, absolute) - Math.floor(now.getTime() / 1_000);
  return Math.max(1, Math.min(rest, SESSION_SECONDS.idle));
}
