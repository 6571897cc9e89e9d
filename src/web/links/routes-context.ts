import type { Kysely } from "kysely";
import type { Clock } from "../../clock.ts";
import type { Config } from "../../config.ts";
import type { Keyring } from "../../crypto/keyring.ts";
import type { SerializePerKey } from "../../database/serialize-per-key.ts";
import type { Tables } from "../../database/tables.ts";
import type { Outbox } from "../../messages/outbox.ts";
import type { Hasher } from "../../passwords/hasher.ts";
import type { Metrics } from "../../telemetry/metrics.ts";
import type { AnnounceEnds } from "../../users/end-sessions.ts";
import type { AddressLimit } from "../frame/address-limit.ts";
import type { DeviceCookie } from "../frame/device-cookie.ts";
import type { OpenLink } from "./open-link.ts";

/** The dependencies of the pages. */
export interface PagesContext {
  readonly config: Config;
  readonly db: Kysely<Tables>;
  readonly keyring: Keyring;
  readonly passwords: Hasher;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly announceEnds: AnnounceEnds;
  readonly metrics?: Metrics | undefined;
}

/** The dependencies of the pages' routes. */
export interface RoutesContext extends PagesContext {
  readonly limit: AddressLimit;
  readonly openLink: OpenLink;
  readonly deviceCookie: DeviceCookie;
  readonly serializeHashing: SerializePerKey;
}
