import { timestampDate } from "@bufbuild/protobuf/wkt";
import { type UserMessage, UserMessageChannel, UserMessageState } from "../../gen/signet/v1/user_message_pb.js";
import { ConfigError } from "../config.ts";
import { isId } from "../crypto/secrets.ts";
import type { MessageState } from "../messages/find-messages.ts";
import { inOrg } from "../moving/in-org.ts";
import { type PageQuery, readItems } from "../moving/read-pages.ts";
import { STATES } from "../rpc/messages/user-message.ts";
import { type Api, apiCommand, type ObjectOptions, type OrgOptions } from "./api.ts";
import { findNamedOrg } from "./named-org.ts";
import { messageNotFound, printMessage, printMessages, printRetriedMessage } from "./print-messages.ts";

/*
 * The commands `signet messages …` on a running server. They print the same as on the database, except that the API
 * reaches the messages of one organization, and does not say whether emails wait for SMTP_URL.
 */

interface ListOptions extends OrgOptions {
  readonly state?: MessageState;
  /** The recipient. */
  readonly to?: string;
  readonly since?: Date;
  readonly limit: number;
}

/** `signet messages list --url`. Without a condition, the messages that were not sent. */
export const listMessagesOnServer = apiCommand(async (api, options: ListOptions) => {
  const { state, to, since, limit, json } = options;
  const isNarrowed = to !== undefined || since !== undefined;
  const states = state !== undefined ? [STATES[state]] : isNarrowed ? [UserMessageState.UNSPECIFIED] : UNSENT;
  const orgId = await readOrgId(api, options.org);
  // A message may change its state between two calls.
  const found = new Map<string, UserMessage>();
  for (const each of states) {
    for (const message of await findLatest(api, { orgId, state: each, to, since, limit })) {
      found.set(message.id, message);
    }
  }
  const latest = [...found.values()].sort(byId).slice(-limit);
  printMessages(
    json,
    latest.map((message) => toShown(message, orgId)),
  );
});

/** `signet messages show --url`. */
export const showMessageOnServer = apiCommand(async (api, { id, org, json }: ObjectOptions) => {
  const orgId = await readOrgId(api, org);
  printMessage(json, toShown(await findMessage(api, orgId, id), orgId));
});

/** `signet messages retry --url`. */
export const retryMessageOnServer = apiCommand(async (api, { id, org, json }: ObjectOptions) => {
  const orgId = await readOrgId(api, org);
  const { userId } = await findMessage(api, orgId, id);
  if (userId === "") throw new ConfigError(`cannot resend message ${id}: it is not to a user, so use the database`);
  await api.management.retryUserMessage({ userId, messageId: id }, inOrg(orgId));
  printRetriedMessage(json, id);
});

async function readOrgId(api: Api, org: string | undefined): Promise<string> {
  return (await findNamedOrg(api, org)) ?? (await api.management.getMyOrg({})).org?.id ?? "";
}

interface Search {
  readonly orgId: string;
  readonly state: UserMessageState;
  readonly to: string | undefined;
  readonly since: Date | undefined;
  readonly limit: number;
}

/** The list is in the order of the ids, which were made shortly before the messages were queued. */
const SLACK_MS = 60_000;

async function findLatest(api: Api, { orgId, state, to, since, limit }: Search): Promise<UserMessage[]> {
  const recipient = to?.trim().toLowerCase();
  const found: UserMessage[] = [];
  for await (const message of latestFirst(api, orgId, state)) {
    const earlierMs = since === undefined ? 0 : since.getTime() - queuedAt(message).getTime();
    if (earlierMs > SLACK_MS) break;
    if (earlierMs > 0 || (recipient !== undefined && message.recipient.toLowerCase() !== recipient)) continue;
    found.push(message);
    if (found.length === limit) break;
  }
  return found;
}

/** @throws ConfigError if the organization has no such message. */
async function findMessage(api: Api, orgId: string, id: string): Promise<UserMessage> {
  if (!isId(id)) throw messageNotFound(id);
  for await (const message of latestFirst(api, orgId, UserMessageState.UNSPECIFIED)) {
    if (message.id === id.toLowerCase()) return message;
    // Ids begin with the time at which they were made.
    if (message.id < id.toLowerCase()) break;
  }
  throw messageNotFound(id);
}

function latestFirst({ management }: Api, orgId: string, state: UserMessageState): AsyncGenerator<UserMessage> {
  const list = (query: PageQuery) => management.listUserMessages({ query, state }, inOrg(orgId));
  return readItems(list, { asc: false });
}

const UNSENT: readonly UserMessageState[] = [STATES.waiting, STATES.sending, STATES.failed, STATES.expired];

function byId(one: UserMessage, other: UserMessage): number {
  return one.id < other.id ? -1 : 1;
}

function queuedAt({ creationDate }: UserMessage): Date {
  return creationDate === undefined ? new Date(0) : timestampDate(creationDate);
}

function toShown(message: UserMessage, orgId: string) {
  const { id, userId, channel, recipient, attempts, nextAttemptDate, endDate, lastError } = message;
  const state = (Object.keys(STATES) as MessageState[]).find((name) => STATES[name] === message.state);
  if (state === undefined) throw new ConfigError("the server returned a state that this version does not know");
  return {
    id,
    orgId,
    userId: userId || null,
    channel: channel === UserMessageChannel.SMS ? ("sms" as const) : ("email" as const),
    recipient,
    state,
    attempts,
    createdAt: queuedAt(message),
    nextAttemptAt: nextAttemptDate ? timestampDate(nextAttemptDate) : null,
    endedAt: endDate ? timestampDate(endDate) : null,
    lastError: lastError || null,
  };
}
