import { PlacedCredentialType } from "../../../gen/signet/v1/member_pb.js";

export const EN_MEMBERS = {
  title: "Members",
  text: "People and machines with a role in the instance, which applies to every organization.",
  choices: {
    INSTANCE_OWNER: { name: "Owner", meaning: "everything, in every organization" },
    INSTANCE_USER_MANAGER: { name: "User manager", meaning: "users of every organization" },
    INSTANCE_VIEWER: { name: "Viewer", meaning: "reads everything, and changes nothing" },
  },
  roles: "Roles",
  since: "Since",
  add: "Add a member",
  change: "Change",
  changeOf: (name: string) => `Roles of ${name}`,
  removeOf: (name: string) => `Remove all roles of ${name}?`,
  removeText: "The user stays, and can sign in as before.",
  user: "User",
  userHint: "a part of the name or address, or the id of any user",
  placed: {
    title: "Credentials that others have placed",
    text: "The user has the role. Others have placed these credentials for the user, and could act in the role with them:",
    types: {
      [PlacedCredentialType.UNSPECIFIED]: "Other",
      [PlacedCredentialType.TOKEN]: "Token",
      [PlacedCredentialType.PASSKEY]: "Passkey",
      [PlacedCredentialType.IDP_LINK]: "Provider",
      [PlacedCredentialType.PASSWORD]: "Password",
      [PlacedCredentialType.LINK]: "Link",
      [PlacedCredentialType.APP]: "Service",
    },
    links: { initialization: "invitation", passkey: "for a new passkey" },
    by: "placed by",
    endText:
      "If you end them, a person is signed out everywhere, and may need a new password or invitation; programs that use a token or service stop working.",
    end: "End them",
    ended: "The credentials have ended",
    keep: "Keep them",
  },
};
