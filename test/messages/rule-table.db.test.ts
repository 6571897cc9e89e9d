import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { IMPORT_PATH, send } from "../support/clients/send.ts";
import { type Arrived, startSmtp, type TestSmtp } from "../support/messages/smtp.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const HASH = "$2b$10$abcdefghijklmnopqrstuuBkwQU5bq0mFCYd4JvMwG9CmHDUYrKSe";

/** Every combination of the flags of ImportHumanUser that determine messages. */
const CELLS = [true, false]
  .flatMap((verified) =>
    ["none", "password", "hash"].flatMap((credential) =>
      [true, false].flatMap((linked) =>
        [true, false].flatMap((passwordless) =>
          ["none", "verified", "unverified"].map((phone) => ({ verified, credential, linked, passwordless, phone })),
        ),
      ),
    ),
  )
  .map((cell, index) => ({
    ...cell,
    name: `cell-${index}`,
    number: `+41791234${500 + index}`,
    getsEmail: !cell.verified || cell.credential === "none",
    getsSms: cell.phone === "unverified",
  }));

const SETTINGS = [
  { kind: "postgres", cells: CELLS },
  // Seven is coprime to the sizes of the columns, so each value occurs.
  { kind: "embedded", cells: CELLS.filter((_, index) => index % 7 === 0) },
] as const;

describe.each(SETTINGS)("the messages to imported users, on $kind", ({ kind, cells }) => {
  let smtp: TestSmtp;
  let service: TestService;
  const responses = new Map<string, { passwordlessRegistration?: { link: string } }>();
  let texts: string[] = [];

  beforeAll(async () => {
    smtp = await startSmtp();
    service = await startService(kind, {
      SMTP_URL: smtp.url,
      EMAIL_FROM: "signet@example.com",
      SMS_PROVIDER: "file",
    });
    const { origin, adminToken: token } = service;
    const idp = { name: "Corp", clientId: "signet", clientSecret: "of the rule table", issuer: "https://example.com" };
    const { body } = await send(origin, "POST", "/management/v1/idps/oidc", { token, body: idp });
    for (const { name, number, verified, credential, linked, passwordless, phone } of cells) {
      const answer = await send(origin, "POST", IMPORT_PATH, {
        token,
        body: {
          userName: name,
          profile: { firstName: "Ada", lastName: "Lovelace" },
          email: { email: `${name}@example.com`, isEmailVerified: verified },
          ...(phone !== "none" && { phone: { phone: number, isPhoneVerified: phone === "verified" } }),
          ...(credential === "password" && { password: service.secret(`password of ${name}`) }),
          ...(credential === "hash" && { hashedPassword: { value: HASH } }),
          ...(linked && { idps: [{ configId: body.idpId, externalUserId: name }] }),
          requestPasswordlessRegistration: passwordless,
        },
      });
      expect(answer.status).toBe(200);
      responses.set(name, answer.body);
    }
    await service.delivery.deliverDue();
    const folder = join(service.config.dataDir, "sms");
    texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));
  });
  afterAll(async () => {
    await service.close();
    await smtp.close();
  });

  /** The page behind the link in a text. */
  async function open(page: string, text: string | undefined): Promise<string> {
    const [, query] = new RegExp(`/ui/${page}(\\?code=[\\w.-]+)`).exec(text ?? "") ?? [];
    const response = await fetch(`${service.origin}/ui/${page}${query}`);
    expect(response.status).toBe(200);
    return await response.text();
  }

  test.each([...cells])(
    "email verified: $verified, credential: $credential, linked: $linked, passkey asked for: $passwordless, phone: $phone",
    async ({ name, number, verified, getsEmail, getsSms, passwordless, credential, linked }) => {
      const emails = smtp.arrived.filter(({ to }: Arrived) => to === `${name}@example.com`);
      const sms = texts.filter((text) => text.startsWith(`To: ${number}\n`));
      const link = responses.get(name)?.passwordlessRegistration?.link;
      expect({ emails: emails.length, sms: sms.length, link: link !== undefined }).toEqual({
        emails: getsEmail ? 1 : 0,
        sms: getsSms ? 1 : 0,
        link: passwordless,
      });
      if (getsEmail) {
        expect(emails[0]?.email.subject).toBe(verified ? "Set your password" : "Confirm your email address");
        const page = await open("init", emails[0]?.email.text);
        expect(page).toContain(`${name}@example.com`);
        expect(/confirm/i.test(page)).toBe(!verified);
        // A password can be set if there is none, and must be set if there is no other way to sign in.
        const field = /<input[^>]* name="password"[^>]*>/.exec(page)?.[0];
        expect(field !== undefined).toBe(credential === "none");
        if (field !== undefined) expect(/\brequired\b/.test(field)).toBe(!linked);
      }
      if (getsSms) expect(await open("phone", sms[0])).toMatch(/<input[^>]* name="digits"/);
      if (passwordless) expect(await open("passkey", link)).toContain("Ada Lovelace");
    },
  );

  test("no other message or link exists", () => {
    expect(smtp.arrived).toHaveLength(cells.filter(({ getsEmail }) => getsEmail).length);
    expect(texts).toHaveLength(cells.filter(({ getsSms }) => getsSms).length);
    expect([...responses.values()].filter(({ passwordlessRegistration: made }) => made)).toHaveLength(
      cells.filter(({ passwordless }) => passwordless).length,
    );
  });
});
