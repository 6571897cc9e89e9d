export { isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/max";
