import type { SourceLink } from "../source.ts";
import { createSource, skip, toLinks } from "./create-source.ts";
import type { Fields } from "./fields.ts";
import { toMetadata } from "./metadata.ts";
import { toLanguage } from "./profile.ts";

/**
 * Pages of Microsoft Graph's `GET /v1.0/users`, also of External ID and Azure AD B2C, and the CSV that the admin center
 * exports. Entra ID gives no password hashes, and does not say which addresses are verified.
 */
export const entra = createSource({
  name: "entra",
  arrays: [["value"], []],
  read(fields, lost) {
    const id = fields.text("id", "objectId");
    if (fields.text("deletedDateTime") !== undefined) return skip(id, "deleted user");
    // Graph leaves it out unless it is asked for.
    if (id !== undefined && fields.flag("accountEnabled") === undefined) {
      fields.refuse("accountEnabled", "must be in the export, because only it says who is disabled: add it to $select");
    }
    lost.push("password: Entra ID gives no hashes");
    const identities = fields.objects("identities");
    const signInNames = identities.filter((identity) => identity.text("signInType") !== "federated");
    const nameOf = (type: string) =>
      signInNames.find((identity) => identity.text("signInType") === type)?.text("issuerAssignedId");
    const emails = [fields.text("mail"), nameOf("emailAddress"), ...readOtherMails(fields)].filter(Boolean);
    if (new Set(emails.map((email) => email?.toLowerCase())).size > 1) lost.push("second email address");
    return {
      sourceId: id,
      userName: nameOf("userName") ?? readPrincipalName(fields.text("userPrincipalName")),
      firstName: fields.text("givenName"),
      lastName: fields.text("surname"),
      displayName: fields.text("displayName"),
      language: toLanguage(fields.text("preferredLanguage"), lost),
      email: emails[0],
      phone: fields.text("mobilePhone"),
      links: readLinks(id, identities),
      metadata: toMetadata(
        fields.entries().filter(([name]) => !READ_FIELDS.has(name) && !name.startsWith("@odata.")),
        lost,
      ),
    };
  },
});

const READ_FIELDS = new Set([
  ...["id", "objectId", "accountEnabled", "identities", "mail", "otherMails", "alternateEmailAddress"],
  ...["userPrincipalName", "givenName", "surname", "displayName", "preferredLanguage", "mobilePhone"],
  // Of the page.
  "context",
]);

/** The CSV has one. */
function readOtherMails(fields: Fields): readonly (string | undefined)[] {
  return [...fields.texts("otherMails"), fields.text("alternateEmailAddress")];
}

/** That of a guest is made of the address, and that of a customer of the id. */
function readPrincipalName(name: string | undefined): string | undefined {
  const isGenerated =
    name !== undefined && (/#EXT#@/i.test(name) || /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}@/i.test(name));
  return isGenerated ? undefined : name;
}

/**
 * Members and guests of the tenant sign in with Microsoft, and customers with their local account or another provider. Guests of
 * other tenants have a federated identity without an id.
 */
function readLinks(id: string | undefined, identities: readonly Fields[]): SourceLink[] {
  const links = identities.flatMap(toLink);
  const isCustomer = identities.some((identity) => LOCAL_TYPES.has(identity.text("signInType") ?? ""));
  return links.length > 0 || isCustomer || id === undefined ? links : [{ provider: "microsoft", externalUserId: id }];
}

const LOCAL_TYPES: ReadonlySet<string> = new Set(["emailAddress", "userName"]);

function toLink(identity: Fields): SourceLink[] {
  const isFederated = identity.text("signInType") === "federated";
  return isFederated ? toLinks(identity.text("issuer"), identity.text("issuerAssignedId")) : [];
}
