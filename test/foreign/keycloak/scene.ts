import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium, type Page } from "playwright-core";

/** The longest time of an action or a notification, in milliseconds. */
const LONGEST_MS = 120_000;

export const PASSWORD = "analytical engine no. 1";

interface KeycloakUser {
  readonly id: string;
  readonly emailVerified: boolean;
}

/** Opens a browser, and reads the addresses of Signet and Keycloak from the variables that `run.sh` exports. */
export async function openScene() {
  const signetUrl = variable("SIGNET_ORIGIN");
  const keycloakUrl = variable("KEYCLOAK_URL");
  const realm = variable("REALM");
  const token = readFileSync(join(variable("DATA_DIR"), "admin.token"), "utf8").trim();
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
    timeout: LONGEST_MS,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  browser.on("context", (context) => context.setDefaultTimeout(LONGEST_MS));

  /** Calls Signet over REST. */
  async function callSignet<Response>(path: string, body: object, method = "POST"): Promise<Response> {
    return readJson(
      await fetch(signetUrl + path, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    );
  }

  /** Calls Keycloak's Admin REST API for the realm. */
  async function callKeycloak<Response>(path: string, body?: object, method = "POST"): Promise<Response> {
    const fields = { grant_type: "password", client_id: "admin-cli", username: "admin", password: "admin" };
    const { access_token } = await readJson<{ access_token: string }>(
      await fetch(`${keycloakUrl}/realms/master/protocol/openid-connect/token`, {
        method: "POST",
        body: new URLSearchParams(fields),
      }),
    );
    return readJson(
      await fetch(`${keycloakUrl}/admin/realms/${realm}/${path}`, {
        headers: { authorization: `Bearer ${access_token}`, "content-type": "application/json" },
        ...(body !== undefined && { method, body: JSON.stringify(body) }),
      }),
    );
  }

  return {
    ...{ keycloakUrl, callSignet, callKeycloak },
    accountUrl: `${signetUrl}/ui/account`,
    realmUrl: `${keycloakUrl}/realms/${realm}`,
    consoleUrl: `${keycloakUrl}/realms/${realm}/account`,

    async findKeycloakUser(userName: string): Promise<KeycloakUser | undefined> {
      const query = new URLSearchParams({ username: userName, exact: "true" });
      return (await callKeycloak<KeycloakUser[]>(`users?${query}`))[0];
    },

    countSessions: async (userId: string) => (await callKeycloak<unknown[]>(`users/${userId}/sessions`)).length,

    /** A page of a new browser profile. */
    newPage: async (): Promise<Page> => (await browser.newContext()).newPage(),

    close: () => browser.close(),
  };
}

/** Waits until a check succeeds. */
export async function waitUntil(title: string, check: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LONGEST_MS;
  while (!(await check())) {
    if (performance.now() > deadline) throw new Error(`after ${LONGEST_MS} ms, this is still not so: ${title}`);
    await sleep(100);
  }
}

async function readJson<Response>(response: globalThis.Response): Promise<Response> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${text}`);
  return (text === "" ? undefined : JSON.parse(text)) as Response;
}

function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is required`);
  return value;
}
