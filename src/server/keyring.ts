import { type Config, ConfigError } from "../config.ts";
import { createKeyring, type Keyring } from "../crypto/keyring.ts";
import { loadMasterKey } from "../crypto/master-key.ts";

/** Loads MASTER_KEY, or the key file in DATA_DIR if it is not set, and MASTER_KEY_PREVIOUS. */
export function openKeyring(config: Config): Keyring {
  const current = config.masterKey ?? loadMasterKey(config.dataDir);
  if (config.previousMasterKeys.some((key) => key.equals(current))) {
    throw new ConfigError("MASTER_KEY_PREVIOUS is invalid: expected older keys only, got the current key too");
  }
  return createKeyring([current, ...config.previousMasterKeys]);
}
