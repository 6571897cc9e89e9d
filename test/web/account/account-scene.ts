import { createPerson, type Page, type Person } from "../../support/person.ts";
import type { TestService } from "../../support/service.ts";
import { importAda, VERIFIED } from "../../support/visitor.ts";

export const ACCOUNT = "/ui/account";
export const PASSWORD = "analytical engine no. 1";

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
