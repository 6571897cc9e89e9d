import type { Schema } from "../protocol/attributes.ts";

export const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";

/** The attributes of groups (RFC 7643, section 4.2). */
export const GROUP_SCHEMAS: readonly Schema[] = [
  {
    id: GROUP,
    name: "Group",
    description: "A role in an application of the organization",
    isExtension: false,
    attributes: [
      {
        name: "displayName",
        type: "string",
        description: "Application and role: `Shop / editor`. It cannot be changed",
        required: true,
        isImmutable: true,
      },
      {
        name: "members",
        type: "complex",
        multiValued: true,
        description: "The users who have the role",
        subAttributes: [
          { name: "value", type: "string", description: "Id of the user", required: true },
          { name: "display", type: "string", description: "Display name of the user", isReadOnly: true },
        ],
      },
    ],
  },
];
