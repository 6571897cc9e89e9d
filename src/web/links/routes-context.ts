import type { Kysely } from "kysely";
import type { Clock } from "../../clock.ts";
import type { Config } from "../../config.ts";
import type { Keyring } from "../../crypto/keyring.ts";
import type { Tables } from "../../database/tables.ts";
import type { Outbox } from "../../messages/outbox.ts";
import type { Passwords } from "../../passwords/passwords.ts";
import type { SerializePerKey } from "../../users/serialize-per-key.ts";
import type { createAddressLimit } from "../frame/address-limit.ts";
import type { createOpenLink } from "./open-link.ts";

/** What the pages need around them. */
export interface PagesContext {
  readonly config: Config;
  readonly db: Kysely<Tables>;
  readonly keyring: Keyring;
  readonly passwords: Passwords;
  readonly outbox: Outbox;
  readonly clock: Clock;
}

/** What the routes of the pages share besides. */
export interface RoutesContext extends PagesContext {
  readonly limit: ReturnType<typeof createAddressLimit>;
  readonly openLink: ReturnType<typeof createOpenLink>;
  readonly serializeHashing: SerializePerKey;
}
