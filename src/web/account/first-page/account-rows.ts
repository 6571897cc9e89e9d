import { isNoAddress } from "../../../fields/no-address.ts";
import { type Html, html } from "../../../html.ts";
import type { OfferedIdp } from "../../../idps/find-sign-in-idp.ts";
import { parseUserAgent } from "../../../parse-user-agent.ts";
import type { Language } from "../../../texts/languages.ts";
import type { PageLanguage } from "../../../texts/page-language.ts";
import { fillIn } from "../../../texts/placeholders.ts";
import { formatDay, formatTime } from "../../frame/format-time.ts";
import type { SessionList } from "../../frame/sessions.ts";
import type { AccountVisit } from "../account-parts.ts";
import { PATHS, withQuery } from "../paths.ts";
import type { Row } from "./rows.ts";

/** The name of the organization that every instance has. It means nothing to users. */
const DEFAULT_ORG = "default";

/** The user's names, address, number, language and organization. */
export function profileRows({ language, account }: AccountVisit): readonly Row[] {
  const texts = language.texts.account;
  const { actions } = texts;
  const { email, emailVerified, nextEmail, phone, phoneVerified, orgName } = account;
  const change = (path: string, label = actions.change) => [{ path, label }];
  const hasAddress = !isNoAddress(email);
  return [
    { term: texts.name, value: account.displayName, actions: change(PATHS.name) },
    { term: texts.userName, value: account.userName, actions: change(PATHS.userName) },
    {
      term: texts.email,
      value: hasAddress ? html`${email}${!emailVerified && unverified(texts.unverified)}` : texts.noAddress,
      note: nextEmail === null ? undefined : fillIn(texts.nextEmail, { address: nextEmail }),
      actions: change(PATHS.email, hasAddress ? actions.change : actions.add),
    },
    {
      term: texts.phone,
      value: phone === null ? texts.none : html`${phone}${!phoneVerified && unverified(texts.unverified)}`,
      actions: change(PATHS.phone, phone === null ? actions.add : actions.change),
    },
    {
      term: texts.language,
      value: languageName(language.tag, account.preferred_language) ?? texts.browserLanguage,
      actions: change(PATHS.language),
    },
    ...(orgName === DEFAULT_ORG ? [] : [{ term: texts.org, value: orgName }]),
  ];
}

/** The name of a language in another one; undefined without a tag. */
export function languageName(language: Language, tag: string | null): string | undefined {
  return tag === null ? undefined : new Intl.DisplayNames(language, { type: "language" }).of(tag);
}

function unverified(text: string): Html {
  return html`<br><span class="small">${text}</span>`;
}

export function passwordRows({ language, account }: AccountVisit, hasOneTimeCode: boolean): readonly Row[] {
  const { password, oneTimeCodes, actions } = language.texts.account;
  const { hasPassword, recoveryCodes, policy } = account;
  const maySet = hasPassword || policy.allowUsernamePassword;
  return [
    {
      term: password.title,
      value: hasPassword ? password.isSet : password.isMissing,
      actions: maySet ? [{ path: PATHS.password, label: hasPassword ? actions.change : actions.set }] : [],
    },
    {
      term: oneTimeCodes.title,
      value: hasOneTimeCode ? fillIn(oneTimeCodes.active, { left: recoveryCodes }) : oneTimeCodes.none,
      actions: hasOneTimeCode
        ? [
            { path: PATHS.newRecoveryCodes, label: oneTimeCodes.newCodes },
            { path: PATHS.removeOneTimeCode, label: actions.remove },
          ]
        : [{ path: PATHS.oneTimeCode, label: actions.setUp }],
    },
  ];
}

export function passkeyRows({ language, account }: AccountVisit): readonly Row[] {
  const { passkeys: texts, actions } = language.texts.account;
  return account.passkeys.map(({ id, name, createdAt, lastUsedAt }) => {
    const date = formatDay(language, createdAt);
    const value = name || fillIn(texts.since, { date });
    const used = lastUsedAt === null ? texts.unused : fillIn(texts.used, { date: formatDay(language, lastUsedAt) });
    return {
      value,
      note: `${fillIn(texts.created, { date })}, ${used}`,
      what: value,
      actions: [
        { path: withQuery(PATHS.renamePasskey, { id }), label: actions.rename },
        { path: withQuery(PATHS.removePasskey, { id }), label: actions.remove },
      ],
    };
  });
}

/** The links to providers, and the providers without one that allow it. */
export function linkRows({ language, account }: AccountVisit, idps: readonly OfferedIdp[]): readonly Row[] {
  const { idps: texts, actions } = language.texts.account;
  const linked = account.idpLinks.map(({ idpId, externalUserId, idpName, displayName, isActive }) => {
    const notes = [displayName, isActive ? "" : texts.inactive].filter((note) => note !== "");
    const query = { idp: idpId, external: externalUserId };
    return {
      value: idpName,
      note: notes.length > 0 ? notes.join(" · ") : undefined,
      what: `${idpName} ${displayName}`.trim(),
      actions: [{ path: withQuery(PATHS.unlink, query), label: actions.remove }],
    };
  });
  const unlinked = idps.filter(
    ({ id, isLinkingAllowed }) => isLinkingAllowed && !account.idpLinks.some(({ idpId }) => idpId === id),
  );
  return [
    ...linked,
    ...unlinked.map(({ id, name }) => ({
      value: name,
      note: texts.unlinked,
      what: name,
      actions: [{ path: PATHS.links, label: texts.link, id }],
    })),
  ];
}

/** The browsers in which the user is signed in. Several of the same kind can sign in in the same minute. */
export function sessionRows({ language, session }: AccountVisit, { sessions }: SessionList): readonly Row[] {
  const texts = language.texts.account.sessions;
  return sessions.map(({ id, userAgent, signedInAt, lastSeenAt, appNames }) => {
    const browser = describeBrowser(language, userAgent);
    const time = formatTime(language, signedInAt);
    const isHere = id === session.id;
    const times = `${fillIn(texts.signedIn, { time })}, ${fillIn(texts.seen, { time: formatTime(language, lastSeenAt) })}`;
    return {
      value: html`${browser}${isHere && html` <strong class="badge">${texts.here}</strong>`}`,
      note: html`${times}${appNames.length > 0 && html`<br>${appNames.join(", ")}`}`,
      what: `${browser}, ${time}`,
      actions: isHere ? [] : [{ path: PATHS.session, label: texts.end, id }],
    };
  });
}

export function accessRows({ language }: AccountVisit, { apps }: SessionList): readonly Row[] {
  const texts = language.texts.account.apps;
  return apps.map(({ id, name, since }) => ({
    value: name,
    note: fillIn(texts.since, { date: formatDay(language, since) }),
    what: name,
    actions: [{ path: withQuery(PATHS.withdraw, { id }), label: texts.withdraw }],
  }));
}

/** What users can do with all of their data. */
export function dataRows({ language }: AccountVisit, allowsRemoval: boolean): readonly Row[] {
  const { data, actions } = language.texts.account;
  const row = (value: string, note: string, path: string) => ({
    ...{ value, note, what: value },
    actions: [{ path, label: actions.open }],
  });
  return [
    row(data.download, data.downloadHint, PATHS.data),
    ...(allowsRemoval ? [row(data.remove, data.removeHint, PATHS.remove)] : []),
  ];
}

/** Describes the browser of a header `user-agent`, such as "Firefox on Linux". */
function describeBrowser(language: PageLanguage, userAgent: string | null): string {
  const { browserOn, unknownBrowser } = language.texts.account.sessions;
  const { browser = unknownBrowser, system } = parseUserAgent(userAgent ?? undefined);
  return system === undefined ? browser : fillIn(browserOn, { browser, system });
}
