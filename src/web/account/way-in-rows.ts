import type { AccountPage, AccountVisit } from "./account-parts.ts";
import { formatDay } from "./format-time.ts";
import { PATHS, withQuery } from "./paths.ts";
import { actionButton, actionLink, type Row, toOwnNames } from "./rows.ts";

/** The password and the one-time codes. */
export function passwordRows(
  { language, account }: AccountVisit,
  { hasOneTimeCode }: Pick<AccountPage, "hasOneTimeCode">,
): readonly Row[] {
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
      value: hasOneTimeCode ? oneTimeCodes.active(recoveryCodes) : oneTimeCodes.none,
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
  const shownNames = account.passkeys.map(({ name, createdAt }) => name || texts.since(formatDay(language, createdAt)));
  const ownNames = toOwnNames(shownNames);
  return account.passkeys.map(({ id, createdAt, lastUsedAt }, index) => {
    const created = formatDay(language, createdAt);
    const [value = "", what = ""] = [shownNames[index], ownNames[index]];
    const used = lastUsedAt === null ? texts.unused : texts.used(formatDay(language, lastUsedAt));
    return {
      value,
      note: `${texts.created(created)}, ${used}`,
      actions: [
        actionLink(withQuery(PATHS.renamePasskey, { id }), actions.rename, what),
        actionLink(withQuery(PATHS.removePasskey, { id }), actions.remove, what),
      ],
    };
  });
}

/** The links to providers, and the providers without one that allow it. */
export function linkRows(
  { language, account }: AccountVisit,
  { idps, token }: Pick<AccountPage, "idps" | "token">,
): readonly Row[] {
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
