export const EN_NEW_USER = {
  way: "First sign-in",
  ways: { invite: "Invite by email", password: "Create with a password" },
  meanings: {
    invite: "A link leads to a page where the user sets a password.",
    password: "You set the password, and give it to the user.",
  },
  submit: { invite: "Send invitation", add: "Add user" },
  isVerified: "The address is known to belong to the user; send no email",
  role: "Role",
  noRole: "None: signs in to applications only",
  noMachineRole: "None: calls your own APIs only",
  messages: "Messages",
  messageTexts: {
    invite: (address: string) => `${address || "The user"} gets an invitation by email.`,
    confirm: (address: string) => `${address || "The user"} gets an email to confirm the address.`,
    sms: (phone: string) => `${phone} gets an SMS to confirm the number, if the service sends SMS.`,
    none: "Nobody gets a message.",
  },
  withoutRole: "The user was added, but did not get the role. Give it on the page of the user.",
};
