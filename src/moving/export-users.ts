import type { CallOptions } from "@connectrpc/connect";
import { Gender, type User, UserState } from "../../gen/signet/v1/user_pb.js";
import { TypeQuery_Type } from "../../gen/signet/v1/user_search_pb.js";
import { NAME_FIELDS } from "../database/profile.ts";
import type { StoredCredentials, StoredPasskey } from "../users/read/read-stored-credentials.ts";
import { inOrg } from "./in-org.ts";
import type { MovingApi } from "./moving-api.ts";
import { decode } from "./reading/decode.ts";
import { createPatience, type Patience, readPatiently, Stopped } from "./running/call-patiently.ts";
import type { SourceLink, SourcePasskey, SourceUser } from "./source.ts";
import type { GivenUser } from "./sources/create-source.ts";

interface ExportParts {
  readonly api: MovingApi;
  /** The organizations to export. With several, each user has the name of the organization. */
  readonly orgs: readonly { readonly id: string; readonly name: string }[];
  /** The domain of the passkeys. */
  readonly rpId: string | undefined;
  /** Reads what no call returns; undefined on a server. */
  readonly readCredentials:
    | ((orgId: string, userIds: readonly string[]) => Promise<Map<string, StoredCredentials>>)
    | undefined;
  readonly stopped: AbortSignal;
}

/** A line of the export: see `sources/signet.ts`. */
type ExportedUser = Omit<GivenUser, "sourceId"> & { readonly id: string };

/** Users in one page. Each takes two calls for links and metadata. */
const PAGE = 100;
/** The most calls at once. */
const AT_ONCE = 16;

/**
 * Reads all people of organizations, in the order of creation. Ends early if it is stopped.
 *
 * @throws ConfigError if a call is refused, or none succeeds.
 */
export async function* exportUsers({ orgs, stopped, ...parts }: ExportParts): AsyncGenerator<ExportedUser[]> {
  // After a failure, it also stops the other calls of the page.
  const ended = new AbortController();
  const patience = createPatience(AT_ONCE, AbortSignal.any([stopped, ended.signal]));
  try {
    for (const org of orgs) {
      const sourceOrg = orgs.length > 1 ? { sourceOrg: org.name } : {};
      for await (const users of readPages(parts, patience, org.id)) {
        yield users.map((user) => ({ ...user, ...sourceOrg }));
      }
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  } finally {
    ended.abort();
  }
}

async function* readPages(
  { api, rpId, readCredentials }: Omit<ExportParts, "orgs" | "stopped">,
  patience: Patience,
  orgId: string,
): AsyncGenerator<ExportedUser[]> {
  const options = inOrg(orgId);
  let pageToken = "";
  do {
    // The reader may have paused since the last page.
    patience.lastSuccess = performance.now();
    const query = { asc: true, limit: PAGE, pageToken };
    const { details, result } = await readPatiently(patience, () =>
      api.management.listUsers({ query, queries: HUMANS }, options),
    );
    const ids = result.map(({ id }) => id);
    const credentials =
      readCredentials === undefined || ids.length === 0
        ? undefined
        : await readPatiently(patience, () => readCredentials(orgId, ids));
    yield await Promise.all(
      result.map(async (user) => {
        const links = await readPatiently(patience, () => readLinks(api, user, options));
        const metadata = await readPatiently(patience, () => readMetadata(api, user, options));
        return { ...toExported(user, links, metadata), ...toCredentials(credentials?.get(user.id), rpId) };
      }),
    );
    pageToken = details?.nextPageToken ?? "";
  } while (pageToken !== "");
}

const HUMANS = [{ query: { case: "typeQuery" as const, value: { type: TypeQuery_Type.HUMAN } } }];

async function readLinks({ management }: MovingApi, { id: userId }: User, options: CallOptions): Promise<SourceLink[]> {
  const { result } = await management.listHumanLinkedIDPs({ userId, query: { limit: 1_000, asc: true } }, options);
  return result.map(({ idpId, providedUserId, providedUserName }) => ({
    provider: idpId,
    externalUserId: providedUserId,
    displayName: providedUserName || undefined,
  }));
}

/** Values that are not UTF-8 have no place in the format. */
async function readMetadata({ management }: MovingApi, { id }: User, options: CallOptions) {
  const { result } = await management.listUserMetadata({ id, query: { limit: 1_000 } }, options);
  const texts = result.map(({ key, value }) => [key, decode(value)] as const);
  return {
    metadata: Object.fromEntries(texts.flatMap(([key, text]) => (text === undefined ? [] : [[key, text]]))),
    lost: texts.flatMap(([key, text]) => (text === undefined ? [`metadata ${key} (not text)`] : [])),
  };
}

function toExported(
  { id, userName, subject, state, type }: User,
  links: readonly SourceLink[],
  { metadata, lost }: { readonly metadata: Record<string, string>; readonly lost: readonly string[] },
): ExportedUser {
  const human = type.case === "human" ? type.value : undefined;
  const { profile, email, phone } = human ?? {};
  return {
    ...{ id, userName, subject: subject || id },
    ...given({
      ...Object.fromEntries(NAME_FIELDS.map((name) => [name, profile?.[name]])),
      language: profile?.preferredLanguage,
      email: email?.email,
      phone: phone?.phone,
    }),
    gender: GENDERS[profile?.gender ?? Gender.UNSPECIFIED],
    emailVerified: email?.isEmailVerified ?? false,
    phoneVerified: phone?.isPhoneVerified,
    passwordChangeRequired: human?.passwordChangeRequired || undefined,
    secondFactorRequired: human?.secondFactorRequired || undefined,
    links: links.length > 0 ? links : undefined,
    metadata: Object.keys(metadata).length > 0 ? metadata : undefined,
    // A locked user must not be able to sign in elsewhere either.
    inactive: state === UserState.INACTIVE || state === UserState.LOCKED || undefined,
    lost: lost.length > 0 ? lost : undefined,
  };
}

function given(texts: Readonly<Record<string, string | undefined>>): Partial<ExportedUser> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text));
}

const GENDERS: Readonly<Partial<Record<Gender, NonNullable<SourceUser["gender"]>>>> = {
  [Gender.FEMALE]: "female",
  [Gender.MALE]: "male",
  [Gender.DIVERSE]: "diverse",
};

function toCredentials(stored: StoredCredentials | undefined, rpId: string | undefined): Partial<ExportedUser> {
  if (stored === undefined) return {};
  const { passwordHash, otp, passkeys } = stored;
  const exported = passkeys.map((passkey) => toExportedPasskey(passkey, rpId));
  return { passwordHash, otp, passkeys: exported.length > 0 ? exported : undefined };
}

function toExportedPasskey(passkey: StoredPasskey, rpId: string | undefined): SourcePasskey {
  const { id: credentialId, publicKey, counter, name, userHandle, isBackupEligible } = passkey;
  return {
    ...{ credentialId, publicKey: publicKey.toString("base64url"), counter: Number(counter) },
    ...{ name: name || undefined, rpId, userHandle: userHandle.toString("base64url") || undefined, isBackupEligible },
  };
}
