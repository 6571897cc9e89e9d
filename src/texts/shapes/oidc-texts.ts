import type { TitledText } from "./titled-text.ts";

/** The texts of the pages in `src/oidc/pages`. */
export interface OidcTexts {
  readonly logout: LogoutTexts;
  readonly device: DeviceTexts;
  readonly error: ErrorTexts;
}

interface LogoutTexts {
  readonly ask: TitledText & {
    readonly textFor: (app: string) => string;
  };
  readonly signOut: string;
  readonly stay: string;
  readonly done: TitledText;
}

interface DeviceTexts {
  readonly ask: TitledText;
  readonly code: string;
  readonly app: string;
  readonly wrong: string;
  readonly declined: string;
  readonly expired: string;
  readonly next: string;
  readonly confirm: TitledText & { readonly apiAccess: string };
  readonly signIn: string;
  readonly cancel: string;
  readonly done: TitledText;
}

interface ErrorTexts {
  readonly expired: TitledText;
  readonly unknownApp: TitledText;
  readonly refused: TitledText;
  readonly failed: TitledText;
  readonly details: string;
}
