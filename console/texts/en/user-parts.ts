export const EN_CONTACT = {
  title: "Phone and verification",
  phoneHint: "with the country, such as +41 44 668 18 00",
  isVerified: "The number is verified; send no SMS",
  resendSms: "Send the SMS again",
  removePhone: "Remove the number",
  verifyEmail: "Send an email to verify the address",
  markVerified: "Mark the address as verified",
};

export const EN_MACHINE = { name: "Name", description: "Description" };

export const EN_FAILED_SIGN_INS = {
  title: "Failed sign-ins of the last 7 days",
  unknownNetwork: "Unknown network",
  lastHour: "last in the hour from",
  password: "Wrong passwords",
  oneTimeCode: "Wrong one-time codes",
  passkey: "Refused passkeys",
};

export const EN_TOKENS = {
  title: "Personal access tokens",
  add: "Create a token",
  added: "The token was created",
  token: "Token",
  created: "Created",
  expires: "Expires",
  neverExpires: "Does not expire",
  lastUsed: "Last used",
  neverUsed: "Not used",
  until: "Last day",
  untilHint: "empty for a token that does not expire",
};
