import type { Clock } from "../../../src/clock.ts";
import { type Browser, type BrowserResponse, createBrowser } from "./browser.ts";
import { headingOf } from "./heading-of.ts";

/** A user with a browser that follows the service's redirects and submits forms. */
export interface Person {
  readonly browser: Browser;
  /** Opens an address, and follows redirects until a page, or an address of an application. */
  open(url: URL | string): Promise<Page>;
  /** Submits the form of a page with its hidden fields, and follows redirects. */
  submit(page: Page, fields: Record<string, string>): Promise<Page>;
  /** Posts a form with these fields, and follows redirects. */
  post(url: URL | string, fields: Record<string, string>): Promise<Page>;
}

export interface Page extends BrowserResponse {
  readonly title: string;
  /** The alert of the page; empty if there is none. */
  readonly alert: string;
  /** The URL of the page, or of the application to which the browser was redirected. */
  readonly url: URL;
}

/** The parts of a service that a person uses. */
export interface PersonService {
  readonly origin: string;
  readonly config: { readonly publicUrl: string };
  /** Of the browser's cookies, by default the clock of this process. */
  readonly clock?: Clock;
  /** Every response is added to it. */
  readonly responses: string[];
}

let persons = 0;

/** @param address The person's IP address. The service must trust 127.0.0.1 as a proxy. */
export function createPerson(
  service: PersonService,
  address = `10.1.${++persons >> 8}.${persons & 255}`,
  headers: Record<string, string> = {},
): Person {
  const { publicUrl } = service.config;
  const browser = createBrowser(service.origin, publicUrl, service.clock);
  const common = { "x-forwarded-for": address, ...headers };

  async function open(url: URL | string, init: RequestInit = {}): Promise<Page> {
    const target = new URL(url, publicUrl);
    const response = await browser.open(String(target), { ...init, headers: { ...common, ...init.headers } });
    if (response.location === "") {
      // The form of a link contains its code.
      service.responses.push(response.text.replaceAll(/(name="code" value|data-code)="[^"]*"/g, ""));
      return toPage(response, target);
    }
    const next = new URL(response.location, target);
    return next.origin === new URL(publicUrl).origin ? open(next) : toPage(response, next);
  }

  const post = (url: URL | string, fields: Record<string, string>) =>
    open(url, { method: "POST", headers: { origin: "null" }, body: new URLSearchParams(fields) });

  return {
    browser,
    open: (url) => open(url),
    post,
    submit(page, fields) {
      const action = unescapeHtml(/<form [^>]*action="([^"]*)"/.exec(page.text)?.[1] ?? "");
      const hidden = [...page.text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
      const ofPage = Object.fromEntries(hidden.map(([, name = "", value = ""]) => [name, unescapeHtml(value)]));
      return post(new URL(action, page.url), { ...ofPage, ...fields });
    },
  };
}

function toPage(response: BrowserResponse, url: URL): Page {
  return {
    ...response,
    url,
    title: headingOf(response.text),
    alert: unescapeHtml(/role="alert">(.*?)</.exec(response.text)?.[1] ?? ""),
  };
}

function unescapeHtml(text: string): string {
  return text.replaceAll("&amp;", "&").replaceAll("&#39;", "'").replaceAll("&quot;", '"');
}
