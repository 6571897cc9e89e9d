import type { ComponentChildren } from "preact";
import { Check, Choices, Field } from "../../parts/field.tsx";
import { texts } from "../../state/language.ts";
import type { Form } from "../../state/use-form.ts";

type Way = "invite" | "password";

const WAYS: readonly Way[] = ["invite", "password"];

/** What is entered for a new person. */
export const NEW_PERSON = {
  ...{ firstName: "", lastName: "", email: "", phone: "" },
  ...{ way: "invite" as Way, password: "", mustChange: true, isVerified: false },
};

type NewPerson = typeof NEW_PERSON;

/** The person in a request. Most people sign in with their address. */
export function toHuman(person: NewPerson, userName = "") {
  const { firstName, lastName, email, phone, way, password, mustChange, isVerified } = person;
  const hasPassword = way === "password";
  return {
    userName: userName || email,
    profile: { firstName, lastName },
    email: { email, isEmailVerified: hasPassword && isVerified },
    ...(phone.trim() !== "" && { phone: { phone } }),
    ...(hasPassword && { password, passwordChangeRequired: mustChange }),
  };
}

/** What the page says once the person is added. */
export function describeAdded(name: string, { way, email }: NewPerson): string {
  const { done } = texts.value;
  return way === "invite" ? done.addedAndInvited(name, email) : done.added(name);
}

interface PersonFieldsProps {
  readonly form: Pick<Form<NewPerson>, "values" | "field">;
  /** Of the person in the request, with a dot at its end. */
  readonly path?: string;
  /** A field beside the phone number. */
  readonly children?: ComponentChildren;
}

/** The fields of a new person: the name, the addresses, and how the person signs in the first time. */
export function PersonFields({ form, path = "", children }: PersonFieldsProps) {
  const { user, newUser, contact } = texts.value;
  const { fields, waysIn } = user;
  return (
    <>
      <div class="pair">
        <Field label={fields.firstName} {...form.field("firstName", `${path}profile.firstName`)} isRequired />
        <Field label={fields.lastName} {...form.field("lastName", `${path}profile.lastName`)} isRequired />
      </div>
      <Field label={fields.email} type="email" {...form.field("email", `${path}email.email`)} isRequired />
      <Choices
        label={newUser.way}
        options={WAYS.map((value) => ({ value, label: newUser.ways[value], meaning: newUser.meanings[value] }))}
        {...form.field("way")}
      />
      {form.values.way === "password" && (
        <>
          <Field label={waysIn.password} {...form.field("password", `${path}password`)} isRequired />
          <Check label={waysIn.mustChange} {...form.field("mustChange")} />
          <Check label={newUser.isVerified} {...form.field("isVerified")} />
        </>
      )}
      <div class="pair">
        <Field
          label={texts.value.users.columns.phone}
          type="tel"
          hint={contact.phoneHint}
          {...form.field("phone", `${path}phone.phone`)}
        />
        {children}
      </div>
    </>
  );
}

/** Who gets which message. */
export function PersonMessages({ email, phone, way, isVerified }: NewPerson) {
  const { messages, messageTexts } = texts.value.newUser;
  const address = email.trim();
  const number = phone.trim();
  const lines = [
    way === "invite" && messageTexts.invite(address),
    way === "password" && !isVerified && messageTexts.confirm(address),
    number !== "" && messageTexts.sms(number),
  ].filter((line) => line !== false);
  return <MessagesNote title={messages} lines={lines.length === 0 ? [messageTexts.none] : lines} />;
}

/** What happens in addition, before it does. */
export function MessagesNote({ title, lines }: { title: string; lines: readonly string[] }) {
  return (
    <div class="aside">
      <p class="term">{title}</p>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  );
}
