import type { Attribute, Schema } from "../protocol/attributes.ts";

export const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
export const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";

function text(name: string, description: string, options: Partial<Attribute> = {}): Attribute {
  return { name, type: "string", description, ...options };
}

const valuesOf = (what: string): readonly Attribute[] => [
  text("value", what, { required: true }),
  text("type", "Such as `work`"),
  { name: "primary", type: "boolean", description: "Whether it is the main one" },
];

/** The attributes of users (RFC 7643, sections 4.1 and 4.3). docs/scim.md lists them. */
export const USER_SCHEMAS: readonly Schema[] = [
  {
    id: USER,
    name: "User",
    description: "A human user of the organization",
    isExtension: false,
    attributes: [
      text("userName", "The user name", { required: true, isUnique: true }),
      {
        name: "name",
        type: "complex",
        description: "The parts of the name",
        subAttributes: [
          text("formatted", "First and last name", { isReadOnly: true }),
          text("familyName", "The last name"),
          text("givenName", "The first name"),
        ],
      },
      text("displayName", "The display name; by default, first and last name"),
      text("nickName", "The nickname"),
      text("profileUrl", "Metadata `profile_url`", { key: "profile_url" }),
      text("title", "Metadata `title`", { key: "title" }),
      text("userType", "Metadata `user_type`", { key: "user_type" }),
      text(
        "preferredLanguage",
        "The preferred language, if it is a BCP 47 tag of at most 10 characters; otherwise metadata `preferred_language`",
        {
          key: "preferred_language",
        },
      ),
      text("locale", "Metadata `locale`", { key: "locale" }),
      text("timezone", "Metadata `timezone`", { key: "timezone" }),
      { name: "active", type: "boolean", description: "False deactivates the user" },
      {
        name: "emails",
        type: "complex",
        multiValued: true,
        description:
          "The email address: the primary one, or else that for work. The others are kept in the metadata `emails`",
        subAttributes: valuesOf("Email address"),
        key: "emails",
      },
      {
        name: "phoneNumbers",
        type: "complex",
        multiValued: true,
        description:
          "The phone number, if it is in global format: the primary one, or else a mobile one. Others are kept in the metadata `phone_numbers`",
        subAttributes: valuesOf("Phone number"),
        key: "phone_numbers",
      },
      {
        name: "groups",
        type: "complex",
        multiValued: true,
        isReadOnly: true,
        description: "The roles in applications",
        subAttributes: [
          text("value", "Id of the group", { isReadOnly: true }),
          text("display", "Name of the group", { isReadOnly: true }),
        ],
      },
    ],
  },
  {
    id: ENTERPRISE,
    name: "EnterpriseUser",
    description: "What an employer knows of a user",
    isExtension: true,
    attributes: [
      text("employeeNumber", "Metadata `employee_number`", { key: "employee_number" }),
      text("costCenter", "Metadata `cost_center`", { key: "cost_center" }),
      text("organization", "Metadata `organization`", { key: "organization" }),
      text("division", "Metadata `division`", { key: "division" }),
      text("department", "Metadata `department`", { key: "department" }),
      {
        name: "manager",
        type: "complex",
        description: "Metadata `manager`: the id",
        subAttributes: [text("value", "Id of the manager")],
        key: "manager",
      },
    ],
  },
];

/** An attribute of every resource, which is in no schema (RFC 7643, section 3.1). */
const EXTERNAL_ID = text("externalId", "Metadata `external_id`", { caseExact: true, key: "external_id" });

/** The schemas with the attributes that requests can have besides. */
export const READ_SCHEMAS: readonly Schema[] = USER_SCHEMAS.map((schema) =>
  schema.isExtension ? schema : { ...schema, attributes: [...schema.attributes, EXTERNAL_ID] },
);

/** The attributes that are metadata, with the schema that they belong to. */
export const METADATA_ATTRIBUTES = READ_SCHEMAS.flatMap((schema) =>
  schema.attributes.flatMap(({ key, ...attribute }) => (key === undefined ? [] : { schema, attribute, key })),
);
