/** The texts of the phone number and of verifications. */
export interface ContactTexts {
  readonly title: string;
  readonly phoneHint: string;
  readonly isVerified: string;
  readonly resendSms: string;
  readonly removePhone: string;
  readonly verifyEmail: string;
  readonly markVerified: string;
}

/** The texts of a machine user. */
export interface MachineTexts {
  readonly name: string;
  readonly description: string;
}

/** The texts of personal access tokens. */
export interface TokensTexts {
  readonly title: string;
  readonly add: string;
  readonly once: string;
  readonly created: string;
  readonly expires: string;
  readonly neverExpires: string;
  readonly lastUsed: string;
  readonly neverUsed: string;
  readonly until: string;
  readonly untilHint: string;
}
