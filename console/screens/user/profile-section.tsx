import { create } from "@bufbuild/protobuf";
import { Gender, ProfileSchema, type User } from "../../../gen/signet/v1/user_pb.js";
import { ActionButton } from "../../parts/actions.tsx";
import { EditForm } from "../../parts/edit-form.tsx";
import { Check, Field, Select } from "../../parts/field.tsx";
import { Section } from "../../parts/screen.tsx";
import { texts } from "../../state/language.ts";
import { useApi } from "../../state/session.ts";
import { pick } from "../../state/tables.ts";
import { useForm } from "../../state/use-form.ts";
import { addressOf, humanOf } from "../users/describe-user.ts";
import type { UserPart } from "./user-part.tsx";

const NAMES = ["firstName", "lastName", "nickName", "displayName", "preferredLanguage"] as const;
const FIELDS = [...NAMES, "userName", "email"] as const;
const REQUIRED: ReadonlySet<string> = new Set(["firstName", "lastName", "userName", "email"]);
const GENDERS = [Gender.UNSPECIFIED, Gender.FEMALE, Gender.MALE, Gender.DIVERSE] as const;

/** A form for a part of a user, which makes a call for each kind of value that has changed. */
function useUserForm<Values extends object>(
  { orgId, user, mayChange, onChanged }: UserPart,
  toValues: (user: User) => Values,
  save: (values: Values, differs: (...names: (keyof Values)[]) => boolean) => Promise<void>,
) {
  const { management } = useApi(orgId);
  return useForm({
    ...{ stored: toValues(user), isReadOnly: !mayChange, onSaved: onChanged },
    async latest() {
      const { user: latest } = await management.getUserByID({ id: user.id });
      return latest && toValues(latest);
    },
    save: (values, changed) => save(values, (...names) => changed.some((name) => names.includes(name))),
  });
}

/** The names, the gender, the user name and the address. */
export function ProfileSection(part: UserPart) {
  const { management } = useApi(part.orgId);
  const { fields, genders, ...own } = texts.value.user;
  const userId = part.user.id;
  const form = useUserForm(part, toProfile, async ({ gender, userName, email, ...names }, differs) => {
    // The call replaces the whole profile.
    if (differs(...NAMES, "gender")) {
      await management.updateHumanProfile({ userId, gender: Number(gender), ...names });
    }
    if (differs("userName")) await management.updateUserName({ userId, userName });
    if (differs("email")) await management.updateHumanEmail({ userId, email });
  });
  const address = addressOf(part.user);
  const verified = humanOf(part.user)?.email?.isEmailVerified ? own.verified : own.notVerified;
  const emailHint = address === "" ? own.noAddress : verified;
  return (
    <Section title={own.profile}>
      <EditForm form={form}>
        <div class="fields">
          {FIELDS.map((name) => (
            <Field
              key={name}
              label={fields[name]}
              type={name === "email" ? "email" : "text"}
              hint={name === "email" ? emailHint : undefined}
              {...form.field(name)}
              isRequired={REQUIRED.has(name) && (name !== "email" || address !== "")}
            />
          ))}
          <Select
            label={genders.label}
            options={GENDERS.map((gender) => [String(gender), genders[gender]])}
            {...form.field("gender")}
          />
        </div>
      </EditForm>
    </Section>
  );
}

function toProfile(user: User) {
  const { profile = create(ProfileSchema) } = humanOf(user) ?? {};
  return {
    ...pick(profile, NAMES),
    gender: String(profile.gender),
    userName: user.userName,
    email: addressOf(user),
  };
}

/** The names of a machine user, and what it is for. */
export function MachineSection(part: UserPart) {
  const { management } = useApi(part.orgId);
  const { machine, user: own } = texts.value;
  const userId = part.user.id;
  const form = useUserForm(part, toMachine, async ({ userName, ...names }, differs) => {
    if (differs("name", "description")) await management.updateMachine({ userId, ...names });
    if (differs("userName")) await management.updateUserName({ userId, userName });
  });
  return (
    <Section title={own.profile}>
      <EditForm form={form}>
        <div class="fields">
          <Field label={machine.name} {...form.field("name")} isRequired />
          <Field label={machine.description} {...form.field("description")} />
          <Field label={own.fields.userName} {...form.field("userName")} isRequired />
        </div>
      </EditForm>
    </Section>
  );
}

function toMachine(user: User) {
  const { name = "", description = "" } = user.type.case === "machine" ? user.type.value : {};
  return { name, description, userName: user.userName };
}

/** The phone number, and whether address and number are verified. The address itself is part of the profile. */
export function ContactSection(part: UserPart) {
  const { management } = useApi(part.orgId);
  const { contact, user: own, users } = texts.value;
  const { phone } = humanOf(part.user) ?? {};
  const form = useUserForm(part, toContact, async (values) => {
    await management.updateHumanPhone({ userId: part.user.id, ...values });
  });
  const hint = phone?.isPhoneVerified ? own.verified : own.notVerified;
  return (
    <Section title={contact.title}>
      <EditForm form={form}>
        <div class="fields">
          <Field
            label={users.columns.phone}
            type="tel"
            hint={phone?.phone ? hint : contact.phoneHint}
            {...form.field("phone")}
            isRequired
          />
        </div>
        {form.changed.includes("phone") && <Check label={contact.isVerified} {...form.field("isPhoneVerified")} />}
      </EditForm>
      {part.mayChange && <ContactActions {...part} />}
    </Section>
  );
}

function toContact(user: User) {
  return { phone: humanOf(user)?.phone?.phone ?? "", isPhoneVerified: false };
}

function ContactActions({ orgId, user, onChanged: onDone }: UserPart) {
  const { management } = useApi(orgId);
  const { contact, done } = texts.value;
  const { phone, email } = humanOf(user) ?? {};
  const userId = user.id;
  const update = (changes: object) => management.updateHumanEmail({ userId, email: email?.email ?? "", ...changes });
  const isUnverified = email && addressOf(user) !== "" && !email.isEmailVerified;
  const offered = [
    phone?.phone &&
      !phone.isPhoneVerified && {
        ...{ label: contact.resendSms, done: done.sentTo(phone.phone) },
        change: () => management.resendHumanPhoneVerification({ userId }),
      },
    phone?.phone && {
      ...{ label: contact.removePhone, done: done.removed(phone.phone), isDangerous: true },
      change: () => management.removeHumanPhone({ userId }),
    },
    isUnverified && { label: contact.verifyEmail, done: done.sentTo(email.email), change: () => update({}) },
    isUnverified && {
      ...{ label: contact.markVerified, done: done.verified(email.email) },
      change: () => update({ isEmailVerified: true }),
    },
  ];
  return (
    <div class="buttons">
      {offered.map((action) => action && <ActionButton key={action.label} {...action} onDone={onDone} />)}
    </div>
  );
}
