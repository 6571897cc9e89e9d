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
}
