import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createBrowser } from "./browser.ts";
import type { Page, Person } from "./person.ts";
import type { TestService } from "./service.ts";
import { call } from "./visitor.ts";

/** How a provider behaves. */
export interface OtherProviderOptions {
  /** How it is hostile or broken; well-behaved by default. */
  readonly variant?: string;
  /** Changes of its metadata. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly clients: readonly { readonly client_id: string; readonly client_secret: string; redirect_uris: string[] }[];
  /** The claims about the user who signs in there. */
  readonly account: Account;
  /** Whether it shows a page with a button instead of signing the user in immediately. */
  readonly asks?: boolean;
  /** Whether the user declines the sign-in. */
  readonly declines?: boolean;
  /** Whether earlier codes and sessions stay valid after reconfiguration. */
  readonly keepsState?: boolean;
}

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
      const ended = new Promise((resolve) => child.once("exit", resolve));
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
  { fields = {}, orgId, ...options }: { fields?: object; orgId?: string } & Partial<OtherProviderOptions> = {},
): Promise<RegisteredIdp> {
  const name = `other-${++names}`;
  const issuer = `${providers.origin}/${name}`;
  const client = { client_id: `signet-${name}`, client_secret: service.secret(`client-secret-of-${name}`) };
  const request = { name, issuer, clientId: client.client_id, clientSecret: client.client_secret, ...fields };
  const { idpId } = await (orgId === undefined
    ? call(service, "AddOIDCIDP", request)
    : call(service, "AddOrgOIDCIDP", request, { "x-service-orgid": orgId }));
  const id = String(idpId);
  const redirect_uris = [`${service.config.publicUrl}/ui/idps/${id}/callback`];
  let current: OtherProviderOptions = { clients: [{ ...client, redirect_uris }], account: { sub: "nobody" } };
  const behave = async (changes: Partial<OtherProviderOptions>) => {
    current = { ...current, ...changes };
    await providers.configure(name, current);
  };
  await behave(options);
  return { id, name, issuer, behave };
}

/** Presses a provider's button on the sign-in page, which redirects the browser to the provider. */
export function chooseIdp(person: Person, page: Page, idp: Pick<RegisteredIdp, "id">, fields = {}): Promise<Page> {
  const [, action] = new RegExp(`value="${idp.id}" formaction="([^"]*)"`).exec(page.text) ?? [];
  if (action === undefined) throw new Error("the page does not offer the provider");
  const text = page.text.replace(/<form [^>]*action="[^"]*"/, `<form action="${action}"`);
  return person.submit({ ...page, text }, { idp: idp.id, ...fields });
}

/** Signs in at the provider, and returns the address of the callback. */
export async function passProvider(page: Page): Promise<URL> {
  const browser = createBrowser(page.url.origin, page.url.origin);
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
