import { useState } from "preact/hooks";
import { SendHumanResetPasswordNotificationRequest_Type as Channel } from "../../../gen/signet/v1/user_credential_pb.js";
import { UserState } from "../../../gen/signet/v1/user_pb.js";
import { ActionButton } from "../../parts/actions.tsx";
import { EditForm } from "../../parts/edit-form.tsx";
import { Field, Option } from "../../parts/field.tsx";
import { ProblemNote, Section } from "../../parts/screen.tsx";
import { Row } from "../../parts/table.tsx";
import { Copyable, Time } from "../../parts/values.tsx";
import { texts } from "../../state/language.ts";
import { useApi } from "../../state/session.ts";
import { useForm } from "../../state/use-form.ts";
import { useLoad } from "../../state/use-load.ts";
import { addressOf, humanOf } from "../users/describe-user.ts";
import { RemoveButton, type UserPart } from "./user-part.tsx";

/** How the user can sign in: password, passkeys, one-time codes. */
export function WaysInSection(part: UserPart) {
  const { orgId, user, mayChange, onChanged } = part;
  const { management } = useApi(orgId);
  const { waysIn } = texts.value.user;
  const { id: userId } = user;
  const found = useLoad(`ways in ${userId} ${user.details?.sequence}`, async (signal) => {
    const [passkeys, factors] = await Promise.all([
      management.listHumanPasswordless({ userId }, { signal }),
      management.listHumanAuthFactors({ userId }, { signal }),
    ]);
    return { passkeys: passkeys.result, hasOneTimeCodes: factors.result.some(({ type }) => type.case === "otp") };
  });
  const { passkeys = [], hasOneTimeCodes } = found.value ?? {};
  return (
    <Section title={waysIn.title}>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      <ul class="rows">
        <PasswordRow {...part} />
        <PasskeyRow {...part} isEmpty={found.value?.passkeys.length === 0} />
        {passkeys.map(({ id: tokenId, name }) => {
          const shown = name || waysIn.unnamed;
          const change = () => management.removeHumanPasswordless({ userId, tokenId });
          return (
            <Row key={tokenId} action={mayChange && <RemoveButton of={shown} change={change} onDone={onChanged} />}>
              {shown}
            </Row>
          );
        })}
        <Row
          term={waysIn.oneTimeCodes}
          action={
            mayChange &&
            hasOneTimeCodes && (
              <ActionButton
                label={waysIn.removeCodes}
                done={waysIn.codesRemoved}
                isDangerous
                change={() => management.removeHumanAuthFactorOTP({ userId })}
                onDone={onChanged}
              />
            )
          }
        >
          {found.value && (hasOneTimeCodes ? waysIn.on : waysIn.off)}
        </Row>
      </ul>
      {mayChange && <NewPassword {...part} />}
    </Section>
  );
}

function PasswordRow({ orgId, user, mayChange }: UserPart) {
  const { management } = useApi(orgId);
  const { waysIn, none } = texts.value.user;
  const userId = user.id;
  const changedAt = humanOf(user)?.passwordChanged;
  const { phone } = humanOf(user) ?? {};
  const { done } = texts.value;
  const invite = () => management.resendHumanInitialization({ userId });
  const reset = (type: Channel) => () => management.sendHumanResetPasswordNotification({ userId, type });
  const isInvited = user.state === UserState.INITIAL;
  const maySend = changedAt !== undefined && phone?.isPhoneVerified;
  const offered = [
    isInvited && { label: waysIn.invite, done: done.invited(addressOf(user)), change: invite },
    changedAt && { label: waysIn.reset, done: done.sentTo(addressOf(user)), change: reset(Channel.EMAIL) },
    maySend && { label: waysIn.resetBySms, done: done.sentTo(phone.phone), change: reset(Channel.SMS) },
  ];
  const action = mayChange && offered.map((each) => each && <ActionButton key={each.label} {...each} />);
  return (
    <Row term={waysIn.password} action={action}>
      {changedAt ? <Time at={changedAt} /> : none}
    </Row>
  );
}

/** Creates a link with which the user adds a passkey, and shows it. */
function PasskeyRow({ orgId, user, mayChange, isEmpty }: UserPart & { isEmpty: boolean }) {
  const { management } = useApi(orgId);
  const { waysIn, none } = texts.value.user;
  const [link, setLink] = useState<string>();
  const create = async () => {
    setLink((await management.addPasswordlessRegistration({ userId: user.id })).link);
  };
  return (
    <>
      <Row
        term={waysIn.passkeys}
        action={
          mayChange && <ActionButton label={waysIn.passkeyLink} done={waysIn.passkeyLinkCreated} change={create} />
        }
      >
        {isEmpty && none}
      </Row>
      {link && (
        <Row>
          {waysIn.passkeyLinkText} <Copyable text={link} />
        </Row>
      )}
    </>
  );
}

/** Sets a password, for a user whom no email reaches. */
function NewPassword({ orgId, user, onChanged }: UserPart) {
  const { management } = useApi(orgId);
  const { waysIn } = texts.value.user;
  const [mustChange, setMustChange] = useState(true);
  const form = useForm({
    ...{ stored: { password: "" }, isEmptied: true, done: waysIn.passwordSet, onSaved: onChanged },
    save: ({ password }) => management.setHumanPassword({ userId: user.id, password, noChangeRequired: !mustChange }),
  });
  return (
    <details>
      <summary>{waysIn.setPassword}</summary>
      <p class="hint">{waysIn.setPasswordText}</p>
      <EditForm form={form} button={waysIn.setPassword}>
        <Field label={waysIn.newPassword} {...form.field("password")} isRequired />
        <Option isChosen={mustChange} onInput={setMustChange}>
          {waysIn.mustChange}
        </Option>
      </EditForm>
    </details>
  );
}
