import { createSource, toLinks } from "./create-source.ts";
import { prefixed, toMetadata } from "./metadata.ts";
import { toLanguage } from "./profile.ts";

/**
 * Pages of WorkOS' `GET /user_management/users`, or the rows of a CSV with the same names. A record may have the
 * `identities` of `GET /user_management/users/<id>/identities`. WorkOS gives no password hashes.
 */
export const workos = createSource({
  name: "workos",
  arrays: [["data"], []],
  read(fields, lost) {
    lost.push("password: WorkOS gives no hashes");
    if (fields.text("profile_picture_url") !== undefined) lost.push("picture");
    return {
      sourceId: fields.text("id"),
      firstName: fields.text("first_name"),
      lastName: fields.text("last_name"),
      displayName: fields.text("name"),
      language: toLanguage(fields.text("locale"), lost),
      email: fields.text("email"),
      emailVerified: fields.flag("email_verified"),
      // A provider is one such as `GoogleOAuth`.
      links: fields.objects("identities").flatMap((each) => toLinks(each.text("provider"), each.text("idp_id"))),
      metadata: toMetadata(
        [["workos_external_id", fields.text("external_id")], ...prefixed("metadata.", fields.object("metadata"))],
        lost,
      ),
    };
  },
});
