import { STYLING_TYPE } from "../../../src/idps/stored-numbers.ts";
import { iconOf } from "../../../src/web/sign-in/first-page/idp-choice.ts";

test.each([
  ["https://accounts.google.com", "google"],
  ["https://login.microsoftonline.com/common/v2.0", "microsoft"],
  ["https://appleid.apple.com", "apple"],
  ["https://gitlab.com", "gitlab"],
  ["https://github.com/login/oauth", "github"],
  ["https://accounts.google.com.example.com", "other"],
  ["https://id.example.com/accounts.google.com", "other"],
])("the icon of %s is that of its brand: %s", (issuer, icon) => {
  expect(iconOf({ issuer, kind: "oidc" as const, stylingType: STYLING_TYPE.unspecified })).toBe(icon);
});

test("a provider with Google's styling has Google's icon, whatever its issuer", () => {
  expect(iconOf({ issuer: "https://id.example.com", kind: "oidc" as const, stylingType: STYLING_TYPE.google })).toBe(
    "google",
  );
});

test.each([
  ["apple", "apple"],
  ["azure", "microsoft"],
  ["github", "github"],
  ["github_es", "github"],
  ["gitlab", "gitlab"],
  ["gitlab_self_hosted", "gitlab"],
  ["google", "google"],
  ["oauth", "other"],
  ["saml", "other"],
] as const)("the icon of the kind %s is %s", (kind, icon) => {
  const issuer = "https://id.example.com";
  expect(iconOf({ issuer, kind, stylingType: STYLING_TYPE.unspecified })).toBe(icon);
});
