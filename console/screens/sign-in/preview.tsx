import { IDPState } from "../../../gen/signet/v1/idp_config_pb.js";
import type { LabelPolicy } from "../../../gen/signet/v1/label_policy_pb.js";
import type { Provider } from "../../../gen/signet/v1/provider_pb.js";
import { Logo } from "../../parts/logo.tsx";
import { texts } from "../../state/language.ts";
import { useLoad } from "../../state/use-load.ts";
import { KindIcon } from "../idps/kind-icon.tsx";
import { KINDS, kindOf } from "../idps/kinds.ts";
import { type Accent, toAccents } from "./accent.ts";
import type { PolicyCalls } from "./policy-calls.ts";
import type { BrandingValues, LoginValues } from "./policy-values.ts";

/** More buttons than a sign-in page has room for. */
const SHOWN = 6;

interface PreviewProps {
  readonly providers: readonly Provider[];
  readonly orgName: string;
  readonly branding: BrandingValues;
  readonly login: LoginValues;
  /** With the logos. */
  readonly policy: LabelPolicy | undefined;
  readonly title: string;
  /** Of the real page with what is saved. */
  readonly url: string;
}

/**
 * The providers of the pictures; none if the person may not read them.
 *
 * @param ownerId What else than the calls they depend on.
 */
export function usePicturedProviders(calls: PolicyCalls, ownerId: string, mayRead: boolean): readonly Provider[] {
  const found = useLoad(mayRead ? `previewed providers ${ownerId}` : undefined, async (signal) => {
    const { result } = await calls.providers(signal);
    return result.filter(({ state }) => state === IDPState.IDP_STATE_ACTIVE).slice(0, SHOWN);
  });
  return found.value ?? [];
}

/**
 * The sign-in page as it would be, in light and dark: a picture with the colors of the real one, because the real one
 * refuses to be framed.
 */
export function Preview(props: PreviewProps) {
  const { title, branding, policy, url } = props;
  const { logoUrl = "", logoUrlDark = "" } = policy ?? {};
  const { signInPage: own } = texts.value;
  const accents = toAccents(branding.primaryColor, branding.primaryColorDark);
  const picture = (scheme: "light" | "dark", accent: Accent | undefined) => (
    <PagePicture
      {...props}
      scheme={scheme}
      accent={accent}
      logo={(scheme === "dark" && logoUrlDark) || logoUrl || logoUrlDark}
    />
  );
  return (
    <figure>
      <figcaption>
        <strong>{title}</strong>{" "}
        <a href={url} target="_blank" rel="noreferrer">
          {own.openPreview}
        </a>
      </figcaption>
      {picture("light", accents?.light)}
      {picture("dark", accents?.dark)}
    </figure>
  );
}

interface PagePictureProps {
  readonly scheme: "light" | "dark";
  readonly accent: Accent | undefined;
  readonly logo: string;
  readonly orgName: string;
  readonly branding: BrandingValues;
  readonly login: LoginValues;
  readonly providers: readonly Provider[];
}

function WaysIn({ login, providers }: Pick<PagePictureProps, "login" | "providers">) {
  const { picture } = texts.value.signInPage;
  return (
    <>
      {login.allowUsernamePassword && (
        <>
          <p class="sheet-label">{picture.userName}</p>
          <p class="sheet-field" />
          <p class="sheet-label">
            {picture.password} {!login.hidePasswordReset && <span class="sheet-link">{picture.forgotten}</span>}
          </p>
          <p class="sheet-field" />
          <p class="sheet-button">{picture.submit}</p>
        </>
      )}
      {login.allowPasskeys && <p class="sheet-button secondary">{picture.passkey}</p>}
      {login.allowExternalIdp &&
        providers.map(({ id, name, type }) => (
          <p class="sheet-button secondary" key={id}>
            <KindIcon icon={KINDS[kindOf(type)].icon} /> {name}
          </p>
        ))}
    </>
  );
}

/** A picture of the sign-in page in one scheme. */
function PagePicture({ scheme, accent, logo, orgName, branding, login, providers }: PagePictureProps) {
  const { picture } = texts.value.signInPage;
  const isBranded = branding.name !== "" || logo !== "";
  const colors = accent && {
    "--accent": accent.accent,
    "--accent-text": accent.accent,
    "--on-accent": accent.onAccent,
  };
  return (
    <div class={`sheet ${scheme}`} aria-hidden="true" style={colors}>
      <div class="sheet-card">
        {logo ? (
          <img src={logo} alt="" />
        ) : (
          (branding.name || !branding.disableWatermark) && (
            <p class="small">
              {branding.name || (
                <>
                  <Logo /> Signet
                </>
              )}
            </p>
          )
        )}
        <p class="sheet-title">{picture.title}</p>
        <p class="small">{orgName}</p>
        <WaysIn login={login} providers={providers} />
        {login.allowRegister && <p class="sheet-link">{picture.register}</p>}
      </div>
      <p class="sheet-footer small">
        {branding.supportAddress && <span class="sheet-link">{picture.support}</span>}
        {branding.termsUrl && <span class="sheet-link">{picture.terms}</span>}
        {branding.privacyUrl && <span class="sheet-link">{picture.privacy}</span>}
        {isBranded && !branding.disableWatermark && <span>{picture.watermark}</span>}
      </p>
    </div>
  );
}
