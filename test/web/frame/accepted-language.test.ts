import { acceptedLanguage } from "../../../src/web/frame/accepted-language.ts";

test.each([
  [undefined, "en"],
  ["", "en"],
  ["de-CH, de;q=0.9, en;q=0.8", "de"],
  ["en;q=0.1, fr;q=0.5", "fr"],
  ["ja, *;q=0.5", "en"],
  [`${"ja,".repeat(60)}es`, "es"],
  [`${"ja,".repeat(70)}es`, "en"],
])("%j selects %s, from the first 200 characters", (header, language) => {
  expect(acceptedLanguage(header === undefined ? {} : { "accept-language": header })).toBe(language);
});
