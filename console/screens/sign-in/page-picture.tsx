import type { Provider } from "../../../gen/signet/v1/provider_pb.js";
import { Logo } from "../../shell/logo.tsx";
import { texts } from "../../state/language.ts";
import { KindIcon } from "../idps/kind-icon.tsx";
import { KINDS, kindOf } from "../idps/kinds.ts";
import type { Accent } from "./accent.ts";
import type { BrandingValues, LoginValues } from "./policy-values.ts";

interface PagePictureProps {
  readonly scheme: "light" | "dark";
  readonly accent: Accent | undefined;
  readonly logo: string;
  readonly orgName: string;
  readonly branding: BrandingValues;
  readonly login: LoginValues;
  readonly providers: readonly Provider[];
}

/** A picture of the sign-in page in one scheme. */
export function PagePicture({ scheme, accent, logo, orgName, branding, login, providers }: PagePictureProps) {
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
