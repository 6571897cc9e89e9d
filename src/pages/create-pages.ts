import type { Kysely } from "kysely";
import type { Clock } from "../call.ts";
import type { Config } from "../config.ts";
import type { Keyring } from "../crypto/keyring.ts";
import type { Passwords } from "../crypto/passwords.ts";
import type { Tables } from "../database/tables.ts";
import type { Outbox } from "../messages/outbox.ts";
import type { ServePage } from "./page.ts";

/** What the pages need around them. */
export interface PagesContext {
  readonly config: Config;
  readonly db: Kysely<Tables>;
  readonly keyring: Keyring;
  readonly passwords: Passwords;
  readonly outbox: Outbox;
  readonly clock: Clock;
}

/** The pages on which people finish what an operation began. */
export function createPages(_context: PagesContext): ServePage {
  return async () => ({ status: 404, headers: { "content-type": "text/plain; charset=utf-8" }, body: "not found\n" });
}
