import { isNoAddress } from "../../../fields/no-address.ts";
import { type Html, html } from "../../../html.ts";
import { parseUserAgent } from "../../../parse-user-agent.ts";
import type { Language } from "../../../texts/languages.ts";
import type { PageLanguage } from "../../../texts/page-language.ts";
import { fillIn } from "../../../texts/placeholders.ts";
import { formatDay, formatTime } from "../../frame/format-time.ts";
import type { AccountPage, AccountVisit } from "../account-parts.ts";
import { PATHS, withQuery } from "../paths.ts";
import { actionButton, actionLink, type Row, toOwnNames } from "./rows.ts";

/** The name of the organization that every instance has. It means nothing to users. */
const DEFAULT_ORG = "default";

/** The user's names, address, number, language and organization. */
export function profileRows({ language, account }: AccountVisit): readonly Row[] {
  const texts = language.texts.account;
  const { actions } = texts;
  const { email, emailVerified, nextEmail, phone, phoneVerified, orgName } = account;
  const change = (path: string, what: string, label = actions.change) => [actionLink(path, label, what)];
  const hasAddress = !isNoAddress(email);
  const phoneLabel = phone === null ? actions.add : actions.change;
  return [
    { term: texts.name, value: account.displayName, actions: change(PATHS.name, texts.name) },
    { term: texts.userName, value: account.userName, actions: change(PATHS.userName, texts.userName) },
    {
      term: texts.email,
      value: hasAddress ? html`${email}${!emailVerified && unverified(texts.unverified)}` : texts.noAddress,
      note: nextEmail === null ? undefined : fillIn(texts.nextEmail, { address: nextEmail }),
      actions: change(PATHS.email, texts.email, hasAddress ? actions.change : actions.add),
    },
    {
      term: texts.phone,
      value: phone === null ? texts.none : html`${phone}${!phoneVerified && unverified(texts.unverified)}`,
      actions: change(PATHS.phone, texts.phone, phoneLabel),
    },
    {
      term: texts.language,
      value: languageName(language.tag, account.preferred_language) ?? texts.browserLanguage,
      actions: change(PATHS.language, texts.language),
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

export function passwordRows({ language, account }: AccountVisit, { hasOneTimeCode }: AccountPage): readonly Row[] {
  const { password, oneTimeCodes, actions } = language.texts.account;
  const { hasPassword, recoveryCodes, policy } = account;
  const maySet = hasPassword || policy.allowUsernamePassword;
  return [
    {
      term: password.title,
      value: hasPassword ? password.isSet : password.isMissing,
      actions: maySet ? [actionLink(PATHS.password, hasPassword ? actions.change : actions.set, password.title)] : [],
    },
    {
      term: oneTimeCodes.title,
      value: hasOneTimeCode ? fillIn(oneTimeCodes.active, { left: recoveryCodes }) : oneTimeCodes.none,
      actions: hasOneTimeCode
        ? [
            actionLink(PATHS.newRecoveryCodes, oneTimeCodes.newCodes, oneTimeCodes.title),
            actionLink(PATHS.removeOneTimeCode, actions.remove, oneTimeCodes.title),
          ]
        : [actionLink(PATHS.oneTimeCode, actions.setUp, oneTimeCodes.title)],
    },
  ];
}

export function passkeyRows({ language, account }: AccountVisit): readonly Row[] {
  const { passkeys: texts, actions } = language.texts.account;
  const shownNames = account.passkeys.map(
    ({ name, createdAt }) => name || fillIn(texts.since, { date: formatDay(language, createdAt) }),
  );
  const ownNames = toOwnNames(shownNames);
  return account.passkeys.map(({ id, createdAt, lastUsedAt }, index) => {
    const created = formatDay(language, createdAt);
    const [value = "", what = ""] = [shownNames[index], ownNames[index]];
    const used = lastUsedAt === null ? texts.unused : fillIn(texts.used, { date: formatDay(language, lastUsedAt) });
    return {
      value,
      note: `${fillIn(texts.created, { date: created })}, ${used}`,
      actions: [
        actionLink(withQuery(PATHS.renamePasskey, { id }), actions.rename, what),
        actionLink(withQuery(PATHS.removePasskey, { id }), actions.remove, what),
      ],
    };
  });
}

/** The links to providers, and the providers without one that allow it. */
export function linkRows({ language, account }: AccountVisit, { idps, token }: AccountPage): readonly Row[] {
  const { idps: texts, actions } = language.texts.account;
  const unlinked = idps.filter(
    ({ id, isLinkingAllowed }) => isLinkingAllowed && !account.idpLinks.some(({ idpId }) => idpId === id),
  );
  const linkedNames = toOwnNames(
    account.idpLinks.map(({ idpName, displayName }) => `${idpName} ${displayName}`.trim()),
  );
  const unlinkedNames = toOwnNames(unlinked.map(({ name }) => name));
  const linked = account.idpLinks.map(({ idpId, externalUserId, idpName, displayName, isActive }, index) => {
    const notes = [displayName, isActive ? "" : texts.inactive].filter((note) => note !== "");
    const query = { idp: idpId, external: externalUserId };
    return {
      value: idpName,
      note: notes.length > 0 ? notes.join(" · ") : undefined,
      actions: [actionLink(withQuery(PATHS.unlink, query), actions.remove, linkedNames[index] ?? "")],
    };
  });
  return [
    ...linked,
    ...unlinked.map(({ id, name }, index) => ({
      value: name,
      note: texts.unlinked,
      actions: [
        actionButton({ path: PATHS.links, token, label: texts.link, what: unlinkedNames[index] ?? "", value: id }),
      ],
    })),
  ];
}

/** The browsers in which the user is signed in. */
export function sessionRows({ language, session }: AccountVisit, { list, token }: AccountPage): readonly Row[] {
  const texts = language.texts.account.sessions;
  const described = list.sessions.map((one) => ({
    ...one,
    browser: describeBrowser(language, one.userAgent),
    since: formatTime(language, one.signedInAt),
  }));
  // Sessions in browsers of the same kind can begin in the same minute.
  const ownNames = toOwnNames(described.map(({ browser, since }) => `${browser}, ${since}`));
  return described.map(({ id, browser, since, lastSeenAt, appNames }, index) => {
    const isHere = id === session.id;
    const times = `${fillIn(texts.signedIn, { time: since })}, ${fillIn(texts.seen, { time: formatTime(language, lastSeenAt) })}`;
    const end = { path: PATHS.session, token, label: texts.end, what: ownNames[index] ?? "", value: id };
    return {
      value: html`${browser}${isHere && html` <strong class="badge">${texts.here}</strong>`}`,
      note: html`${times}${appNames.length > 0 && html`<br>${appNames.join(", ")}`}`,
      actions: isHere ? [] : [actionButton(end)],
    };
  });
}

export function accessRows({ language }: AccountVisit, { list }: AccountPage): readonly Row[] {
  const texts = language.texts.account.apps;
  const ownNames = toOwnNames(list.apps.map(({ name }) => name));
  return list.apps.map(({ id, name, since }, index) => ({
    value: name,
    note: fillIn(texts.since, { date: formatDay(language, since) }),
    actions: [actionLink(withQuery(PATHS.withdraw, { id }), texts.withdraw, ownNames[index] ?? "")],
  }));
}

/** Describes the browser of a header `user-agent`, such as "Firefox on Linux". */
function describeBrowser(language: PageLanguage, userAgent: string | null): string {
  const { browserOn, unknownBrowser } = language.texts.account.sessions;
  const { browser = unknownBrowser, system } = parseUserAgent(userAgent ?? undefined);
  return system === undefined ? browser : fillIn(browserOn, { browser, system });
}
