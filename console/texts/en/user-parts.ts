import type { ContactTexts, MachineTexts, TokensTexts } from "../shapes/user-parts.ts";

export const EN_CONTACT: ContactTexts = {
  title: "Phone and verification",
  phoneHint: "with the country, such as +41 44 668 18 00",
  isVerified: "The number is verified; send no SMS",
  resendSms: "Send the SMS again",
  removePhone: "Remove the number",
  verifyEmail: "Send an email to verify the address",
  markVerified: "Mark the address as verified",
};

export const EN_MACHINE: MachineTexts = { name: "Name", description: "Description" };

export const EN_TOKENS: TokensTexts = {
  title: "Personal access tokens",
  add: "Create a token",
  once: "Copy the token now. It cannot be shown again.",
  created: "Created",
  expires: "Expires",
  neverExpires: "Does not expire",
  lastUsed: "Last used",
  neverUsed: "Not used",
  until: "Last day",
  untilHint: "empty for a token that does not expire",
};
