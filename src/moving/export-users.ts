import type { CallOptions } from "@connectrpc/connect";
import { Gender, type User, UserState } from "../../gen/signet/v1/user_pb.js";
import { TypeQuery_Type } from "../../gen/signet/v1/user_search_pb.js";
import type { StoredCredentials, StoredPasskey } from "../users/read/read-stored-credentials.ts";
import { inOrg } from "./in-org.ts";
import type { MovingApi } from "./moving-api.ts";
import type { SourceLink, SourcePasskey, SourceUser } from "./source.ts";

export interface ExportParts {
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
export type ExportedUser = Omit<SourceUser, "sourceId"> & { readonly id: string };

/** Users in one page. Each takes two calls for links and metadata. */
const PAGE = 100;

/** Reads all people of organizations, in the order of creation. */
export async function* exportUsers({
  api,
  orgs,
  rpId,
  readCredentials,
  stopped,
}: ExportParts): AsyncGenerator<ExportedUser[]> {
  for (const org of orgs) {
    const options = inOrg(org.id);
    let pageToken = "";
    do {
      const { details, result } = await api.management.listUsers(
        { query: { asc: true, limit: PAGE, pageToken }, queries: HUMANS },
        options,
      );
      const credentials =
        result.length === 0
          ? undefined
          : await readCredentials?.(
              org.id,
              result.map(({ id }) => id),
            );
      const sourceOrg = orgs.length > 1 ? { sourceOrg: org.name } : {};
      yield await Promise.all(
        result.map(async (user) => ({
          ...toExported(user, await readLinks(api, user, options), await readMetadata(api, user, options)),
          ...toCredentials(credentials?.get(user.id), rpId),
          ...sourceOrg,
        })),
      );
      pageToken = details?.nextPageToken ?? "";
    } while (pageToken !== "" && !stopped.aborted);
  }
}

const HUMANS = [{ query: { case: "typeQuery" as const, value: { type: TypeQuery_Type.HUMAN } } }];

async function readLinks({ management }: MovingApi, { id: userId }: User, options: CallOptions): Promise<SourceLink[]> {
  const { result } = await management.listHumanLinkedIDPs({ userId, query: { limit: 1_000, asc: true } }, options);
  return result.map(({ idpId, providedUserId, providedUserName }) => ({
    provider: idpId,
    externalUserId: providedUserId,
    ...(providedUserName === "" ? {} : { displayName: providedUserName }),
  }));
}

/** Values that are not UTF-8 have no place in the format. */
async function readMetadata({ management }: MovingApi, { id }: User, options: CallOptions) {
  const { result } = await management.listUserMetadata({ id, query: { limit: 1_000 } }, options);
  const texts = result.map(({ key, value }) => [key, toText(value)] as const);
  return {
    metadata: Object.fromEntries(texts.flatMap(([key, text]) => (text === undefined ? [] : [[key, text]]))),
    lost: texts.flatMap(([key, text]) => (text === undefined ? [`metadata ${key} (not text)`] : [])),
  };
}

function toText(value: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(value);
  } catch {
    return undefined;
  }
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
      firstName: profile?.firstName,
      lastName: profile?.lastName,
      displayName: profile?.displayName,
      nickName: profile?.nickName,
      language: profile?.preferredLanguage,
      email: email?.email,
      phone: phone?.phone,
    }),
    ...toGender(profile?.gender),
    emailVerified: email?.isEmailVerified ?? false,
    ...(phone === undefined ? {} : { phoneVerified: phone.isPhoneVerified }),
    ...(human?.passwordChangeRequired === true ? { passwordChangeRequired: true } : {}),
    ...(human?.secondFactorRequired === true ? { secondFactorRequired: true } : {}),
    ...(links.length > 0 ? { links } : {}),
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
    // A locked user must not be able to sign in elsewhere either.
    ...(state === UserState.INACTIVE || state === UserState.LOCKED ? { inactive: true } : {}),
    ...(lost.length > 0 ? { lost } : {}),
  };
}

function given(texts: Readonly<Record<string, string | undefined>>): Partial<ExportedUser> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text));
}

function toGender(gender = Gender.UNSPECIFIED): Pick<SourceUser, "gender"> {
  switch (gender) {
    case Gender.FEMALE:
      return { gender: "female" };
    case Gender.MALE:
      return { gender: "male" };
    case Gender.DIVERSE:
      return { gender: "diverse" };
    default:
      return {};
  }
}

function toCredentials(stored: StoredCredentials | undefined, rpId: string | undefined): Partial<ExportedUser> {
  if (stored === undefined) return {};
  const { passwordHash, otp, passkeys } = stored;
  return {
    ...(passwordHash === undefined ? {} : { passwordHash }),
    ...(otp === undefined ? {} : { otp }),
    ...(passkeys.length === 0 ? {} : { passkeys: passkeys.map((passkey) => toExportedPasskey(passkey, rpId)) }),
  };
}

function toExportedPasskey(passkey: StoredPasskey, rpId: string | undefined): SourcePasskey {
  const { id: credentialId, publicKey, counter, name, userHandle, isBackupEligible } = passkey;
  return {
    ...{ credentialId, publicKey: publicKey.toString("base64url"), counter: Number(counter) },
    ...(name === "" ? {} : { name }),
    ...(rpId === undefined ? {} : { rpId }),
    ...(userHandle.length === 0 ? {} : { userHandle: userHandle.toString("base64url") }),
    ...(isBackupEligible === undefined ? {} : { isBackupEligible }),
  };
}
