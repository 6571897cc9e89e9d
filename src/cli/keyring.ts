import { type Config, ConfigError } from "../config.ts";
import { createKeyring, type Keyring } from "../crypto/keyring.ts";
import { loadMasterKey } from "../crypto/master-key.ts";

/** The keys of the configuration: MASTER_KEY or the one in DATA_DIR, and the older ones. */
export function openKeyring(config: Config): Keyring {
  const current = config.masterKey ?? loadMasterKey(config.dataDir);
  if (config.previousMasterKeys.some((key) => key.equals(current))) {
    throw new ConfigError("MASTER_KEY_PREVIOUS holds the current key too: it must be a list of older keys");
  }
  return createKeyring([current, ...config.previousMasterKeys]);
}
