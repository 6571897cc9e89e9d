import { createCipheriv, scryptSync } from "node:crypto";
import { hashSync } from "bcryptjs";
import keycloakExport from "./fixtures/keycloak/export-users-0.json" with { type: "json" };
import { PASSWORD as KEYCLOAK_PASSWORD } from "./fixtures/keycloak/users.ts";

/** The password of the users below, and a hash of it. */
export const PASSWORD = "correct horse";
const HASH = hashSync(PASSWORD, 4);

/** What the commands of a page in docs/moving need, and what they do. */
export interface MovingPage {
  /** Variables of the commands. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Files by path: those that the commands which cannot run here would write, or that a person saves. */
  readonly files?: Readonly<Record<string, string>>;
  /** Statements for the database that the page reads with psql, at the variable of this name. */
  readonly database?: { readonly variable: string; readonly statements: string };
  /** Responses of the earlier system by path and query. */
  readonly responses?: Readonly<Record<string, { readonly body: unknown; readonly link?: string }>>;
  /** A text in each block of commands that cannot run here, and the reason. */
  readonly skipped?: Readonly<Record<string, string>>;
  /** Users who arrive, and their old password; undefined for those of systems that give none. */
  readonly users: Readonly<Record<string, string | undefined>>;
}

const lines = (...records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join("");
const csv = (...rows: readonly Record<string, string>[]) =>
  [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))].map((row) => `${row.join(",")}\n`).join("");

const KEYCLOAK_USERS = ["argon2", "linked"];
const KRATOS = "/admin/identities";
const KRATOS_QUERY = ["password", "oidc", "saml", "totp", "lookup_secret", "webauthn", "passkey"]
  .map((type) => `&include_credential=${type}`)
  .join("");

function toKratosIdentity(n: number) {
  const email = `kratos${n}@example.com`;
  return {
    id: `7b8f1f2e-0000-4000-8000-00000000000${n}`,
    state: "active",
    traits: { contact: { mail: email }, tier: "gold", name: { first: "Ada", last: "Lovelace" } },
    verifiable_addresses: [{ value: email, verified: true, via: "email" }],
    credentials: {
      password: { type: "password", config: { hashed_password: HASH } },
      oidc: { type: "oidc", config: { providers: [{ provider: "google", subject: `kratos-${n}` }] } },
    },
  };
}

function toWorkOsUser(n: number) {
  const names = { first_name: "Ada", last_name: "Lovelace" };
  return { object: "user", id: `user_0${n}`, email: `workos${n}@example.com`, email_verified: true, ...names };
}

function toFusionAuthUser(n: number) {
  const id = `00000000-0000-0001-0000-00000000000${n}`;
  return { id, active: true, email: `fusionauth${n}@example.com`, verified: true, ...NAMES };
}

const OKTA = "https://example.okta.com/api/v1/users";

function toOktaUser(n: number) {
  const profile = { login: `okta${n}@example.com`, email: `okta${n}@example.com`, ...NAMES };
  const emails = [{ value: profile.email, status: "VERIFIED", type: "PRIMARY" }];
  return {
    id: `00u${n}`,
    status: "ACTIVE",
    profile,
    credentials: { emails, provider: { type: "OKTA", name: "OKTA" } },
  };
}

const SIGNER_KEY = Buffer.alloc(64, "signer key").toString("base64");

/** github.com/firebase/scrypt, with the parameters of most projects. */
function hashForFirebase(salt: Buffer): string {
  const key = scryptSync(PASSWORD, Buffer.concat([salt, Buffer.from("Bw==", "base64")]), 32, {
    N: 2 ** 14,
    r: 8,
    p: 1,
  });
  return createCipheriv("aes-256-ctr", key, Buffer.alloc(16))
    .update(Buffer.from(SIGNER_KEY, "base64"))
    .toString("base64");
}

const NAMES = { firstName: "Ada", lastName: "Lovelace" };
const SALT = Buffer.from("0123456789");

/** All pages in docs/moving, by name. */
export const PAGES: Readonly<Record<string, MovingPage>> = {
  auth0: {
    files: {
      "users.ndjson": lines({
        ...{ user_id: "auth0|60425dc43519d90068f82973", email: "katherine@example.com", email_verified: true },
        ...{ name: "Katherine Johnson", nickname: "katherine" },
        identities: [
          { provider: "auth0", user_id: "60425dc43519d90068f82973", connection: "Username-Password-Authentication" },
          { provider: "google-oauth2", user_id: "auth0-1", connection: "google-oauth2" },
        ],
      }),
      "hashes.ndjson": lines({
        _id: { $oid: "60425dc43519d90068f82973" },
        email: "katherine@example.com",
        passwordHash: HASH,
      }),
    },
    users: { "katherine@example.com": PASSWORD },
  },
  "better-auth": {
    database: {
      variable: "DATABASE_URL",
      statements: `
        create table "user" (id text, name text, email text, "emailVerified" boolean, image text, plan text);
        create table account (id text, "accountId" text, "providerId" text, "userId" text, password text);
        create table "twoFactor" (id text, secret text, "backupCodes" text, "userId" text);
        create table passkey (id text, name text, "publicKey" text, "userId" text, "credentialID" text, counter integer,
          "deviceType" text, "backedUp" boolean);
        insert into "user" values ('b1', 'Ada Lovelace', 'better-auth@example.com', true, null, 'pro');
        insert into account values ('a1', 'b1', 'credential', 'b1', '${HASH}'), ('a2', 'better-auth-1', 'google', 'b1', null)`,
    },
    files: {
      "user.csv": csv({ id: "b2", name: "Ada Lovelace", email: "b2@example.com", email_verified: "t" }),
      "account.csv": csv({ id: "a3", account_id: "b2", provider_id: "credential", user_id: "b2", password: HASH }),
      "passkey.csv": csv({
        id: "p1",
        name: "Phone",
        public_key: "pQEC",
        user_id: "b2",
        credential_id: "AQID",
        counter: "0",
      }),
    },
    users: { "better-auth@example.com": PASSWORD },
  },
  clerk: {
    files: {
      "users.csv": csv({
        ...{ id: "user_2YDryYFVMM1W1plDDKz7Gzf4we6", first_name: "Ada", last_name: "Lovelace", username: "" },
        ...{ primary_email_address: "clerk@example.com", primary_phone_number: "" },
        ...{ verified_email_addresses: "clerk@example.com", unverified_email_addresses: "" },
        ...{ totp_secret: "", password_digest: HASH, password_hasher: "bcrypt" },
      }),
    },
    users: { "clerk@example.com": PASSWORD },
  },
  cognito: {
    skipped: { "aws cognito-idp list-users": "requires an account at AWS" },
    files: {
      "users.json": JSON.stringify({
        Users: [
          {
            Username: "1c7e2c4c-0000-4000-8000-000000000001",
            Attributes: [
              ["sub", "1c7e2c4c-0000-4000-8000-000000000001"],
              ["email", "cognito@example.com"],
              ["email_verified", "true"],
              ["given_name", "Ada"],
              ["family_name", "Lovelace"],
              ["identities", JSON.stringify([{ providerName: "Google", userId: "cognito-1", primary: "false" }])],
            ].map(([Name, Value]) => ({ Name, Value })),
            Enabled: true,
            UserStatus: "CONFIRMED",
          },
        ],
      }),
    },
    users: { "cognito@example.com": undefined },
  },
  csv: {
    database: {
      variable: "DATABASE_URL",
      statements: `
        create table users (id integer, email text, email_verified boolean, first_name text, last_name text,
          password_hash text, plan text, google_id text);
        insert into users values (17, 'csv@example.com', true, 'Ada', 'Lovelace', '${HASH}', 'pro', 'csv-1')`,
    },
    users: { "csv@example.com": PASSWORD },
  },
  entra: {
    skipped: { "graph.microsoft.com": "requires a tenant at Microsoft" },
    files: {
      "users.json": JSON.stringify({
        "@odata.context": "https://graph.microsoft.com/v1.0/$metadata#users",
        value: [
          {
            ...{
              id: "87d349ed-44d7-43e1-9a83-5f2406dee5bd",
              accountEnabled: true,
              givenName: "Ada",
              surname: "Lovelace",
            },
            ...{ mail: "entra@example.com", userPrincipalName: "entra@example.com" },
          },
        ],
      }),
    },
    users: { "entra@example.com": undefined },
  },
  firebase: {
    skipped: { "firebase auth:export": "requires a project at Firebase" },
    variables: { SIGNER_KEY },
    files: {
      "users.json": JSON.stringify({
        users: [
          {
            ...{ localId: "uid1", email: "you@example.com", emailVerified: true, displayName: "Ada Lovelace" },
            ...{ passwordHash: hashForFirebase(SALT), salt: SALT.toString("base64") },
            providerUserInfo: [{ providerId: "google.com", rawId: "firebase-1", email: "you@example.com" }],
          },
        ],
      }),
    },
    users: { "you@example.com": PASSWORD },
  },
  fusionauth: {
    variables: { FUSIONAUTH_API_KEY: "x" },
    responses: {
      "/api/user/search?queryString=*&numberOfResults=1000": {
        body: { total: 2, nextResults: "bmV4dA", users: [toFusionAuthUser(1)] },
      },
      "/api/user/search?queryString=*&numberOfResults=1000&nextResults=bmV4dA": {
        body: { total: 2, users: [toFusionAuthUser(2)] },
      },
    },
    database: {
      variable: "FUSIONAUTH_DATABASE_URL",
      statements: `
        create table users (id uuid, password text, password_encryption_scheme text, password_factor integer,
          password_salt text);
        create table identity_providers (id uuid, name text);
        create table identity_provider_links (users_id uuid, identity_providers_id uuid, identity_providers_user_id text);
        insert into users values ('${toFusionAuthUser(1).id}', '${HASH.slice(29)}', 'bcrypt', 4, '${HASH.slice(7, 29)}'),
          ('${toFusionAuthUser(2).id}', '${HASH.slice(29)}', 'bcrypt', 4, '${HASH.slice(7, 29)}');
        insert into identity_providers values ('82339786-3dff-42a6-aac6-1f1ceecb6c46', 'Google');
        insert into identity_provider_links values ('${toFusionAuthUser(1).id}', '82339786-3dff-42a6-aac6-1f1ceecb6c46',
          'fusionauth-1')`,
    },
    users: { "fusionauth1@example.com": PASSWORD, "fusionauth2@example.com": PASSWORD },
  },
  keycloak: {
    skipped: {
      "kc.sh export": "requires a server of Keycloak: test/moving/fixtures/keycloak/make-export.sh runs the command",
    },
    variables: { REALM: "example" },
    files: {
      "export/example-users-0.json": JSON.stringify({
        realm: "example",
        users: keycloakExport.users.filter(({ username }) => KEYCLOAK_USERS.includes(username)),
      }),
    },
    users: { argon2: `${KEYCLOAK_PASSWORD}argon2` },
  },
  kratos: {
    responses: {
      [`${KRATOS}?page_size=250${KRATOS_QUERY}`]: {
        body: [toKratosIdentity(1)],
        link: `<${KRATOS}?page_size=250&page_token=first>; rel="first",<${KRATOS}?page_size=250&page_token=second>; rel="next"`,
      },
      [`${KRATOS}?page_size=250&page_token=second`]: {
        body: [toKratosIdentity(2)],
        link: `<${KRATOS}?page_size=250&page_token=first>; rel="first"`,
      },
    },
    users: { "kratos1@example.com": PASSWORD, "kratos2@example.com": PASSWORD },
  },
  ldif: {
    skipped: { slapcat: "requires a directory" },
    files: {
      "users.ldif": `dn: uid=ldif,dc=example,dc=com
objectClass: inetOrgPerson
uid: ldif
givenName: Ada
sn: Lovelace
mail: ldif@example.com
userPassword:: ${Buffer.from(`{CRYPT}${HASH}`).toString("base64")}
`,
    },
    users: { ldif: undefined },
  },
  logto: {
    database: {
      variable: "LOGTO_DATABASE_URL",
      statements: `
        create table users (tenant_id text, id text, username text, primary_email text, password_encrypted text,
          password_encryption_method text, name text, profile jsonb, identities jsonb, is_suspended boolean);
        create table user_sso_identities (tenant_id text, user_id text, issuer text, identity_id text);
        insert into users values ('default', 'ooc5u9xvhl1k', null, 'logto@example.com', '${HASH}', 'Bcrypt', 'Ada Lovelace',
          '{}', '{"google":{"userId":"logto-1"}}', false), ('admin', 'x', 'admin', null, null, null, null, '{}', '{}', false)`,
    },
    users: { "logto@example.com": PASSWORD },
  },
  okta: {
    variables: { OKTA_TOKEN: "x" },
    responses: {
      "/api/v1/users?limit=200": {
        body: [toOktaUser(1)],
        link: `<${OKTA}?limit=200>; rel="self", <${OKTA}?limit=200&after=2>; rel="next"`,
      },
      "/api/v1/users?limit=200&after=2": { body: [toOktaUser(2)] },
    },
    users: { "okta1@example.com": undefined, "okta2@example.com": undefined },
  },
  "password-hook": {
    skipped: {
      "examples/password-hook-cognito": "requires an account of AWS; test/password-hook/examples.wire runs the adapter",
      "examples/password-hook-auth0": "requires an account of Auth0; test/password-hook/examples.wire runs the adapter",
    },
    users: {},
  },
  supabase: {
    database: {
      variable: "SUPABASE_DATABASE_URL",
      statements: `
        create schema auth;
        create table auth.users (id uuid, email text, email_confirmed_at timestamptz, encrypted_password text,
          raw_user_meta_data jsonb, raw_app_meta_data jsonb, deleted_at timestamptz, banned_until timestamptz);
        create table auth.identities (id uuid, user_id uuid, provider text, provider_id text, identity_data jsonb);
        create table auth.mfa_factors (id uuid, user_id uuid, factor_type text, status text, secret text);
        create table auth.webauthn_credentials (id uuid, user_id uuid, credential_id bytea, public_key bytea,
          sign_count bigint, friendly_name text, backup_eligible boolean);
        insert into auth.users values ('6f2b1f0e-5f6a-4a55-8f5e-4b6b5b0f7a01', 'supabase@example.com', now(), '${HASH}',
          '{"full_name":"Ada Lovelace"}', '{"provider":"email"}', null, null);
        insert into auth.identities values (gen_random_uuid(), '6f2b1f0e-5f6a-4a55-8f5e-4b6b5b0f7a01', 'google',
          'supabase-1', '{}')`,
    },
    users: { "supabase@example.com": PASSWORD },
  },
  workos: {
    responses: {
      "/user_management/users?limit=100": {
        body: { object: "list", data: [toWorkOsUser(1)], list_metadata: { before: null, after: "user_01" } },
      },
      "/user_management/users?limit=100&after=user_01": {
        body: { object: "list", data: [toWorkOsUser(2)], list_metadata: { before: "user_02", after: null } },
      },
    },
    users: { "workos1@example.com": undefined, "workos2@example.com": undefined },
  },
  zitadel: {
    responses: {
      "/admin/v1/export": {
        body: {
          orgs: [
            {
              orgId: "104",
              org: { name: "Acme Inc." },
              humanUsers: [
                {
                  userId: "105",
                  user: {
                    ...{ userName: "ada", profile: NAMES, hashedPassword: { value: HASH } },
                    email: { email: "zitadel@example.com", isEmailVerified: true },
                  },
                },
              ],
              userLinks: [{ userId: "105", idpId: "302", providedUserId: "42", providedUserName: "ada" }],
            },
          ],
        },
      },
    },
    users: { ada: PASSWORD },
  },
};
