import { create } from "@bufbuild/protobuf";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type LabelPolicy, LabelPolicySchema } from "../../../gen/signet/v1/label_policy_pb.js";
import { type LoginPolicy, LoginPolicySchema, PasswordlessType } from "../../../gen/signet/v1/login_policy_pb.js";
import { type Lifetime, toDuration, toLifetime } from "../../parts/lifetime.ts";
import { parseTime, toLocalTime } from "../../parts/local-time.ts";
import { pick } from "../../state/tables.ts";

const BRANDING = [
  ...(["name", "primaryColor", "primaryColorDark", "supportAddress", "termsUrl", "privacyUrl"] as const),
  "disableWatermark" as const,
];

/** The settings of a label policy that the form changes. */
export type BrandingValues = ReturnType<typeof toBrandingValues>;

export function toBrandingValues(policy: LabelPolicy | undefined) {
  return pick(policy ?? create(LabelPolicySchema), BRANDING);
}

/** How long sign-ins last, and when users are asked for a passkey again. */
export const LIFETIMES = [
  "passwordCheckLifetime",
  "externalLoginCheckLifetime",
  "secondFactorCheckLifetime",
  "multiFactorCheckLifetime",
  "mfaInitSkipLifetime",
] as const;

type LifetimeName = (typeof LIFETIMES)[number];

/** Settings that the form and the API have in the same way. */
const SAME = [
  ...(["allowUsernamePassword", "allowExternalIdp", "allowRegister", "allowDomainDiscovery"] as const),
  ...(["hidePasswordReset", "disableLoginWithEmail", "disableLoginWithPhone", "disableNewDeviceNotice"] as const),
  ...(["forceMfa", "forceMfaLocalOnly", "defaultRedirectUri"] as const),
];

/** The settings of a login policy that the form changes. */
export type LoginValues = ReturnType<typeof toLoginValues>;

export function toLoginValues(policy = create(LoginPolicySchema)) {
  const { passwordlessType, redirectToOnlyIdp = true, forceMfaFrom } = policy;
  const lifetimes = Object.fromEntries(LIFETIMES.map((name) => [name, toLifetime(policy[name])]));
  return {
    ...pick(policy, SAME),
    ...{ allowPasskeys: passwordlessType === PasswordlessType.ALLOWED, redirectToOnlyIdp },
    /** To the minute, in the zone of the browser; empty for at once. */
    forceMfaFrom: toLocalTime(forceMfaFrom && timestampDate(forceMfaFrom)),
    ...(lifetimes as Record<LifetimeName, Lifetime>),
  };
}

/** The request, which replaces all settings. */
export function toLoginRequest(policy: LoginPolicy, { allowPasskeys, forceMfaFrom, ...values }: LoginValues) {
  const time = parseTime(forceMfaFrom);
  // The form shows minutes, and the stored time may have seconds.
  const isKept = forceMfaFrom === toLoginValues(policy).forceMfaFrom;
  const from = isKept ? policy.forceMfaFrom : time && timestampFromDate(time);
  const durations = Object.fromEntries(LIFETIMES.map((name) => [name, toDuration(values[name])]));
  return {
    ...values,
    ...(durations as Record<LifetimeName, { seconds: bigint }>),
    passwordlessType: allowPasskeys ? PasswordlessType.ALLOWED : PasswordlessType.NOT_ALLOWED,
    ...(from && { forceMfaFrom: from }),
  };
}
