import { ASTRAL, BCRYPT, EMOJI, HUMAN, KEY, PASSWORD } from "../../support/clients/requests.ts";

/** The stored row of a user imported with `HUMAN`, without ids, user name and times. */
export const STORED_HUMAN = {
  kind: "human",
  sequence: 2n,
  first_name: "Ada",
  last_name: "Lovelace",
  nick_name: null as string | null,
  display_name: "Ada Lovelace",
  preferred_language: null as string | null,
  gender: 0,
  email: "ada@example.com",
  email_verified: true,
  phone: null as string | null,
  phone_verified: false,
  password_hash: BCRYPT as unknown,
  password_change_required: false,
  second_factor_required: false,
};

const profile = (fields: object) => ({ profile: { ...HUMAN.profile, ...fields } });
const email = (fields: object) => ({ email: { ...HUMAN.email, ...fields } });
const hash = (value: string) => ({ hashedPassword: { value } });

interface Accepted {
  readonly title: string;
  readonly changes: object;
  /** How the row differs from `STORED_HUMAN`. */
  readonly stored?: Partial<typeof STORED_HUMAN>;
  /** Must not appear in any other table, log line or response. */
  readonly secret?: string;
}

const PHONE = { phone: "+41791234567", phone_verified: true, sequence: 3n };

export const ACCEPTED_HUMANS: readonly Accepted[] = [
  { title: "the required fields alone", changes: {} },
  ...(
    [
      ["firstName", "first_name", "x", "x Lovelace"],
      ["firstName", "first_name", EMOJI.repeat(189), `${EMOJI.repeat(189)} Lovelace`],
      ["lastName", "last_name", "x", "Ada x"],
      ["lastName", "last_name", EMOJI.repeat(196), `Ada ${EMOJI.repeat(196)}`],
    ] as const
  ).map(([field, column, value, display_name]) => ({
    title: `${field} of ${[...value].length} characters, and a display name made of both names`,
    changes: profile({ [field]: value }),
    stored: { [column]: value, display_name },
  })),
  {
    title: "both names of 200 characters, and a display name cut to 200",
    changes: profile({ firstName: ASTRAL.repeat(200), lastName: EMOJI.repeat(200) }),
    stored: { first_name: ASTRAL.repeat(200), last_name: EMOJI.repeat(200), display_name: ASTRAL.repeat(200) },
  },
  {
    title: "a display name that is cut between two characters, never within one",
    changes: profile({ firstName: "x".repeat(198), lastName: EMOJI.repeat(2) }),
    stored: {
      first_name: "x".repeat(198),
      last_name: EMOJI.repeat(2),
      display_name: `${"x".repeat(198)} ${EMOJI}`,
    },
  },
  {
    title: "a display name of 200 characters",
    changes: profile({ displayName: EMOJI.repeat(200) }),
    stored: { display_name: EMOJI.repeat(200) },
  },
  ...["", " ", "\u00a0\t", "\u200e"].map((blank) => ({
    title: `${JSON.stringify(blank)} as no nick name, display name and language`,
    changes: profile({ nickName: blank, displayName: blank, preferredLanguage: blank.trim() === "" ? blank : "" }),
  })),
  {
    title: "a nick name of 200 characters",
    changes: profile({ nickName: EMOJI.repeat(200) }),
    stored: { nick_name: EMOJI.repeat(200) },
  },
  {
    title: "names without the white space around them",
    changes: profile({
      firstName: " Ada\t",
      lastName: "\u3000Lovelace\n",
      nickName: " Al ",
      displayName: "\u00a0A L ",
    }),
    stored: { nick_name: "Al", display_name: "A L" },
  },
  {
    title: "names and an address without the marks at their ends",
    changes: {
      ...profile({ firstName: "\u202aAda\u202c", lastName: "Lovelace\u00ad", nickName: "\u200f\u2067Al\u2069 \u200e" }),
      ...email({ email: "\u202aada@example.com\u202c" }),
    },
    stored: { nick_name: "Al" },
  },
  {
    title: "a display name with an emoji sequence",
    changes: profile({ displayName: "Ada 👩\u200d💻" }),
    stored: { display_name: "Ada 👩\u200d💻" },
  },
  {
    title: "a Persian name with a non-joiner",
    changes: profile({ firstName: "علی\u200cرضا" }),
    stored: { first_name: "علی\u200cرضا", display_name: "علی\u200cرضا Lovelace" },
  },
  ...(
    [
      ["", null],
      ["de", "de"],
      ["en-GB", "en-GB"],
      ["EN-gb", "en-GB"],
      ["en_US", "en-US"],
      ["de-Latn-DE", "de-Latn-DE"],
      ["de-x-12345", "de-x-12345"],
    ] as const
  ).map(([preferredLanguage, preferred_language]) => ({
    title: `the language "${preferredLanguage}"`,
    changes: profile({ preferredLanguage }),
    stored: { preferred_language },
  })),
  ...(
    [
      ["GENDER_UNSPECIFIED", 0],
      ["GENDER_FEMALE", 1],
      ["GENDER_MALE", 2],
      ["GENDER_DIVERSE", 3],
      [3, 3],
    ] as const
  ).map(([given, gender]) => ({
    title: `the gender ${given}`,
    changes: profile({ gender: given }),
    stored: { gender },
  })),
  {
    title: "an address without the white space around it",
    changes: email({ email: " \tada@example.com\u00a0\r\n" }),
  },
  ...["x@example.com", `${"x".repeat(64)}@${`${"x".repeat(62)}.`.repeat(2)}${"x".repeat(59)}.com`].map((address) => ({
    title: `an address of ${address.length} characters`,
    changes: email({ email: address }),
    stored: { email: address },
  })),
  { title: "a phone object without a number", changes: { phone: {} } },
  ...[
    "+41791234567",
    "+41 79 123-45-67",
    "tel:+41-79-123-45-67",
    "tel:+41-79-123-45-67;ext=12;isub=1",
    " \u00a0+41791234567\t\n",
    `+41${" ".repeat(38)}791234567`,
  ].map((phone) => ({
    title: `the verified number "${phone}" as E.164`,
    changes: { phone: { phone, isPhoneVerified: true } },
    stored: PHONE,
  })),
  ...(
    [
      ["one character", "x"],
      ["72 bytes", `${PASSWORD}${"x".repeat(72 - PASSWORD.length)}`],
      ["72 bytes in 36 characters", "\u00e9".repeat(36)],
      ["72 bytes in 18 characters", KEY.repeat(18)],
    ] as const
  ).map(([what, password]) => ({
    title: `a password of ${what}`,
    changes: { hashedPassword: undefined, password },
    stored: { password_hash: { bcryptOf: password } },
    ...(password.length > 1 && { secret: password }),
  })),
  ...[
    "$2a$04$......................IBkH8pjfkDYmjZtzsiFYGYLacsaGHyW",
    "$2y$04$......................IBkH8pjfkDYmjZtzsiFYGYLacsaGHyW",
    "$argon2id$v=19$m=1024,t=2,p=2$c29tZXNhbHQwMTIzNDU2/w$maZdmwIUgTYBnCEBqUxKzqa6SC3styEgxWH95xFV4wE",
    "$argon2i$m=65536,t=2,p=1$c29tZXNhbHQ$9sTbSlTio3Biev89thdrlKKiCaYsjjYVJxGAL3swxpQ",
    "$argon2d$v=19$m=1024,t=2,p=2$c29tZXNhbHQwMTIzNDU2/w$o6BbmVJRWBbmGBY733udK0vGOtjNZlE4SLeAncid8QA",
    "$scrypt$ln=10,r=8,p=1$++++MDEyMzQ1Njc4OWFiYw$GWOPFWC5jZbBAlVYoq6gpEuui5v2YD+sho8eVBn1Y0M",
    "$7$CU..../..........................$vuTDUGsz/kEsUHiSbsogBgapcMB8mQCvk4vBAYzIG0C",
    "$pbkdf2$1000$....MDEyMzQ1Njc4OWFiYw$JlsUpYCe65bAu5sLF/ybj0GIxTk",
    "$pbkdf2-sha256$1000$....MDEyMzQ1Njc4OWFiYw$NZfc2L7sE5ZosGynQSLWqB7J5NWdZJ6T/jlJu00Y07w",
    "$5$saltstring$vc6YOOogU4kWVvwga8e9zTFgKcy4tb5LaPxIiPJzqEC",
    "$6$rounds=10000$saltsaltsaltsalt$YymDQcDiPAPffG37wC0ejpCZb/xQsJhGY1cHJm2zkZSqidwOudukvGlotbMGQxkhtPRs0ZAbTYxJp96xB5KQ91",
    "$1$abcdefgh$y6iHhJNbuC0xpbk0w9pm80",
    "$apr1$abcdefgh$sIQmFnT1CuEXAsyjuXjUX/",
    "$P$5abcdefghAwHMLXeh48xCQuy..94JO/",
    "$H$6abcdefghRJFCMvnAbZH2hCiFPRxpk.",
  ].map((value) => ({
    title: `the hash ${value.slice(0, 12)}… as it was given`,
    changes: hash(value),
    stored: { password_hash: value },
    secret: value,
  })),
  ...["bcrypt", "BCrypt", "2b", "$2b$", ""].map((algorithm) => ({
    title: `a hash with the algorithm "${algorithm}"`,
    changes: { hashedPassword: { value: BCRYPT, algorithm } },
  })),
  { title: "a hash without the white space around it", changes: hash(` ${BCRYPT}\r\n`) },
  { title: "a hash and an empty password", changes: { password: "" } },
  ...[{}, { value: "" }, { value: "", algorithm: "" }].map((hashedPassword) => ({
    title: `a password and the empty hash ${JSON.stringify(hashedPassword)}`,
    changes: { hashedPassword, password: PASSWORD },
    stored: { password_hash: { bcryptOf: PASSWORD } },
    secret: PASSWORD,
  })),
  {
    title: "that the password has to be changed, with a hash",
    changes: { passwordChangeRequired: true },
    stored: { password_change_required: true },
  },
  {
    title: "that a second factor is required",
    changes: { secondFactorRequired: true },
    stored: { second_factor_required: true },
  },
  {
    title: "that the password has to be changed, with a password",
    changes: { hashedPassword: undefined, password: PASSWORD, passwordChangeRequired: true },
    stored: { password_hash: { bcryptOf: PASSWORD }, password_change_required: true },
    secret: PASSWORD,
  },
];

interface Rejected {
  readonly title: string;
  readonly changes: object;
  readonly fields: readonly string[];
  readonly secret?: string;
}

const ID = "00000000-0000-7000-8000-000000000000";
const link = (fields: object) => ({ configId: ID, externalUserId: "ada", ...fields });

export const REJECTED_HUMANS: readonly Rejected[] = [
  ...(
    [
      ["left out", undefined],
      ["empty", ""],
      ["of white space alone", " \t\u00a0\u3000"],
      ["of 501 characters", "x".repeat(501)],
      ["of 501 emoji", EMOJI.repeat(501)],
      ["with a NUL", "a\0da"],
      ["with a line break", "a\nda"],
      ["with a zero-width space", "a\u200bda"],
    ] as const
  ).map(([what, userName]) => ({ title: `userName ${what}`, changes: { userName }, fields: ["userName"] })),
  { title: "profile left out", changes: { profile: undefined }, fields: ["profile"] },
  { title: "profile empty", changes: { profile: {} }, fields: ["profile.firstName", "profile.lastName"] },
  ...["firstName", "lastName"].flatMap((field) =>
    (
      [
        ["left out", undefined],
        ["empty", ""],
        ["of 201 characters", "x".repeat(201)],
        ["of 201 emoji", EMOJI.repeat(201)],
        ["with a NUL", "a\0da"],
      ] as const
    ).map(([what, value]) => ({
      title: `profile.${field} ${what}`,
      changes: profile({ [field]: value }),
      fields: [`profile.${field}`],
    })),
  ),
  ...["nickName", "displayName"].flatMap((field) =>
    (
      [
        ["of 201 emoji", EMOJI.repeat(201)],
        ["with a NUL", "a\0da"],
      ] as const
    ).map(([what, value]) => ({
      title: `profile.${field} ${what}`,
      changes: profile({ [field]: value }),
      fields: [`profile.${field}`],
    })),
  ),
  ...["firstName", "lastName"].map((field) => ({
    title: `profile.${field} of white space and marks alone`,
    changes: profile({ [field]: " \t\u3000\u200e" }),
    fields: [`profile.${field}`],
  })),
  ...["firstName", "lastName", "nickName", "displayName"].flatMap((field) =>
    (
      [
        ["with a line break", "A\nda"],
        ["with a bidirectional override", "A\u202eda"],
        ["of a Hangul filler", "\u3164"],
      ] as const
    ).map(([what, value]) => ({
      title: `profile.${field} ${what}`,
      changes: profile({ [field]: value }),
      fields: [`profile.${field}`],
    })),
  ),
  {
    title: "a language whose canonical form has 14 characters",
    changes: profile({ preferredLanguage: "en-GB-oed" }),
    fields: ["profile.preferredLanguage"],
  },
  ...["german", "x-klingon", "de_DE.UTF8", "d", "de-", "de DE", "de-Latn-DEU", "de\0"].map((preferredLanguage) => ({
    title: `the language ${JSON.stringify(preferredLanguage)}`,
    changes: profile({ preferredLanguage }),
    fields: ["profile.preferredLanguage"],
  })),
  {
    title: "a language that is well-formed but has 11 characters",
    changes: profile({ preferredLanguage: "de-x-123456" }),
    fields: ["profile.preferredLanguage"],
  },
  ...[4, -1, 2_147_483_647].map((gender) => ({
    title: `the unknown gender ${gender}`,
    changes: profile({ gender }),
    fields: ["profile.gender"],
  })),
  { title: "email left out", changes: { email: undefined }, fields: ["email"] },
  ...(
    [
      ["left out", undefined],
      ["empty", ""],
      ["without @", "ada.example.com"],
      ["with two @", "ada@ada@example.com"],
      ["with a name before it", "Ada <ada@example.com>"],
      ["with a space within it", "ada @example.com"],
      ["with a line break and a header", "ada@example.com\r\nBcc: ada@example.com"],
      ["of 255 characters", `${"x".repeat(64)}@${`${"x".repeat(62)}.`.repeat(2)}${"x".repeat(60)}.com`],
      ["with a NUL", "a\0da@example.com"],
    ] as const
  ).map(([what, address]) => ({
    title: `email.email ${what}`,
    changes: email({ email: address }),
    fields: ["email.email"],
  })),
  ...(
    [
      ["empty", ""],
      ["that is local", "079 123 45 67"],
      ["without a plus", "41791234567"],
      ["that is impossible", "+4179"],
      ["of no country", "+999 123 456 789"],
      ["with a context", "tel:+41-79-123-45-67;phone-context=+41"],
      ["with an extension in words", "+41 79 123 45 67 ext. 5"],
      ["of 51 characters", `+41${" ".repeat(39)}791234567`],
      ["with a NUL", "+41791234567\0"],
      ["with other text", "mobile: +41791234567"],
    ] as const
  ).map(([what, phone]) => ({ title: `a number ${what}`, changes: { phone: { phone } }, fields: ["phone.phone"] })),
  {
    title: "a verified phone without a number",
    changes: { phone: { isPhoneVerified: true } },
    fields: ["phone.phone"],
  },
  ...(
    [
      ["of 73 bytes", `${PASSWORD}${"x".repeat(73 - PASSWORD.length)}`, PASSWORD],
      ["of 73 bytes in 37 characters", `${"\u00e9".repeat(36)}x`, "\u00e9".repeat(36)],
      ["of 76 bytes in 19 characters", KEY.repeat(19), KEY.repeat(19)],
      ["with a NUL", `${PASSWORD}\0`, PASSWORD],
    ] as const
  ).map(([what, password, secret]) => ({
    title: `a password ${what}`,
    changes: { hashedPassword: undefined, password },
    fields: ["password"],
    secret,
  })),
  {
    title: "the algorithm of a hash without a value",
    changes: { hashedPassword: { algorithm: "bcrypt" } },
    fields: ["hashedPassword.value"],
  },
  ...["argon2", "2a", "bcrypt2", "-", "x".repeat(201)].map((algorithm) => ({
    title: `the algorithm "${algorithm.slice(0, 10)}" for a hash of bcrypt`,
    changes: { hashedPassword: { value: BCRYPT, algorithm } },
    fields: ["hashedPassword.algorithm"],
  })),
  ...(
    [
      ["that is no hash", "correct horse battery staple"],
      ["that is cut short", BCRYPT.slice(0, -1)],
      ["of white space alone", " \n"],
      ["with a NUL", `${BCRYPT}\0`],
      ["of a scheme that is not known", "$9$saltsaltsalt$hashhashhash"],
      ["of a scheme that is broken", BCRYPT.replace("2b", "2x")],
      ["of bcrypt with an absurd cost", BCRYPT.replace("$04$", "$31$")],
      ["of bcrypt with a cost just beyond the bound", BCRYPT.replace("$04$", "$17$")],
      [
        "of argon2 with an absurd amount of memory",
        "$argon2id$v=19$m=4294967295,t=1,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
      ],
      [
        "of PBKDF2 with absurdly many iterations",
        "$pbkdf2-sha256$4294967295$....MDEyMzQ1Njc4OWFiYw$NZfc2L7sE5ZosGynQSLWqB7J5NWdZJ6T/jlJu00Y07w",
      ],
      ["of SHA-crypt with absurdly many rounds", `$5$rounds=999999999$salt$${"a".repeat(42)}.`],
      ["of a thousand characters", `$2b$04$${"a".repeat(1_000)}`],
    ] as const
  ).map(([what, value]) => ({
    title: `a hash ${what}`,
    changes: hash(value),
    fields: ["hashedPassword.value"],
    ...(value.length > 30 && { secret: value }),
  })),
  {
    title: "a password and a hash at once",
    changes: { password: PASSWORD },
    fields: ["hashedPassword"],
    secret: PASSWORD,
  },
  {
    title: "a one-time code of 501 characters",
    changes: { otpCode: "z".repeat(501) },
    fields: ["otpCode"],
    secret: "z".repeat(501),
  },
  {
    title: "a one-time code of 501 emoji",
    changes: { otpCode: KEY.repeat(501) },
    fields: ["otpCode"],
    secret: KEY.repeat(501),
  },
  { title: "a one-time code with a NUL", changes: { otpCode: "12345678\0" }, fields: ["otpCode"] },
  ...["configId", "externalUserId"].flatMap((field) =>
    (
      [
        ["left out", undefined],
        ["empty", ""],
        ["of 201 emoji", EMOJI.repeat(201)],
        ["with a NUL", "a\0da"],
      ] as const
    ).map(([what, value]) => ({
      title: `idps.${field} ${what}`,
      changes: { idps: [link({}), link({ externalUserId: "other", [field]: value })] },
      fields: [`idps[1].${field}`],
    })),
  ),
  ...(
    [
      ["of 201 emoji", EMOJI.repeat(201)],
      ["with a NUL", "a\0da"],
      ["with a line break", "A\nda"],
    ] as const
  ).map(([what, displayName]) => ({
    title: `idps.displayName ${what}`,
    changes: { idps: [link({ displayName })] },
    fields: ["idps[0].displayName"],
  })),
  {
    title: "the same link twice, the id once in capitals",
    changes: {
      idps: [
        { configId: "0000000a-0000-7000-8000-00000000000b", externalUserId: "ada" },
        { configId: "0000000A-0000-7000-8000-00000000000B", externalUserId: "ada" },
      ],
    },
    fields: ["idps[1]"],
  },
  {
    title: "more links than fifty, before any of them is checked",
    changes: { idps: Array.from({ length: 51 }, () => ({})) },
    fields: ["idps"],
  },
  {
    title: "every field wrong at once, all of them named",
    changes: {
      userName: " ",
      profile: {
        firstName: "",
        lastName: "x".repeat(201),
        nickName: "x".repeat(201),
        displayName: "\0",
        preferredLanguage: "german",
        gender: 9,
      },
      email: { email: "ada" },
      phone: { phone: "079 123 45 67" },
      password: "\0",
      hashedPassword: { value: "", algorithm: "x".repeat(201) },
      otpCode: "x".repeat(501),
      idps: [{ configId: "", externalUserId: "", displayName: "\0" }],
    },
    fields: [
      "userName",
      "profile.firstName",
      "profile.lastName",
      "profile.nickName",
      "profile.displayName",
      "profile.preferredLanguage",
      "profile.gender",
      "email.email",
      "phone.phone",
      "password",
      "hashedPassword",
      "hashedPassword.value",
      "hashedPassword.algorithm",
      "otpCode",
      "idps[0].configId",
      "idps[0].externalUserId",
      "idps[0].displayName",
    ],
  },
];
