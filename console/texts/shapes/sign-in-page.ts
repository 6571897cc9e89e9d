import type { ImageName } from "../../screens/sign-in/image-names.ts";
import type { BrandingValues, LoginValues } from "../../screens/sign-in/policy-values.ts";

/** The texts about the sign-in page of an organization. */
export interface SignInPageTexts {
  readonly title: string;
  readonly inherited: string;
  readonly isActive: string;
  readonly notActive: string;
  readonly activate: string;
  readonly reset: string;
  readonly stale: string;
  readonly branding: string;
  readonly fields: Readonly<Record<keyof BrandingValues, string>>;
  readonly images: string;
  readonly imagesHint: string;
  readonly imagesLater: string;
  readonly imageNames: Readonly<Record<ImageName, string>>;
  readonly upload: string;
  readonly login: string;
  readonly loginHint: string;
  readonly loginInherited: string;
  readonly groups: Readonly<Record<"ways" | "password" | "security", string>>;
  readonly settings: Readonly<Record<Exclude<keyof LoginValues, "defaultRedirectUri">, string>>;
  readonly defaultRedirectUri: string;
  readonly defaultRedirectUriHint: string;
  readonly resetLogin: string;
  readonly preview: string;
  readonly openPreview: string;
  /** What the picture of the page says. */
  readonly picture: Readonly<
    Record<
      | "title"
      | "userName"
      | "password"
      | "forgotten"
      | "submit"
      | "passkey"
      | "register"
      | "support"
      | "terms"
      | "privacy"
      | "watermark",
      string
    >
  >;
}
