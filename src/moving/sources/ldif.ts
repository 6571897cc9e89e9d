import { createSource, skip } from "./create-source.ts";
import type { Fields } from "./fields.ts";
import { toMetadata } from "./metadata.ts";
import { toPasswordHash } from "./password-hash.ts";
import { toLanguage } from "./profile.ts";

/** Entries of people in an LDAP directory, as LDIF: of OpenLDAP, 389 Directory Server, FreeIPA or Active Directory. */
export const ldif = createSource({
  name: "ldif",
  arrays: [],
  isLdif: true,
  read(fields, lost) {
    const id = fields.text("entryuuid", "nsuniqueid", "ipauniqueid", "objectguid", "dn");
    const classes = valuesOf(fields, "objectclass").map((name) => name.toLowerCase());
    if (fields.text("changetype") !== undefined) return skip(id, "change record");
    const isPerson = classes.includes("computer") ? false : classes.some((name) => PEOPLE.has(name));
    if (classes.length > 0 && !isPerson) return skip(id, "entry that is not a person");
    const first = (...names: readonly string[]) => names.flatMap((name) => valuesOf(fields, name))[0];
    if (valuesOf(fields, "mail").length > 1) lost.push("second email address");
    if (valuesOf(fields, "mobile").length > 1) lost.push("second phone number");
    if (first("memberof") !== undefined) lost.push("groups");
    if (first("jpegphoto", "thumbnailphoto") !== undefined) lost.push("picture");
    return {
      sourceId: id,
      userName: first("uid", "samaccountname", "userprincipalname"),
      firstName: first("givenname"),
      lastName: first("sn"),
      displayName: first("displayname", "cn"),
      language: toLanguage(first("preferredlanguage"), lost),
      email: first("mail"),
      phone: first("mobile"),
      passwordHash: readPassword(valuesOf(fields, "userpassword"), lost),
      metadata: toMetadata(
        fields.entries().filter(([name]) => !READ_ATTRIBUTES.has(name)),
        lost,
      ),
      inactive: fields.flag("nsaccountlock") === true || first("pwdaccountlockedtime") === LOCKED_FOREVER,
    };
  },
});

const PEOPLE = new Set(["person", "organizationalperson", "inetorgperson", "posixaccount", "account", "user"]);

/** The value of a lock by an administrator. Other locks end, or are those of a password. */
const LOCKED_FOREVER = "000001010000Z";

const READ_ATTRIBUTES = new Set([
  ...["dn", "objectclass", "entryuuid", "nsuniqueid", "ipauniqueid", "objectguid", "uid", "samaccountname"],
  ...["userprincipalname", "givenname", "sn", "displayname", "cn", "preferredlanguage", "mail", "mobile"],
  ...["userpassword", "nsaccountlock", "pwdaccountlockedtime", "useraccountcontrol", "memberof", "jpegphoto"],
  ...["thumbnailphoto"],
  // Of the directory itself.
  ...["structuralobjectclass", "entrycsn", "entrydn", "creatorsname", "modifiersname", "createtimestamp"],
  ...["modifytimestamp", "subschemasubentry", "hassubordinates"],
]);

function valuesOf(fields: Fields, name: string): readonly string[] {
  const value = fields.entries().find(([key]) => key === name)?.[1];
  return Array.isArray(value) ? fields.texts(name) : [fields.text(name)].filter((text) => text !== undefined);
}

/** Several values are several passwords; the first that Signet reads is the password. */
function readPassword(values: readonly string[], lost: string[]): string | undefined {
  const reasons: string[] = [];
  for (const value of values) {
    const hash = toPasswordHash(value, reasons);
    if (hash !== undefined) return hash;
  }
  lost.push(...reasons);
  return undefined;
}
