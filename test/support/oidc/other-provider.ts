import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createBrowser } from "../browsers/browser.ts";
import type { Page, Person } from "../browsers/person.ts";
import { call } from "../browsers/visitor.ts";
import type { TestService } from "../servers/service.ts";

/** How a provider behaves. */
export interface OtherProviderOptions {
  /** How it is hostile or broken; well-behaved by default. */
  readonly variant?: string;
  /** Changes of its metadata. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly clients: readonly OtherClient[];
  /** The claims about the user who signs in there. */
  readonly account: Account;
  /** Whether it shows a page with a button instead of signing the user in immediately. */
  readonly asks?: boolean;
  /** Whether the user declines the sign-in. */
  readonly declines?: boolean;
  /** The id of its only signing key. */
  readonly kid?: string;
  /** How far the clock for `auth_time` is ahead, in seconds. */
  readonly secondsAhead?: number;
  /** Whether earlier codes and sessions stay valid after reconfiguration. */
  readonly keepsState?: boolean;
}

/** Metadata of a client at the provider. */
type OtherClient = {
  readonly client_id: string;
  readonly client_secret: string;
  readonly redirect_uris: string[];
  readonly token_endpoint_auth_method?: "client_secret_basic" | "client_secret_post";
  readonly post_logout_redirect_uris?: string[];
};

export interface Account {
  readonly sub: string;
  readonly [claim: string]: unknown;
}

/** The process with third-party providers. */
export interface OtherProviders {
  readonly origin: string;
  configure(name: string, options: OtherProviderOptions): Promise<void>;
  close(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL("./other-provider-process.ts", import.meta.url));

export async function startOtherProviders(): Promise<OtherProviders> {
  const child = spawn(process.execPath, [PROGRAM], { stdio: ["ignore", "pipe", "ignore"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const origin = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    child.once("exit", () => reject(new Error("the other provider has ended")));
  });
  return {
    origin,
    async configure(name, options) {
      const response = await fetch(`${origin}/${name}`, { method: "POST", body: JSON.stringify(options) });
      if (!response.ok) throw new Error(`the other provider answered ${response.status}`);
    },
    async close() {
      child.kill();
      await ended;
    },
  };
}

/** A provider that is registered at the service. */
export interface RegisteredIdp {
  readonly id: string;
  readonly name: string;
  readonly issuer: string;
  /** Reconfigures the provider. */
  behave(options: Partial<OtherProviderOptions>): Promise<void>;
}

let names = 0;

/** Adds a provider to the instance, or to an organization, and configures it. */
export async function registerIdp(
  service: TestService,
  providers: OtherProviders,
  {
    fields = {},
    orgId,
    client: metadata = {},
    ...options
  }: { fields?: object; orgId?: string; client?: Partial<OtherClient> } & Partial<OtherProviderOptions> = {},
): Promise<RegisteredIdp> {
  // The page offers 50 providers by name: the newest must be among them.
  const name = `other-${9_999 - ++names}`;
  const issuer = `${providers.origin}/${name}`;
  const client = {
    client_id: `signet-${name}`,
    client_secret: service.secret(`client-secret-of-${name}`),
    ...metadata,
  };
  const request = { name, issuer, clientId: client.client_id, clientSecret: client.client_secret, ...fields };
  const { idpId } = await (orgId === undefined
    ? call(service, "AddOIDCIDP", request)
    : call(service, "AddOrgOIDCIDP", request, { "x-service-orgid": orgId }));
  const id = String(idpId);
  const pages = `${service.config.publicUrl}/ui/idps/${id}`;
  const uris = { redirect_uris: [`${pages}/callback`], post_logout_redirect_uris: [`${pages}/signed-out`] };
  let current: OtherProviderOptions = { clients: [{ ...client, ...uris }], account: { sub: "nobody" } };
  const behave = async (changes: Partial<OtherProviderOptions>) => {
    current = { ...current, ...changes };
    await providers.configure(name, current);
  };
  await behave(options);
  return { id, name: request.name, issuer, behave };
}

/** Presses a provider's button on the sign-in page, which redirects the browser to the provider. */
export function chooseIdp(person: Person, page: Page, idp: Pick<RegisteredIdp, "id">, fields = {}): Promise<Page> {
  const [, action] = new RegExp(`value="${idp.id}" formaction="([^"]*)"`).exec(page.text) ?? [];
  if (action === undefined) throw new Error("the page does not offer the provider");
  const text = page.text.replace(/<form [^>]*action="[^"]*"/, `<form action="${action}"`);
  return person.submit({ ...page, text }, { idp: idp.id, ...fields });
}

/**
 * Signs in at the provider, and returns the address of the callback.
 *
 * @param browser Keeps the provider's cookies; by default a new one.
 */
export async function passProvider(
  page: Page,
  browser = createBrowser(page.url.origin, page.url.origin),
): Promise<URL> {
  let url = page.url;
  for (let steps = 0; steps < 10; steps++) {
    const response = await browser.open(url.href);
    if (response.location === "") throw new Error(`the provider answered ${response.status}: ${response.text}`);
    url = new URL(response.location, url);
    if (url.origin !== page.url.origin) return url;
  }
  throw new Error("the provider redirects in a circle");
}

/** Chooses the provider on the sign-in page, signs in there, and follows the redirect back. */
export async function signInAtIdp(
  person: Person,
  page: Page,
  idp: Pick<RegisteredIdp, "id">,
  fields = {},
): Promise<Page> {
  return person.open(await passProvider(await chooseIdp(person, page, idp, fields)));
}
