import { IDPState } from "../../../gen/signet/v1/idp_config_pb.js";
import { texts } from "../../state/language.ts";
import { useLoad } from "../../state/use-load.ts";
import { type Accent, toAccents } from "./accent.ts";
import { PagePicture } from "./page-picture.tsx";
import type { PolicyCalls } from "./policy-calls.ts";
import type { BrandingValues, LoginValues } from "./policy-values.ts";

/** More buttons than a sign-in page has room for. */
const SHOWN = 6;

interface PreviewProps {
  readonly calls: PolicyCalls;
  /** What else than the calls the providers depend on. */
  readonly ownerId: string;
  readonly orgName: string;
  readonly branding: BrandingValues;
  readonly login: LoginValues;
  readonly logo: string;
  readonly logoDark: string;
  /** Of the real page with what is saved. */
  readonly url: string;
  readonly mayReadProviders: boolean;
}

/**
 * The sign-in page as it would be, in light and dark: a picture with the colors of the real one, because the real one
 * refuses to be framed.
 */
export function Preview(props: PreviewProps) {
  const { calls, ownerId, branding, logo, logoDark, url, mayReadProviders } = props;
  const { signInPage: own } = texts.value;
  const found = useLoad(mayReadProviders ? `previewed providers ${ownerId}` : undefined, async (signal) => {
    const { result } = await calls.providers(signal);
    return result.filter(({ state }) => state === IDPState.IDP_STATE_ACTIVE).slice(0, SHOWN);
  });
  const accents = toAccents(branding.primaryColor, branding.primaryColorDark);
  const picture = (scheme: "light" | "dark", accent: Accent | undefined) => (
    <PagePicture
      {...props}
      scheme={scheme}
      accent={accent}
      logo={(scheme === "dark" && logoDark) || logo || logoDark}
      providers={found.value ?? []}
    />
  );
  return (
    <figure class="preview">
      <figcaption>
        <strong>{own.preview}</strong>{" "}
        <a href={url} target="_blank" rel="noreferrer">
          {own.openPreview}
        </a>
      </figcaption>
      {picture("light", accents?.light)}
      {picture("dark", accents?.dark)}
    </figure>
  );
}
