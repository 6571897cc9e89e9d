import { useState } from "preact/hooks";
import { SendHumanResetPasswordNotificationRequest_Type as Channel } from "../../../gen/signet/v1/user_credential_pb.js";
import { UserState } from "../../../gen/signet/v1/user_pb.js";
import { inOrg } from "../../api/api.ts";
import { ActionButton } from "../../parts/action-button.tsx";
import { Copyable } from "../../parts/copyable.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { Time } from "../../parts/time.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { useLoad } from "../../state/use-load.ts";
import { humanOf } from "../users/describe-user.ts";
import { NewPassword } from "./new-password.tsx";
import { Section } from "./section.tsx";
import type { UserPart } from "./user-part.ts";

/** How the user can sign in: password, passkeys, one-time codes. */
export function WaysInSection({ orgId, user, mayChange, onChanged }: UserPart) {
  const { api } = useSession();
  const { waysIn, ...own } = texts.value.user;
  const [link, setLink] = useState<string>();
  const call = inOrg(orgId);
  const { id: userId } = user;
  const found = useLoad(`ways in ${userId} ${user.details?.sequence}`, async (signal) => {
    const options = inOrg(orgId, signal);
    const [passkeys, factors] = await Promise.all([
      api.management.listHumanPasswordless({ userId }, options),
      api.management.listHumanAuthFactors({ userId }, options),
    ]);
    return { passkeys: passkeys.result, hasOneTimeCodes: factors.result.some(({ type }) => type.case === "otp") };
  });
  const changedAt = humanOf(user)?.passwordChanged;
  const sendReset = (type: Channel) => api.management.sendHumanResetPasswordNotification({ userId, type }, call);
  return (
    <Section title={waysIn.title}>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      <ul class="rows">
        <li>
          <span class="term">{waysIn.password}</span>
          <span class="value">{changedAt ? <Time at={changedAt} /> : own.none}</span>
          {mayChange && user.state === UserState.INITIAL && (
            <ActionButton
              label={waysIn.invite}
              done={waysIn.sent}
              change={() => api.management.resendHumanInitialization({ userId }, call)}
            />
          )}
          {mayChange && changedAt && (
            <ActionButton label={waysIn.reset} done={waysIn.sent} change={() => sendReset(Channel.EMAIL)} />
          )}
          {mayChange && changedAt && humanOf(user)?.phone?.isPhoneVerified && (
            <ActionButton label={waysIn.resetBySms} done={waysIn.sent} change={() => sendReset(Channel.SMS)} />
          )}
        </li>
        <li>
          <span class="term">{waysIn.passkeys}</span>
          <span class="value">{found.value?.passkeys.length === 0 && own.none}</span>
          {mayChange && (
            <ActionButton
              label={waysIn.passkeyLink}
              change={async () => {
                setLink((await api.management.addPasswordlessRegistration({ userId }, call)).link);
              }}
            />
          )}
        </li>
        {link && (
          <li>
            <span class="value">
              {waysIn.passkeyLinkText} <Copyable text={link} />
            </span>
          </li>
        )}
        {found.value?.passkeys.map(({ id: tokenId, name }) => (
          <li key={tokenId}>
            <span class="value">{name || waysIn.unnamed}</span>
            {mayChange && (
              <ActionButton
                label={texts.value.actions.remove}
                name={`${texts.value.actions.remove} ${name || waysIn.unnamed}`}
                isDangerous
                change={() => api.management.removeHumanPasswordless({ userId, tokenId }, call)}
                onDone={onChanged}
              />
            )}
          </li>
        ))}
        <li>
          <span class="term">{waysIn.oneTimeCodes}</span>
          <span class="value">{found.value && (found.value.hasOneTimeCodes ? waysIn.on : waysIn.off)}</span>
          {mayChange && found.value?.hasOneTimeCodes && (
            <ActionButton
              label={waysIn.removeCodes}
              isDangerous
              change={() => api.management.removeHumanAuthFactorOTP({ userId }, call)}
              onDone={onChanged}
            />
          )}
        </li>
      </ul>
      {mayChange && <NewPassword orgId={orgId} userId={userId} onSet={onChanged} />}
    </Section>
  );
}
