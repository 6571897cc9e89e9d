import { createSource, toLinks } from "./create-source.ts";
import type { Fields } from "./fields.ts";
import { toMetadata } from "./metadata.ts";
import { toGender, toLanguage } from "./profile.ts";

/** Pages of `aws cognito-idp list-users`, and responses of `admin-get-user`. Cognito gives no password hashes. */
export const cognito = createSource({
  name: "cognito",
  arrays: [["Users"], []],
  read(fields, lost) {
    const attributes = readAttributes(fields);
    const userName = fields.text("Username");
    const id = attributes.text("sub") ?? userName;
    const status = fields.text("UserStatus");
    const isFederated = status === "EXTERNAL_PROVIDER";
    if (!isFederated) lost.push("password: Cognito gives no hashes");
    if (attributes.text("picture") !== undefined) lost.push("picture");
    const factors = [
      ...fields.texts("UserMFASettingList"),
      ...fields.objects("MFAOptions").map((option) => `${option.text("DeliveryMedium") ?? ""}_MFA`),
    ];
    lost.push(...factors.map((factor) => FACTORS.get(factor) ?? `second factor ${factor}`));
    return {
      sourceId: id,
      userName:
        attributes.text("preferred_username") ?? (isGenerated(userName, id, isFederated) ? undefined : userName),
      firstName: attributes.text("given_name"),
      lastName: attributes.text("family_name"),
      displayName: attributes.text("name"),
      nickName: attributes.text("nickname"),
      language: toLanguage(attributes.text("locale"), lost),
      gender: toGender(attributes.text("gender"), lost),
      email: attributes.text("email"),
      emailVerified: attributes.flag("email_verified"),
      phone: attributes.text("phone_number"),
      phoneVerified: attributes.flag("phone_number_verified"),
      links: attributes
        .objects("identities")
        .flatMap((identity) => toLinks(identity.text("providerName"), identity.text("userId"))),
      metadata: toMetadata(
        attributes.entries().filter(([name]) => !READ_ATTRIBUTES.includes(name)),
        lost,
      ),
      inactive: fields.flag("Enabled") === false || status === "ARCHIVED" || status === "COMPROMISED",
    };
  },
});

/** A list of names and values, as an object. */
function readAttributes(fields: Fields): Fields {
  const attributes = fields.objects("Attributes", "UserAttributes");
  const values = attributes.map((attribute) => [attribute.text("Name") ?? "", attribute.text("Value")] as const);
  return fields.nested("Attributes", Object.fromEntries(values));
}

/** Pools whose users sign in with an address have the id as user name; federated users one made of provider and id. */
function isGenerated(userName: string | undefined, id: string | undefined, isFederated: boolean): boolean {
  return isFederated || userName === id || /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(userName ?? "");
}

const FACTORS = new Map([
  ["SOFTWARE_TOKEN_MFA", "one-time codes: Cognito does not give the secrets"],
  ["SMS_MFA", "second factor by SMS"],
  ["EMAIL_OTP", "second factor by email"],
  ["EMAIL_MFA", "second factor by email"],
]);

const READ_ATTRIBUTES = [
  ...["sub", "preferred_username", "given_name", "family_name", "name", "nickname", "locale", "gender", "email"],
  ...["email_verified", "phone_number", "phone_number_verified", "identities", "picture", "updated_at"],
  // Of Cognito itself.
  ...["cognito:user_status", "cognito:mfa_enabled"],
];
