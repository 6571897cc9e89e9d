import type { ImageName } from "../../screens/sign-in/image-names.ts";
import type { BrandingValues, LifetimeName, LoginValues } from "../../screens/sign-in/policy-values.ts";

/** A text for each owner of the settings. */
type OfOwner = Readonly<Record<"org" | "instance", string>>;

/** The texts about the sign-in page of an organization, or of those without their own settings. */
export interface SignInPageTexts {
  readonly title: OfOwner;
  readonly inherited: OfOwner;
  readonly isActive: string;
  readonly notActive: string;
  readonly activate: string;
  readonly reset: OfOwner;
  readonly stale: string;
  readonly branding: string;
  readonly fields: Readonly<Record<keyof BrandingValues, string>>;
  readonly images: string;
  readonly imagesHint: string;
  readonly imagesLater: string;
  readonly imageNames: Readonly<Record<ImageName, string>>;
  readonly upload: string;
  readonly login: string;
  readonly loginHint: OfOwner;
  readonly loginInherited: string;
  readonly groups: Readonly<Record<"ways" | "password" | "security", string>>;
  readonly settings: Readonly<
    Record<Exclude<keyof LoginValues, "defaultRedirectUri" | "forceMfaFrom" | "lifetimes">, string>
  >;
  readonly forceMfaFrom: string;
  readonly forceMfaFromHint: string;
  readonly lifetimes: string;
  readonly lifetimesHint: string;
  readonly lifetime: Readonly<Record<LifetimeName, { readonly label: string; readonly hint?: string }>>;
  readonly defaultRedirectUri: string;
  readonly defaultRedirectUriHint: string;
  readonly resetLogin: string;
  readonly preview: string;
  readonly openPreview: string;
  /** What the picture of the page says. */
  readonly picture: Readonly<
    Record<
      | "title"
      | "org"
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
