import { html } from "../../html.ts";
import type { AccountPage, AccountVisit } from "./account-parts.ts";
import { describeBrowser } from "./describe-browser.ts";
import { formatDay, formatTime } from "./format-time.ts";
import { PATHS, withQuery } from "./paths.ts";
import { actionButton, actionLink, type Row, toOwnNames } from "./rows.ts";

/** The browsers in which the user is signed in. */
export function sessionRows(
  { language, session }: AccountVisit,
  { list, token }: Pick<AccountPage, "list" | "token">,
): readonly Row[] {
  const texts = language.texts.account.sessions;
  const described = list.sessions.map((one) => ({
    ...one,
    browser: describeBrowser(language, one.userAgent),
    since: formatTime(language, one.signedInAt),
  }));
  // Several sessions can be in browsers of the same kind, and begin in the same minute.
  const ownNames = toOwnNames(described.map(({ browser, since }) => `${browser}, ${since}`));
  return described.map(({ id, browser, since, lastSeenAt, appNames }, index) => {
    const isHere = id === session.id;
    const times = `${texts.signedIn(since)}, ${texts.seen(formatTime(language, lastSeenAt))}`;
    const end = { path: PATHS.session, token, label: texts.end, what: ownNames[index] ?? "", value: id };
    return {
      value: html`${browser}${isHere && html` <strong class="badge">${texts.here}</strong>`}`,
      note: html`${times}${appNames.length > 0 && html`<br>${appNames.join(", ")}`}`,
      actions: isHere ? [] : [actionButton(end)],
    };
  });
}

/** The applications with access. */
export function accessRows({ language }: AccountVisit, { list }: Pick<AccountPage, "list">): readonly Row[] {
  const texts = language.texts.account.apps;
  const ownNames = toOwnNames(list.apps.map(({ name }) => name));
  return list.apps.map(({ id, name, since }, index) => ({
    value: name,
    note: texts.since(formatDay(language, since)),
    actions: [actionLink(withQuery(PATHS.withdraw, { id }), texts.withdraw, ownNames[index] ?? "")],
  }));
}
