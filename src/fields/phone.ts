import { createRequire } from "node:module";
import { createPhoneReader } from "./phone-reader.ts";

const require = createRequire(import.meta.url);

/** Reads phone numbers: see `PhoneReader`. */
export const { parsePhone, readPhone } = createPhoneReader(loadPhones);

/** Loads the package, which has 93 modules and takes 30 ms, unless it is already loaded. */
export function loadPhones(): typeof import("libphonenumber-js/max") {
  return require("libphonenumber-js/max");
}
