import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import type { TestService } from "../servers/service.ts";
import type { TestAuthenticator } from "./passkey-authenticator.ts";
import type { Page, Person } from "./person.ts";

/** The page's origin and the relying party id of a service. */
export function siteOf({ config }: TestService) {
  return { origin: new URL(config.publicUrl).origin, rpId: config.webauthnRpId };
}

/** Stores a passkey like a registration. */
export async function storePasskey(
  service: TestService,
  userId: string,
  { credentialId, publicKey }: TestAuthenticator,
  changes: {
    counter?: bigint;
    device_type?: "singleDevice" | "multiDevice";
    backed_up?: boolean;
    org_id?: string;
  } = {},
): Promise<void> {
  await service.db
    .insertInto("passkeys")
    .values({
      org_id: service.orgId,
      id: credentialId,
      user_id: userId,
      public_key: publicKey,
      counter: 0n,
      transports: ["internal"],
      aaguid: "00000000-0000-0000-0000-000000000000",
      device_type: "singleDevice",
      backed_up: false,
      created_at: new Date(),
      ...changes,
    })
    .execute();
}

/** The user handle of a passkey: the user's id in base64url. */
export function toUserHandle(userId: string): string {
  return Buffer.from(userId.replaceAll("-", ""), "hex").toString("base64url");
}

/** What the sign-in page requests from the browser. */
export function requestOptionsOf({ text }: Page): {
  challenge: string;
  rpId: string;
  userVerification: string;
  allowCredentials: { id: string; type: string; transports: string[] }[];
} {
  const options = /data-options="([^"]*)"/.exec(text)?.[1] ?? "";
  return JSON.parse(options.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&"));
}

/** Submits the response of a passkey like the page's script. */
export function submitPasskey(
  person: Person,
  page: Page,
  response: AuthenticationResponseJSON | string,
  fields: Record<string, string> = {},
): Promise<Page> {
  const text = page.text.slice(page.text.indexOf('<form id="passkey"'));
  const json = typeof response === "string" ? response : JSON.stringify(response);
  return person.submit({ ...page, text }, { response: json, ...fields });
}
