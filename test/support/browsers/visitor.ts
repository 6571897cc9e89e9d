import type { JsonObject } from "@bufbuild/protobuf";
import { sql } from "kysely";
import { openContent } from "../../../src/messages/message-content.ts";
import { createCaller, type Rpc } from "../clients/callers.ts";
import type { TestService } from "../servers/service.ts";
import { headingOf } from "./heading-of.ts";

/** The environment of a service that trusts the address sent by a visitor. */
export const VISITED = { TRUSTED_PROXIES: "127.0.0.1", SMS_PROVIDER: "file" };

export const NUMBER = "+41791234567";

/** A response with the parts of its page. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly title: string;
}

/** A client with its own IP address, so that failures of other clients do not count against it. */
export interface Visitor {
  open(path: string, init?: RequestInit): Promise<TestResponse>;
  /**
   * Posts a form like a browser that sends no referrer, and so no origin. Follows a redirect to a page, and returns it
   * with the cookies of the redirect.
   */
  post(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<TestResponse>;
}

let visitors = 0;

export function createVisitor(service: TestService, address = `10.0.${++visitors >> 8}.${visitors & 255}`): Visitor {
  async function open(path: string, init: RequestInit = {}): Promise<TestResponse> {
    const headers = { "x-forwarded-for": address, ...(init.headers as Record<string, string>) };
    const response = await fetch(service.origin + path, { ...init, headers });
    const text = await response.text();
    // The form contains the code of the link.
    service.responses.push(text.replaceAll(/(name="code" value|data-code)="[^"]*"/g, ""));
    return { status: response.status, headers: response.headers, text, title: headingOf(text) };
  }
  return {
    open,
    async post(path, fields, headers = {}) {
      const posted = await open(path, {
        method: "POST",
        headers: { origin: "null", "sec-fetch-site": "same-origin", ...headers },
        body: new URLSearchParams(fields),
        redirect: "manual",
      });
      const location = posted.headers.get("location") ?? "";
      if (!location.startsWith("/")) return posted;
      const page = await open(location);
      const merged = new Headers(page.headers);
      for (const cookie of posted.headers.getSetCookie()) merged.append("set-cookie", cookie);
      return { ...page, headers: merged };
    },
  };
}

/** For `importAda`: a user with a verified address. */
export const VERIFIED = { email: { email: "ada@example.com", isEmailVerified: true } };

let users = 0;

/** Imports a user, by default without a verified address or a password. Returns the id. */
export async function importAda(service: TestService, fields: object = {}): Promise<string> {
  const request = {
    userName: `ada-${++users}`,
    profile: { firstName: "Ada", lastName: "Lovelace" },
    email: { email: "ada@example.com" },
    ...fields,
  } as JsonObject;
  return String((await call(service, "ImportHumanUser", request)).userId);
}

/** Sets a number that is not verified. */
export async function changePhone(service: TestService, userId: string, phone = NUMBER): Promise<void> {
  await call(service, "UpdateHumanPhone", { userId, phone, isPhoneVerified: false });
}

export async function call(
  service: TestService,
  rpc: Rpc,
  request: JsonObject,
  headers: Readonly<Record<string, string>> = {},
) {
  const outcome = await createCaller("rest", service, service.adminToken).call(rpc, request, headers);
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.message;
}

/** The content of a message: the path of its link, the code and the digits. */
export interface Received {
  readonly id: string;
  readonly code: string;
  readonly path: string;
  readonly digits: string;
}

/** The kinds of codes that messages carry. */
type MessageKind = "initialization" | "email" | "email-change" | "phone" | "password";

/** The codes for sign-ins that were sent to the user, oldest first. */
export async function signInCodes(service: TestService, userId: string): Promise<string[]> {
  const query = service.db.selectFrom("messages").select(["id", "content", "content_key"]);
  const rows = await query.where("user_id", "=", userId).where("notice", "=", "sign-in-code").orderBy("id").execute();
  return rows.map((row) => openContent<{ digits: string }>(service.keyring, row).digits);
}

/** The names of pages that differ from the kind of their code. */
const PAGES: Partial<Record<MessageKind, string>> = { initialization: "init", "email-change": "new-email" };

/** The user's codes of a kind, oldest first. */
export async function received(service: TestService, userId: string, kind: MessageKind): Promise<Received[]> {
  const rows = await service.db
    .selectFrom("messages")
    .innerJoin("codes", "codes.id", "messages.code_id")
    .select(["messages.id", "messages.content", "messages.content_key", "codes.id as code_id"])
    .where("codes.user_id", "=", userId)
    .where("codes.kind", "=", kind)
    .where("messages.notice", "is", null)
    .orderBy("codes.sequence")
    .execute();
  return rows.map((row) => {
    const { secret, digits = "" } = openContent(service.keyring, row);
    const code = `${row.code_id}.${service.secret(secret)}`;
    const path = `/ui/${PAGES[kind] ?? kind}?code=${code}`;
    return { id: row.code_id, code, path, digits };
  });
}

export async function lastReceived(service: TestService, userId: string, kind: MessageKind) {
  const last = (await received(service, userId, kind)).at(-1);
  if (last === undefined) throw new Error(`the user got no ${kind} code`);
  return last;
}

/** Digits that differ from the correct ones. */
export function wrongDigits({ digits }: Received, step = 1): string {
  return String((Number(digits) + step) % 1_000_000).padStart(6, "0");
}

export function userOf({ db }: TestService, userId: string) {
  return db.selectFrom("users").selectAll().where("id", "=", userId).executeTakeFirstOrThrow();
}

export function codeOf({ db }: TestService, { id }: Received) {
  return db.selectFrom("codes").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}

/** Types and payloads of the user's events after a sequence, checked to be without gaps. */
export async function eventsAfter({ db }: TestService, userId: string, sequence: bigint) {
  const events = await db
    .selectFrom("events")
    .select(["sequence", "type", "payload", "editor_id", "created_at"])
    .where("aggregate_id", "=", userId)
    .where("sequence", ">", sequence)
    .orderBy("sequence")
    .execute();
  for (const [index, event] of events.entries()) {
    if (event.sequence !== sequence + BigInt(index + 1)) throw new Error("the sequence has a gap");
    if (event.editor_id !== userId) throw new Error(`${event.type} has another editor than the user`);
  }
  return events.map(({ type, payload }) => [type, payload]);
}

/** Every row of every table. */
export async function allRows({ db }: TestService): Promise<Record<string, string>> {
  const { rows } = await sql<{
    name: string;
  }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(db);
  const tables: Record<string, string> = {};
  for (const { name } of rows) {
    const found = await sql<{ row: string }>`
      select xmin::text || to_jsonb(t)::text as row from ${sql.table(name)} as t order by 1`.execute(db);
    tables[name] = found.rows.map(({ row }) => row).join("\n");
  }
  return tables;
}
