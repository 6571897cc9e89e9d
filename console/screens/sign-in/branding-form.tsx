import type { LabelPolicy } from "../../../gen/signet/v1/label_policy_pb.js";
import { ActionButton } from "../../parts/actions.tsx";
import { EditForm } from "../../parts/edit-form.tsx";
import { Check, ColorField, Field } from "../../parts/field.tsx";
import { FileButton } from "../../parts/file-button.tsx";
import { ProblemNote, Section } from "../../parts/screen.tsx";
import { Row } from "../../parts/table.tsx";
import { texts } from "../../state/language.ts";
import { useAction } from "../../state/use-action.ts";
import { type Bound, oppositeOf, useForm } from "../../state/use-form.ts";
import { findReadable } from "./accent.ts";
import { InstanceValue, onOff } from "./instance-value.tsx";
import { IMAGE_NAMES, IMAGES, type ImageName, type SignInPart } from "./policy-calls.ts";
import { type BrandingValues, toBrandingValues } from "./policy-values.ts";

interface BrandingFormProps extends SignInPart {
  readonly isInherited: boolean;
  /** What the instance has, to compare it with. */
  readonly inherited: BrandingValues | undefined;
  readonly stored: BrandingValues;
}

/** The name, the colors and the links of the pages. */
export function BrandingForm({ calls, mayChange, onChanged, isInherited, inherited, stored }: BrandingFormProps) {
  const { signInPage: own } = texts.value;
  const form = useForm({
    ...{ stored, isReadOnly: !mayChange, onSaved: onChanged },
    latest: async () => toBrandingValues((await calls.preview()).policy),
    async save(values) {
      await calls.saveBranding(values, isInherited);
    },
  });
  const ofInstance = (name: keyof BrandingValues, label: string) => (
    <InstanceValue
      {...{ form, name, label, inherited }}
      toText={(value) => (typeof value === "boolean" ? onOff(!value) : value)}
    />
  );
  return (
    <Section title={own.branding}>
      <EditForm form={form}>
        {inherited && <p class="hint">{own.ofInstance.hint}</p>}
        <Field label={own.fields.name} {...form.field("name")} maxLength={60} />
        {ofInstance("name", own.fields.name)}
        <div class="fields">
          {(["primaryColor", "primaryColorDark"] as const).map((name) => (
            <div key={name}>
              <BrandColorField scheme={name === "primaryColor" ? "light" : "dark"} {...form.field(name)} />
              {ofInstance(name, own.fields[name])}
            </div>
          ))}
        </div>
        {(["supportAddress", "termsUrl", "privacyUrl"] as const).map((name) => (
          <div key={name}>
            <Field label={own.fields[name]} {...form.field(name)} />
            {ofInstance(name, own.fields[name])}
          </div>
        ))}
        <Check label={own.fields.watermark} {...oppositeOf(form.field("disableWatermark"))} />
        {ofInstance("disableWatermark", own.fields.watermark)}
      </EditForm>
    </Section>
  );
}

/** A color, with the nearest one that can be read on the pages while it cannot. */
function BrandColorField({ scheme, ...bound }: Bound<string> & { readonly scheme: "light" | "dark" }) {
  const { fields, unreadable, useNearest } = texts.value.signInPage;
  const nearest = findReadable(bound.value, scheme);
  return (
    <div>
      <ColorField
        label={scheme === "light" ? fields.primaryColor : fields.primaryColorDark}
        {...bound}
        error={nearest === undefined ? bound.error : unreadable[scheme]}
      />
      {nearest !== undefined && !bound.isReadOnly && (
        <button type="button" class="link" onClick={() => bound.onInput(nearest)}>
          <span class="swatch" style={{ background: nearest }} /> {useNearest(nearest)}
        </button>
      )}
    </div>
  );
}

type Policy = LabelPolicy | undefined;

/** Says whether users see what is saved, and lets it be activated, or given up. */
export function ActivationNote({ preview, active, ...part }: SignInPart & { preview: Policy; active: Policy }) {
  const { calls, owner, mayChange, onChanged } = part;
  const { signInPage: own } = texts.value;
  const isInherited = preview?.isDefault ?? false;
  const isLive = isActive(preview, active);
  return (
    <div class={isLive ? "status" : "save-bar"}>
      <p role="status">{isLive ? (isInherited ? own.inherited[owner] : own.isActive) : own.notActive}</p>
      {mayChange && !isInherited && (
        <ActionButton
          label={own.reset[owner]}
          done={own.inherited[owner]}
          isDangerous
          change={calls.resetBranding}
          onDone={onChanged}
        />
      )}
      {mayChange && !isLive && (
        <ActionButton label={own.activate} done={own.isActive} isPrimary change={calls.activate} onDone={onChanged} />
      )}
    </div>
  );
}

/** Whether users see what is saved. */
export function isActive(preview: Policy, active: Policy): boolean {
  return describe(preview) === describe(active);
}

/** What users see of a policy. */
function describe(policy: Policy): string {
  const { isDefault, logoUrl, logoUrlDark, iconUrl, iconUrlDark } = policy ?? {};
  return JSON.stringify([isDefault, toBrandingValues(policy), logoUrl, logoUrlDark, iconUrl, iconUrlDark]);
}

interface ImagesSectionProps extends SignInPart {
  readonly policy: Policy;
  /** Whether a branding has to be saved first. */
  readonly isLater: boolean;
}

/** The logos and the icons of the pages. */
export function ImagesSection({ policy, isLater, ...part }: ImagesSectionProps) {
  const { signInPage: own } = texts.value;
  return (
    <Section title={own.images}>
      <p class="hint">{isLater ? own.imagesLater : own.imagesHint}</p>
      <ul class="rows">
        {IMAGE_NAMES.map((name) => (
          <ImageRow
            key={name}
            {...part}
            name={name}
            url={policy?.[IMAGES[name].url] ?? ""}
            mayChange={part.mayChange && !isLater}
          />
        ))}
      </ul>
    </Section>
  );
}

function ImageRow({ calls, mayChange, onChanged, name, url }: SignInPart & { name: ImageName; url: string }) {
  const { signInPage: own, actions, user, done } = texts.value;
  const label = own.imageNames[name];
  const send = async (file: File) => {
    const data = new Uint8Array(await file.arrayBuffer());
    await calls.upload({ image: IMAGES[name].image, data });
  };
  const upload = useAction(send, actions.saved, onChanged);
  const changes = (
    <>
      <FileButton
        {...{ label: own.upload, name: `${own.upload}: ${label}`, field: `${own.upload} ${label}` }}
        accept="image/png,image/svg+xml"
        isInert={upload.isRunning}
        onFiles={(files) => files?.[0] && upload.run(files[0])}
      />
      <ProblemNote problem={upload.problem} />
      {url && (
        <ActionButton
          label={actions.remove}
          name={`${actions.remove}: ${label}`}
          done={done.removed(label)}
          isDangerous
          change={calls.removeImage[name]}
          onDone={onChanged}
        />
      )}
    </>
  );
  return (
    <Row term={label} action={mayChange && changes}>
      {url ? <img class={`brand-image ${name}`} src={url} alt={label} /> : <span class="quiet">{user.none}</span>}
    </Row>
  );
}
