import { createTransport } from "nodemailer";
import PostalMime from "postal-mime";
import { VALID_SECONDS } from "../../src/codes/kinds.ts";
import { renderEmail, renderResetSms, renderSms } from "../../src/messages/templates/render.ts";
import { renderRegistration } from "../../src/messages/templates/render-registration.ts";
import { LANGUAGES } from "../../src/texts/languages.ts";

const CODE = "0198f3b2-7c1d-7e4a-9b60-3f2a1c5d8e90.q2Xk9-vT_4mZ8sLw1RbN7g";
const LINK = `https://id.example.com/ui/init?code=${CODE}`;

function emailTo(
  displayName: string,
  options: {
    language?: string | null;
    recipient?: string;
    isVerified?: boolean;
    kind?: "initialization" | "email";
  } = {},
) {
  const { language = "en", recipient = "ada@example.com", isVerified = false, kind = "initialization" } = options;
  return renderEmail({ kind, displayName, language, recipient, link: LINK, isVerified });
}

/** The visible text of HTML. */
function toText(html: string): string {
  const entities: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };
  return html
    .slice(html.indexOf("<body"))
    .replace(/<[^>]*>/g, " ")
    .replace(/&[a-z#\d]+;/g, (entity) => entities[entity] ?? entity)
    .replace(/[ \n]+/g, " ");
}

describe.each([
  ["en", "unverified", "Confirm your email address", "Hello Ada Lovelace,", "72 hours"],
  ["de", "unverified", "Bestätigen Sie Ihre E-Mail-Adresse", "Guten Tag Ada Lovelace,", "72 Stunden"],
  ["fr", "unverified", "Confirmez votre adresse e-mail", "Bonjour Ada Lovelace,", "72 heures"],
  ["es", "unverified", "Confirme su dirección de correo electrónico", "Hola, Ada Lovelace:", "72 horas"],
  ["en", "verified", "Set your password", "Hello Ada Lovelace,", "72 hours"],
  ["de", "verified", "Legen Sie Ihr Passwort fest", "Guten Tag Ada Lovelace,", "72 Stunden"],
  ["fr", "verified", "Définissez votre mot de passe", "Bonjour Ada Lovelace,", "72 heures"],
  ["es", "verified", "Establezca su contraseña", "Hola, Ada Lovelace:", "72 horas"],
  ["en", "new", "Confirm your new email address", "Hello Ada Lovelace,", "24 hours"],
  ["de", "new", "Bestätigen Sie Ihre neue E-Mail-Adresse", "Guten Tag Ada Lovelace,", "24 Stunden"],
  ["fr", "new", "Confirmez votre nouvelle adresse e-mail", "Bonjour Ada Lovelace,", "24 heures"],
  ["es", "new", "Confirme su nueva dirección de correo electrónico", "Hola, Ada Lovelace:", "24 horas"],
] as const)("the email in %s to an address that is %s", (language, address, subject, greeting, validity) => {
  const options = {
    isVerified: address === "verified",
    kind: address === "new" ? ("email" as const) : ("initialization" as const),
  };
  const email = emailTo("Ada Lovelace", { language, ...options });

  test("has the subject, the greeting and all information, in text and HTML", () => {
    expect(email.subject).toBe(subject);
    expect(email.language).toBe(language);
    for (const body of [email.text, toText(email.html)]) {
      for (const part of [greeting, validity, "id.example.com/ui/init", "ada@example.com"])
        expect(body).toContain(part);
    }
    expect(email.text).toContain(LINK);
    expect(email.html).toContain(`href="${LINK}"`);
    expect(toText(email.html)).not.toContain("code=");
    expect(email.html).toContain(`<html lang="${language}">`);
    expect(email.html).toContain(`<title>${subject}</title>`);
  });

  test("has the same content in text and HTML", () => {
    const sentences = (body: string) => body.replace(/\s+/g, " ").split(/(?<=[.?]) /);
    const inHtml = toText(email.html).replace(/\s+/g, " ");
    const missing = sentences(email.text).filter((sentence) => !inHtml.includes(sentence.trim()));
    // The text has a separate introduction to the link, because it has no button.
    expect(missing).toHaveLength(1);
    expect(missing[0]).toContain(LINK);
  });

  test("has lines of at most 78 characters in the text, except for the link on its own line", () => {
    const lines = email.text.split("\n");
    expect(lines.filter((line) => line === LINK)).toHaveLength(1);
    expect(lines.filter((line) => line !== LINK && line.length > 78)).toEqual([]);
    expect(lines.filter((line) => line !== line.trim())).toEqual([]);
    expect(email.text).toMatch(/[^\n]\n$/);
  });

  test("has only its own link, and loads nothing", () => {
    expect(email.text.match(/\w+:\/\/\S+/g)).toEqual([LINK]);
    expect(email.html.match(/(?:href|src|action|background)\s*=\s*"[^"]*"/g)).toEqual([
      `href="${LINK}"`,
      `href="${LINK}"`,
    ]);
    expect(email.html).not.toMatch(
      /<(?:img|link|script|iframe|form|input|object|video|table)|url\(|@import|@font-face/i,
    );
  });

  test("greets without the name if it must not be shown", () => {
    const nameless = emailTo("Click https://evil.example", { language, ...options });
    expect(`${nameless.text}${nameless.html}`).not.toMatch(/evil|click/i);
    expect(nameless.text.split("\n")[0]).toBe(greeting.replace(/,? Ada Lovelace/, ""));
  });

  test("is unchanged after being written and parsed as a message", async () => {
    const transport = createTransport({ streamTransport: true, buffer: true });
    const { message } = await transport.sendMail({ from: "no-reply@example.com", to: "ada@example.com", ...email });
    const read = await PostalMime.parse(message as Buffer);
    expect(read.subject).toBe(email.subject);
    // The line break before a boundary belongs to the boundary (RFC 2046, section 5.1.1), and this reader keeps it.
    expect(read.text).toBe(`${email.text}\n`);
    expect(read.html).toBe(`${email.html}\n`);
  });
});

test.each([
  ["en", "Confirm email address", "Set password", /confirm/i],
  ["de", "E-Mail-Adresse bestätigen", "Passwort festlegen", /bestätig/i],
  ["fr", "Confirmer l’adresse e-mail", "Définir le mot de passe", /confirm/i],
  ["es", "Confirmar la dirección", "Establecer la contraseña", /confirm/i],
])("a verified address is not to be confirmed again, in %s", (language, confirm, setPassword, confirming) => {
  const [unverified, verified] = [false, true].map((isVerified) => emailTo("Ada", { language, isVerified }));
  expect(toText(unverified?.html ?? "")).toContain(confirm);
  expect(toText(verified?.html ?? "")).toContain(setPassword);
  expect(`${unverified?.subject} ${unverified?.text}`).toMatch(confirming);
  expect(`${verified?.subject} ${verified?.text} ${verified?.html}`).not.toMatch(confirming);
});

test.each([false, true])("every text differs from that of any other language, address verified: %s", (isVerified) => {
  const emails = LANGUAGES.map((language) => emailTo("Ada", { language, isVerified }));
  const paragraphs = emails.flatMap(({ subject, text }) => [subject, ...text.split("\n\n")]);
  expect(paragraphs.filter((text, index) => paragraphs.indexOf(text) !== index)).toEqual(
    LANGUAGES.slice(1).map(() => LINK),
  );
});

test.each([
  ["de-CH", "de"],
  ["es-MX", "es"],
  ["tlh", "en"],
  ["", "en"],
  [null, "en"],
])("a user who prefers %s reads %s", (preferred, language) => {
  const email = emailTo("Ada", { language: preferred });
  expect(email).toEqual(emailTo("Ada", { language }));
  expect(email.language).toBe(language);
});

test("French has its spaces before double signs, and Spanish its opening question mark", () => {
  const french = emailTo("Ada", { language: "fr" });
  for (const body of [french.text.replace(LINK, ""), toText(french.html).replaceAll(LINK, "")]) {
    expect(body.match(/.(?=[?!;])/gu)).toEqual(["\u202f"]);
    expect(body.match(/.(?=:)/gu)).toEqual(["\u00a0"]);
  }
  const spanish = emailTo("Ada", { language: "es" }).text.replace(LINK, "");
  expect(spanish.match(/[¿?]/g)).toEqual(["¿", "?"]);
});

test.each([
  ["en", "Ada invites you to Acorn", "Ada has created an account for you at id.example.com."],
  ["de", "Ada lädt Sie zu Acorn ein", "Ada hat für Sie ein Konto bei id.example.com erstellt."],
  ["es", "Ada le invita a Acorn", "Ada ha creado una cuenta para usted en id.example.com."],
  ["fr", "Ada vous invite à rejoindre Acorn", "Ada a créé un compte pour vous sur id.example.com."],
] as const)("an invitation says who invites to what in %s", (language, subject, occasion) => {
  const invite = (inviterName: string, orgName?: string) =>
    renderEmail({
      ...{ kind: "initialization", displayName: "Grace", language, recipient: "grace@example.com", link: LINK },
      ...{ isVerified: false, inviterName, orgName },
    });
  const email = invite("Ada", "Acorn");
  expect(email.subject).toBe(subject);
  for (const body of [email.text, toText(email.html)]) expect(body).toContain(occasion);
  expect(invite("Ada").subject).toBe(subject.replace("Acorn", "id.example.com"));
  expect(invite("evil.example", "Acorn").subject).not.toContain("evil");
});

test("HTML special characters are escaped in names and links, and unchanged in text", () => {
  const email = renderEmail({
    kind: "initialization",
    displayName: `Ada & "Charles" O'Brien`,
    language: "en",
    link: `${LINK}&a="<`,
    recipient: "o'brien@example.com",
    isVerified: false,
  });
  expect(email.html).toContain("Hello Ada &amp; &quot;Charles&quot; O&#39;Brien,");
  expect(email.html).toContain(`href="${LINK}&amp;a=&quot;&lt;"`);
  expect(email.html).toContain("o&#39;brien@example.com");
  expect(email.text).toContain(`Hello Ada & "Charles" O'Brien,`);
  expect(email.text).toContain(`\n${LINK}&a="<\n`);
});

test.each(["<script>alert(1)</script>", "a\r\nBcc: eve@example.com", "Ada\u202e", "x".repeat(200), "", "evil.example"])(
  "the email to a user with the name %j is the one without a name",
  (displayName) => {
    expect(emailTo(displayName)).toEqual(emailTo("1"));
  },
);

test("a name of the maximum length does not exceed the length of a line", () => {
  for (const language of LANGUAGES) {
    const [greeting = ""] = emailTo("W".repeat(60), { language }).text.split("\n");
    expect(greeting).toContain("W".repeat(60));
    expect(greeting.length).toBeLessThanOrEqual(78);
  }
});

test("an address that could become another link is omitted from text and HTML", () => {
  for (const language of LANGUAGES) {
    const email = emailTo("Ada", { language, recipient: "evil.example/a@example.com" });
    expect(`${email.text}${email.html}`).not.toContain("evil");
    expect(email.text).not.toMatch(/ $|^ | {2}/m);
  }
});

test("an address of the maximum length exceeds only its own line", () => {
  const recipient = `${"a".repeat(64)}@${"b".repeat(63)}.${"c".repeat(63)}.example.com`;
  const long = emailTo("Ada", { recipient })
    .text.split("\n")
    .filter((line) => line.length > 78);
  expect(long).toEqual([LINK, expect.stringContaining(recipient)]);
});

/** The GSM 7-bit alphabet (3GPP TS 23.038, section 6.2.1), and those of its characters that take two septets. */
const GSM =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
const GSM_EXTENSION = "\f^{}\\[~]|€";

/** How many SMS a text takes: 160 septets fit into one, 153 into each of several. */
function countSegments(text: string): number {
  const septets = [...text].reduce((sum, character) => {
    if (GSM.includes(character)) return sum + 1;
    if (GSM_EXTENSION.includes(character)) return sum + 2;
    throw new Error(`${JSON.stringify(character)} is not of the GSM 7-bit alphabet`);
  }, 0);
  return septets <= 160 ? 1 : Math.ceil(septets / 153);
}

describe.each([
  ["en", "Your code: 012345, valid 1 hour"],
  ["de", "Ihr Code: 012345, 1 Stunde gültig"],
  ["fr", "Votre code : 012345, valable 1 heure"],
  ["es", "Su clave: 012345, vence en 1 hora"],
])("the SMS in %s", (language, sentence) => {
  const smsOf = (host: string) =>
    renderSms({ language, digits: "012345", link: `https://${host}/ui/phone?code=${CODE}`, host });

  test("has the digits, the link on its own line, and the line by which phones fill the digits in at the very end", () => {
    expect(smsOf("id.example.com").split("\n")).toEqual([
      sentence,
      `https://id.example.com/ui/phone?code=${CODE}`,
      "",
      "@id.example.com #012345",
    ]);
  });

  test("fits into one SMS with a host of 15 characters, and into two with one of 80", () => {
    expect(countSegments(smsOf("sso.example.com"))).toBe(1);
    expect(countSegments(smsOf(`${"a".repeat(63)}.${"b".repeat(4)}.example.com`))).toBe(2);
  });
});

test("the validity in the SMS is that of its code", () => {
  expect(VALID_SECONDS.phone).toBe(3_600);
});

test.each([
  ["de-AT", "Ihr Code"],
  ["tlh", "Your code"],
  [null, "Your code"],
])("the SMS to a user who prefers %s begins with %j", (language, start) => {
  const sms = renderSms({
    language,
    digits: "012345",
    link: `https://id.example.com/ui/phone?code=${CODE}`,
    host: "id.example.com",
  });
  expect(sms.startsWith(start)).toBe(true);
});

test("the last line of an SMS has no port", () => {
  const sms = renderSms({
    language: "en",
    digits: "012345",
    link: "http://localhost:8080/ui/phone",
    host: "localhost:8080",
  });
  expect(sms.split("\n").at(-1)).toBe("@localhost #012345");
});

describe.each([
  ["en", "Choose a new password", "one hour"],
  ["de", "Wählen Sie ein neues Passwort", "eine Stunde"],
  ["fr", "Choisissez un nouveau mot de passe", "une heure"],
  ["es", "Elija una contraseña nueva", "una hora"],
])("the messages about a new password in %s", (language, subject, validity) => {
  const reader = { displayName: "Ada Lovelace", language, recipient: "ada@example.com" };

  test("the email with the link contains its purpose and validity, in text and HTML", () => {
    const email = renderEmail({ ...reader, kind: "password", link: LINK, isVerified: true });
    expect(email.subject).toBe(subject);
    for (const body of [email.text, toText(email.html)]) {
      for (const part of ["Ada Lovelace", validity, "id.example.com/ui/init", "ada@example.com"]) {
        expect(body.replace(/\s+/g, " ")).toContain(part);
      }
    }
  });

  test("the SMS has characters of the GSM 7-bit alphabet only, and fits into one", () => {
    const text = renderResetSms({ language, link: LINK, host: "id.example.com" });
    expect(text.split("\n")).toEqual([expect.stringMatching(/:$/), LINK]);
    expect(text).toMatch(/^[\n -Z_a-zà-üñÄÖÜß]+$/u);
    expect(text.length).toBeLessThanOrEqual(160);
  });
});

test.each(LANGUAGES)("an email with a link says what the user signs in with, in %s", (language) => {
  const reader = { displayName: "Ada", userName: "ada-1", language, recipient: "ada@example.com" };
  for (const kind of ["initialization", "email", "password"] as const) {
    const email = renderEmail({ ...reader, kind, link: LINK, isVerified: false });
    for (const body of [email.text, email.html]) expect(body).toMatch(/: ada-1\b/);
    const unsafe = renderEmail({ ...reader, userName: "evil.example", kind, link: LINK, isVerified: false });
    expect(unsafe.text + unsafe.html).not.toContain("evil.example");
  }
});

describe.each([
  ["en", "Blue Bank has created an account for you at id.example.com.", "The account is for signing in to Portal."],
  [
    "de",
    "Blue Bank hat für Sie ein Konto bei id.example.com erstellt.",
    "Mit dem Konto kann man sich bei Portal anmelden.",
  ],
  ["fr", "Blue Bank a créé un compte pour vous sur id.example.com.", "Ce compte permet de se connecter à Portal."],
  [
    "es",
    "Blue Bank ha creado una cuenta para usted en id.example.com.",
    "Esta cuenta permite iniciar sesión en Portal.",
  ],
] as const)("what an account is for, in %s", (language, created, forApp) => {
  const reader = { displayName: "", language, recipient: "ada@example.com", customTexts: {} };
  const invite = (orgName?: string) =>
    renderEmail({ ...reader, orgName, kind: "initialization", link: LINK, isVerified: false });
  const register = (app?: string) => renderRegistration(reader, { kind: "registration", link: LINK, app });
  const oneLine = (text: string) => text.replace(/\s+/g, " ");

  test("an invitation has the name of the organization", () => {
    const { text, html } = invite("Blue Bank");
    for (const body of [oneLine(text), toText(html)]) expect(body).toContain(created);
  });

  test("an email about a registration has the name of the application", () => {
    const { text, html } = register("Portal");
    for (const body of [oneLine(text), toText(html)]) expect(body).toContain(forApp);
  });

  test("neither has a name that a mail client could turn into a link", () => {
    for (const name of ["evil.example", "Call +41 79 123 45 67", "a".repeat(61)]) {
      expect(invite(name)).toEqual(invite());
      expect(register(name)).toEqual(register());
    }
  });
});
