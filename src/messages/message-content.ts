import type { Keyring } from "../crypto/keyring.ts";
import type { SealedColumn } from "../crypto/rotate-keys.ts";
import type { UserAgent } from "../parse-user-agent.ts";
import type { Language } from "../texts/languages.ts";
import type { SignInCodeContent } from "./sign-in-code-message.ts";

/** The column of encrypted message contents. */
export const MESSAGE_SEALED = { table: "messages", owner: "org_id", column: "content" } as const satisfies SealedColumn;

/** The secret part of a message with a code. Everything else is read from the user's row when the message is sent. */
export interface MessageContent {
  readonly secret: string;
  /** The six digits of an SMS. */
  readonly digits?: string | undefined;
}

/** The content of a notice of what the user has done. A notice of what someone else has done has no content. */
export type NoticeContent = UserAgent;

/** The content of an email to somebody who wants to register. Both links are paths with a query. */
export interface RegistrationContent {
  readonly language: Language;
  /** Completes the registration. */
  readonly register: string;
  /** Signs in to the application. */
  readonly signIn: string;
  /** The name of the application; absent for the account page, and in messages of earlier versions. */
  readonly app?: string | undefined;
}

/** Encrypts a content. The result is part of a row of `messages` in JSON: bytes in base64. */
export function sealContent(
  keyring: Keyring,
  messageId: string,
  content: MessageContent | NoticeContent | RegistrationContent | SignInCodeContent,
) {
  const { keyId, ciphertext } = keyring.seal({ ...MESSAGE_SEALED, rowId: messageId }, JSON.stringify(content));
  return { content: ciphertext.toString("base64"), content_key: keyId };
}

interface StoredContent {
  readonly id: string;
  readonly content: Buffer | null;
  readonly content_key: string | null;
}

/** @throws Error if the content is erased, the key is missing, or the ciphertext belongs to another row. */
export function openContent<Content = MessageContent>(
  keyring: Keyring,
  { id, content, content_key }: StoredContent,
): Content {
  if (content === null || content_key === null) throw new Error(`the content of message ${id} is erased`);
  return JSON.parse(keyring.open({ ...MESSAGE_SEALED, rowId: id }, { keyId: content_key, ciphertext: content }));
}
