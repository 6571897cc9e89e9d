import type { Source } from "../source.ts";
import { toConverted, toLinks } from "./converted.ts";
import { readFields } from "./fields.ts";
import { prefixed, toMetadata } from "./metadata.ts";
import { toLanguage } from "./profile.ts";

/**
 * Pages of WorkOS' `GET /user_management/users`, or the rows of a CSV with the same names. A record may have the
 * `identities` of `GET /user_management/users/<id>/identities`. WorkOS gives no password hashes.
 */
export const workos: Source = {
  name: "workos",
  arrays: [["data"], []],
  convert(record) {
    const fields = readFields(record);
    const lost: string[] = ["password: WorkOS gives no hashes"];
    if (fields.text("profile_picture_url") !== undefined) lost.push("picture");
    return toConverted(
      fields,
      {
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
      },
      lost,
    );
  },
};
