import { addProblem, type Problems } from "../errors.ts";
import { describeRedirectUriProblem } from "../fields/client-uri.ts";
import { describeEmailProblem } from "../fields/email.ts";
import { describeNameProblem } from "../fields/name.ts";
import { trimText } from "../fields/trim-text.ts";
import { findLowContrast, isColor, type Scheme } from "./accent.ts";
import type { LabelSettings } from "./label-settings.ts";

/** The fields of a request with the settings of a label policy. */
interface LabelRequest extends LabelSettings, Readonly<Record<(typeof UNSUPPORTED)[number], boolean | string>> {
  readonly themeMode: number;
}

/** Fields of the published API that would have no effect. */
const UNSUPPORTED = [
  "hideLoginNameSuffix",
  "warnColor",
  "backgroundColor",
  "fontColor",
  "backgroundColorDark",
  "warnColorDark",
  "fontColorDark",
] as const;

/** THEME_MODE_UNSPECIFIED and THEME_MODE_AUTO. */
const THEME_MODES: readonly number[] = [0, 1];

/** Checks the rules that the schema cannot express. */
export function checkLabelPolicy(request: LabelRequest, problems: Problems): LabelSettings {
  for (const field of UNSUPPORTED) {
    if (request[field]) problems.add(field, "is not supported");
  }
  if (!THEME_MODES.includes(request.themeMode)) {
    problems.add("themeMode", "must be THEME_MODE_AUTO: pages follow the browser, other modes are not supported");
  }
  const check = (field: keyof LabelSettings, problem: string | undefined) => addProblem(problems, field, problem);
  const name = trimText(request.name);
  const { primaryColor, primaryColorDark, supportAddress, termsUrl, privacyUrl, disableWatermark } = request;
  if (primaryColor !== "") check("primaryColor", describeColorProblem(primaryColor, "light"));
  if (primaryColorDark !== "") check("primaryColorDark", describeColorProblem(primaryColorDark, "dark"));
  if (primaryColor === "" && primaryColorDark !== "") check("primaryColorDark", "must be empty without primaryColor");
  if (name !== "") check("name", describeNameProblem(name));
  if (supportAddress !== "") check("supportAddress", describeEmailProblem(supportAddress));
  if (termsUrl !== "") check("termsUrl", describeUrlProblem(termsUrl));
  if (privacyUrl !== "") check("privacyUrl", describeUrlProblem(privacyUrl));
  const colors = { primaryColor: primaryColor.toLowerCase(), primaryColorDark: primaryColorDark.toLowerCase() };
  return { ...colors, disableWatermark, name, supportAddress, termsUrl, privacyUrl };
}

function describeColorProblem(color: string, scheme: Scheme): string | undefined {
  if (!isColor(color)) return "must be # and six hexadecimal digits, such as #3b4fc4";
  const contrast = findLowContrast(color, scheme);
  const other = scheme === "light" ? "a darker" : "a lighter";
  return contrast === undefined
    ? undefined
    : `must be ${other} color: links on ${scheme} pages would have a contrast of ${contrast}, and need 4.5`;
}

function describeUrlProblem(url: string): string | undefined {
  return describeRedirectUriProblem(url, { native: false, devMode: false })?.replace(
    "must be an absolute URI",
    "must be a URL",
  );
}
