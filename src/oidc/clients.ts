import type { Adapter, Client } from "oidc-provider";
import { findApp, type OidcApp } from "../apps/find-app.ts";
import type { Database } from "../database/database.ts";
import type { PublicJwk } from "../fields/key-set.ts";
import { ACCOUNT_APP } from "../web/frame/account-app.ts";
import { accountPageMetadata } from "./account-page.ts";
import { toClientMetadata } from "./client-metadata.ts";
import { orUnavailable } from "./unavailable.ts";

interface ClientParts {
  readonly db: Database;
  readonly issuer: string;
  /** Finds the keys of an application with the method `private_key_jwt`. */
  readonly findKeys: (app: OidcApp) => Promise<readonly PublicJwk[]>;
}

/** Finds the provider's clients among the applications. No row is cached, so changes take effect immediately. */
export function createClientAdapter({ db, issuer, findKeys }: ClientParts): Adapter {
  return {
    async find(id) {
      if (id === ACCOUNT_APP.id) return accountPageMetadata(issuer);
      const app = await orUnavailable(() => findApp(db, id));
      if (app === undefined) return undefined;
      return toClientMetadata(app, app.authMethod === "private_key_jwt" ? await findKeys(app) : undefined);
    },
    findByUid: unsupported,
    findByUserCode: unsupported,
    upsert: unsupported,
    consume: unsupported,
    destroy: unsupported,
    revokeByGrantId: unsupported,
  };
}

async function unsupported(): Promise<never> {
  throw new Error("the provider does not change applications");
}

/**
 * Whether pages of an origin may call the provider on behalf of the application: the origins of its redirect URIs, and
 * its additional ones. Not `null`, which is the origin of `com.example.app:/callback`, but also that of every sandboxed
 * page.
 */
export function isOriginOf(client: Client, origin: string): boolean {
  if (origin === "null") return false;
  const additional = client.signet_additional_origins as readonly string[];
  return additional.includes(origin) || (client.redirectUris ?? []).some((uri) => URL.parse(uri)?.origin === origin);
}

/** The organization whose users may sign in to the application; null if it belongs to the instance. */
export function orgIdOf(client: Client): string | null {
  return client.signet_org_id as string | null;
}
