/** What people look for most often: a name for several types of events. */
export const EVENT_KINDS = {
  signIns: ["user.human.signed.in"],
  failures: ["user.human.password.check.failed", "user.human.otp.check.failed", "user.human.passwordless.check.failed"],
  newUsers: ["user.human.added", "user.machine.added"],
  roles: [
    ...(["instance.member.added", "instance.member.changed", "instance.member.removed"] as const),
    ...(["org.member.added", "org.member.changed", "org.member.removed"] as const),
    ...(["user.app.roles.added", "user.app.roles.removed"] as const),
  ],
  removals: ["user.removed", "org.removed", "app.removed", "org.idp.removed", "instance.idp.removed"],
} as const;

export type EventKind = keyof typeof EVENT_KINDS;
