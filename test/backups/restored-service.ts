import { readFileSync } from "node:fs";
import { createKeyring } from "../../src/crypto/keyring.ts";
import { connect } from "../../src/database/connection.ts";
import { IDP_SEALED } from "../../src/idps/insert-idp.ts";
import { createPerson } from "../support/browsers/person.ts";
import { IMPORT_PATH, send } from "../support/clients/send.ts";
import type { Processes, TestServer } from "../support/servers/process.ts";

export const PUBLIC_URL = "http://localhost:8080";
const PASSWORD = "analytical engine no. 1";
const CLIENT_SECRET = "client-secret-of-the-provider";

/** A service in a separate process, with the data that is checked after a restore. */
export interface Tried {
  readonly server: TestServer;
  readonly token: string;
  readonly idpId: string;
  importUser(userName: string, isEmailVerified?: boolean): Promise<string>;
}

type Variables = Readonly<Record<string, string>>;

/** The environment of a service on PostgreSQL. */
export function onPostgres(url: string, masterKey: Buffer, dataDir: string): Record<string, string> {
  return { DATABASE_URL: url, MASTER_KEY: masterKey.toString("base64"), PUBLIC_URL, DATA_DIR: dataDir };
}

/** Starts a new service, with a user, a token and an identity provider. */
export async function startTried(processes: Processes, variables: Variables): Promise<Tried> {
  const server = await processes.serve({ PUBLIC_URL, ...variables });
  const token = readFileSync(`${variables.DATA_DIR}/admin.token`, "utf8").trim();
  const call = async (path: string, body: object) => {
    const response = await send(server.origin, "POST", path, { token, body });
    if (response.status !== 200) throw new Error(`${path} returned ${response.status}`);
    return response.body;
  };
  const provider = { name: "Corp", clientId: "signet", clientSecret: CLIENT_SECRET, issuer: "https://idp.example.com" };
  const { idpId } = await call("/admin/v1/idps/oidc", provider);
  const importUser = async (userName: string, isEmailVerified = true): Promise<string> => {
    const profile = { firstName: "Ada", lastName: "Lovelace" };
    const email = { email: `${userName}@example.com`, isEmailVerified };
    return (await call(IMPORT_PATH, { userName, profile, email, password: PASSWORD })).userId;
  };
  await importUser("ada");
  return { server, token, idpId, importUser };
}

/** Throws unless a user signs in with a password, and an earlier token is accepted. */
export async function checkService(
  processes: Processes,
  variables: Variables,
  tried: Tried,
  users: readonly string[],
): Promise<void> {
  const server = await processes.serve({ PUBLIC_URL, PASSKEY_OFFER: "never", ...variables });
  try {
    for (const username of users) {
      const person = createPerson({ origin: server.origin, config: { publicUrl: PUBLIC_URL }, responses: [] });
      const page = await person.submit(await person.open("/ui/account"), { username, password: PASSWORD });
      if (page.title !== "Your account") throw new Error(`${username} cannot sign in: ${page.title} ${page.alert}`);
    }
    const { status } = await send(server.origin, "GET", "/management/v1/orgs/me", { token: tried.token });
    if (status !== 200) throw new Error(`the token returned ${status}`);
  } finally {
    await server.stop();
  }
}

/** Throws unless the key decrypts the provider's secret. */
export async function checkSecret(url: string, masterKey: Buffer, { idpId }: Tried): Promise<void> {
  const db = connect({ url }, 1, () => {});
  const row = await db.selectFrom("idps").selectAll().where("id", "=", idpId).executeTakeFirstOrThrow();
  await db.destroy();
  const sealed = { keyId: row.client_secret_key, ciphertext: row.client_secret };
  const secret = createKeyring([masterKey]).open({ table: "idps", column: IDP_SEALED.column, rowId: row.id }, sealed);
  if (secret !== CLIENT_SECRET) throw new Error("the secret of the provider is another one");
}

/** Throws unless the start fails with one line that matches. */
export async function checkRefusal(processes: Processes, variables: Variables, line: RegExp): Promise<void> {
  const { code, stderr } = await processes.run(["serve"], { PUBLIC_URL, ...variables });
  if (code !== 1 || !line.test(stderr)) throw new Error(`the start ended with ${code}: ${stderr}`);
}
