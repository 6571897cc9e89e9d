/** A valid request for the texts of a message. */
export const MESSAGE_TEXT = {
  type: "MESSAGE_TEXT_TYPE_PASSWORD_RESET",
  language: "en",
  subject: "Your new password",
  text: "Somebody asked for a new password at {{host}}.",
  buttonText: "Choose it",
} as const;
