import { IDPState } from "../../../gen/signet/v1/idp_config_pb.js";
import { inOrg } from "../../api/api.ts";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { useLoad } from "../../state/use-load.ts";
import { type Accent, toAccents } from "./accent.ts";
import { PagePicture } from "./page-picture.tsx";
import type { BrandingValues, LoginValues } from "./policy-values.ts";

/** More buttons than a sign-in page has room for. */
const SHOWN = 6;

interface PreviewProps {
  readonly orgId: string;
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
  const { orgId, branding, logo, logoDark, url, mayReadProviders } = props;
  const { api } = useSession();
  const { signInPage: own } = texts.value;
  const found = useLoad(mayReadProviders ? `previewed providers ${orgId}` : undefined, async (signal) => {
    const { result } = await api.management.listProviders({ query: { asc: true, limit: 50 } }, inOrg(orgId, signal));
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
