import { createPerson, type Page, type Person } from "../../support/browsers/person.ts";
import { importAda, VERIFIED } from "../../support/browsers/visitor.ts";
import type { TestService } from "../../support/servers/service.ts";

export const ACCOUNT = "/ui/account";
export const PASSWORD = "analytical engine no. 1";
export const STALE = "The page was out of date, so nothing was changed. Please try again.";
export const ONLY_WAY = "This is your only way to sign in. Add another one before you remove it.";

/** A user with a browser, and the page after the sign-in. */
export interface SignedIn {
  readonly person: Person;
  readonly page: Page;
}

let names = 0;

/** Imports a user, and signs in to the account page. */
export async function newPerson(
  service: TestService,
  fields: object = {},
): Promise<SignedIn & { readonly userId: string; readonly userName: string }> {
  const userName = `person-${++names}`;
  const userId = await importAda(service, { userName, ...VERIFIED, password: PASSWORD, ...fields });
  return { userId, userName, ...(await signIn(service, userName)) };
}

/** Opens the account page, and enters the password. */
export async function signIn(
  service: TestService,
  username: string,
  person: Person = createPerson(service),
): Promise<SignedIn> {
  const page = await person.submit(await person.open(ACCOUNT), { username, password: PASSWORD });
  return { person, page };
}

/** The part of a page with one of its forms, so that a person submits that one. */
export function formOf(page: Page, action: string): Page {
  const start = page.text.search(
    new RegExp(`<form [^>]*action="${action.replaceAll("&", "&amp;").replace(/[?.]/g, "\\$&")}"`),
  );
  if (start < 0) throw new Error(`${page.url.pathname} has no form for ${action}`);
  return { ...page, text: page.text.slice(start, page.text.indexOf("</form>", start)) };
}

/** What the account page says that the previous action has done; empty if there is nothing. */
export function noticeOf({ text }: Page): string {
  return /<p class="notice good" role="status">(.*?)<\/p>/.exec(text)?.[1] ?? "";
}

/** Stores a passkey that no browser has. */
export async function storeFakePasskey(
  service: TestService,
  userId: string,
  id: string,
  fields: { readonly name?: string; readonly created_at?: Date; readonly org_id?: string } = {},
): Promise<void> {
  await service.db
    .insertInto("passkeys")
    .values({
      org_id: service.orgId,
      id,
      user_id: userId,
      public_key: Buffer.from("key"),
      counter: 0n,
      transports: [],
      aaguid: "00000000-0000-0000-0000-000000000000",
      device_type: "singleDevice",
      backed_up: false,
      created_at: new Date(),
      ...fields,
    })
    .execute();
}

/** The user now signs in by other means. */
export async function dropPassword({ db }: TestService, userId: string): Promise<void> {
  await db
    .updateTable("users")
    .set({ password_hash: null, password_changed_at: null })
    .where("id", "=", userId)
    .execute();
}
