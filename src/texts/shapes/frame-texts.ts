import type { PasswordProblem } from "../../passwords/policy.ts";
import type { TitledText } from "./titled-text.ts";

/** The texts that several pages share. */
export interface FrameTexts {
  /** The title of the window for a page that reports an error. */
  readonly errorTitle: (title: string) => string;
  readonly problems: ProblemTexts;
  readonly password: PasswordTexts;
  /** The links from a completed page to the sign-in, and the label of the user name there. */
  readonly signInLink: { readonly signIn: string; readonly userName: string };
  /** The links at the end of a page in the branding of its operator. */
  readonly brand: Readonly<Record<"support" | "terms" | "privacy" | "watermark", string>>;
}

/** The texts of pages that report a problem. */
interface ProblemTexts extends Readonly<Record<PageProblem, TitledText>> {
  /** Takes a delay, such as "in 5 minutes". */
  readonly tryAgain: (delay: string) => string;
  readonly details: string;
  readonly requestId: string;
}

/** The problems that any page can have. */
export type PageProblem =
  | "invalid-link"
  | "blocked-user"
  | "not-found"
  | "wrong-method"
  | "foreign"
  | "wrong-type"
  | "unreadable"
  | "malformed"
  | "too-slow"
  | "too-large"
  | "too-many"
  | "failed"
  | "unavailable";

/** The texts of pages about a new password. */
interface PasswordTexts {
  /** The button that shows what is entered, and the one that hides it. The label starts with the text. */
  readonly show: ButtonText;
  readonly hide: ButtonText;
  readonly rule: (characters: number) => string;
  readonly errors: Readonly<Record<Exclude<PasswordError, "too-long">, string>> & {
    readonly "too-long": (bytes: number) => string;
  };
}

interface ButtonText {
  readonly text: string;
  /** For screen readers. */
  readonly label: string;
}

/** Why a new password is rejected. */
export type PasswordError = PasswordProblem | "missing" | "different" | "unchanged";
