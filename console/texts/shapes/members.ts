import type { PlacedCredentialType } from "../../../gen/signet/v1/member_pb.js";

type InstanceRole = "INSTANCE_OWNER" | "INSTANCE_USER_MANAGER" | "INSTANCE_VIEWER";

/** The texts of people with roles. */
export interface MembersTexts {
  readonly title: string;
  readonly text: string;
  readonly names: Readonly<Record<InstanceRole, string>>;
  /** What the role allows. */
  readonly meanings: Readonly<Record<InstanceRole, string>>;
  readonly roles: string;
  readonly since: string;
  readonly add: string;
  readonly change: string;
  readonly changeOf: (name: string) => string;
  readonly removeOf: (name: string) => string;
  readonly removeText: string;
  readonly user: string;
  readonly userHint: string;
  /** Before an id. */
  readonly byId: string;
  /** The credentials that others have placed for a user who has got a role. */
  readonly placed: {
    readonly title: string;
    readonly text: string;
    readonly types: Readonly<Record<PlacedCredentialType, string>>;
    /** What a link is for. */
    readonly links: Readonly<Record<string, string>>;
    /** Before the one who placed it. */
    readonly by: string;
    readonly endText: string;
    readonly end: string;
    readonly keep: string;
  };
}
