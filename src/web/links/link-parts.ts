import type { Brandings } from "../../branding/create-brandings.ts";
import type { BrandingImages } from "../../branding/create-images.ts";
import type { Clock } from "../../clock.ts";
import type { Config } from "../../config.ts";
import type { Keyring } from "../../crypto/keyring.ts";
import type { Database } from "../../database/database.ts";
import type { SerializePerKey } from "../../database/serialize-per-key.ts";
import type { Outbox } from "../../messages/outbox.ts";
import type { Hasher } from "../../passwords/hasher.ts";
import type { KnownDevices } from "../../sign-in/known-devices.ts";
import type { AnnounceEnds } from "../../users/change/end-sessions.ts";
import type { AddressLimit } from "../frame/address-limit.ts";
import type { Sessions } from "../frame/sessions.ts";

/** The parts of the pages that links in messages open. */
export interface LinkParts {
  readonly config: Config;
  readonly db: Database;
  readonly keyring: Keyring;
  readonly passwords: Hasher;
  readonly outbox: Outbox;
  readonly brandings: Brandings;
  readonly brandingImages: BrandingImages;
  readonly clock: Clock;
  readonly announceEnds: AnnounceEnds;
  readonly limit: AddressLimit;
  readonly sessions: Sessions;
  readonly knownDevices: KnownDevices;
  readonly serializeHashing: SerializePerKey;
}
