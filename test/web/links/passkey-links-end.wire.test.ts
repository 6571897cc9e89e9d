import { createPerson } from "../../support/browsers/person.ts";
import { call, importAda, lastReceived, VERIFIED, VISITED } from "../../support/browsers/visitor.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { formOf } from "../account/account-scene.ts";

const PASSWORD = "analytical engine no. 1";
const NEW_PASSWORD = "difference engine no. 2";
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const ADA = { ...VERIFIED, password: PASSWORD };
const OPEN = "Set up a passkey";

describe("a link to register a passkey", () => {
  let service: TestService;
  let names = 0;
  beforeAll(async () => {
    service = await startService("postgres", VISITED);
    for (const secret of [PASSWORD, NEW_PASSWORD, SECRET]) service.secret(secret);
  });
  afterAll(() => service?.close());

  async function newUser(fields: object = {}) {
    const userName = `user-${++names}`;
    return { userName, userId: await importAda(service, { userName, ...ADA, ...fields }) };
  }

  async function signIn(username: string) {
    const person = createPerson(service);
    const page = await person.submit(await person.open("/ui/account"), { username, password: PASSWORD });
    return { person, page };
  }

  /** The link with the code that the account page has requested. */
  async function ownLink(userName: string): Promise<string> {
    const { person, page } = await signIn(userName);
    const { searchParams } = (await person.submit(formOf(page, "/ui/account/passkeys"), {})).url;
    return `/ui/passkey?${searchParams}`;
  }

  const titleOf = async (link: URL | string) => (await createPerson(service).open(link)).title;

  test.each<[string, (user: { userId: string; userName: string }) => Promise<unknown>]>([
    [
      "an administrator sets the password",
      ({ userId }) => call(service, "SetHumanPassword", { userId, password: NEW_PASSWORD }),
    ],
    [
      "the user changes the password",
      async ({ userName }) => {
        const { person } = await signIn(userName);
        const form = await person.open("/ui/account/password");
        await person.submit(form, { current: PASSWORD, password: NEW_PASSWORD, repeat: NEW_PASSWORD });
      },
    ],
    [
      "the user sets a new password with a link",
      async ({ userId }) => {
        await call(service, "SendHumanResetPasswordNotification", { userId });
        const person = createPerson(service);
        const form = await person.open((await lastReceived(service, userId, "password")).path);
        await person.submit(form, { password: NEW_PASSWORD, repeat: NEW_PASSWORD });
      },
    ],
    [
      "the user is locked, and then unlocked",
      async ({ userId: id }) => {
        await call(service, "LockUser", { id });
        await call(service, "UnlockUser", { id });
      },
    ],
  ])("requested by the user ends when %s", async (_, change) => {
    const user = await newUser();
    const link = await ownLink(user.userName);
    expect(await titleOf(link)).toBe(OPEN);
    await change(user);
    expect(await titleOf(link)).not.toBe(OPEN);
  });

  test("requested by an administrator remains when the password is set", async () => {
    const { userId } = await newUser();
    const { link } = await call(service, "AddPasswordlessRegistration", { userId });
    await call(service, "SetHumanPassword", { userId, password: NEW_PASSWORD });
    expect(await titleOf(String(link))).toBe(OPEN);
  });
});
