import { useRef } from "preact/hooks";
import type { LabelPolicy } from "../../../gen/signet/v1/label_policy_pb.js";
import { ActionButton } from "../../parts/action-button.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { texts } from "../../state/language.ts";
import { useAction } from "../../state/use-action.ts";
import { Section } from "../user/section.tsx";
import { IMAGE_NAMES, IMAGES, type ImageName } from "./image-names.ts";
import type { SignInPart } from "./sign-in-page.tsx";

interface ImagesSectionProps extends SignInPart {
  readonly policy: LabelPolicy | undefined;
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
  const { signInPage: own, actions, user } = texts.value;
  const input = useRef<HTMLInputElement>(null);
  const upload = useAction(async (file: File) => {
    const data = new Uint8Array(await file.arrayBuffer());
    await calls.upload({ image: IMAGES[name].image, data });
  });
  const label = own.imageNames[name];
  return (
    <li>
      <span class="term">{label}</span>
      <span class="value">
        {url ? <img class={`brand-image ${name}`} src={url} alt={label} /> : <span class="quiet">{user.none}</span>}
      </span>
      {mayChange && (
        <>
          <input
            ref={input}
            type="file"
            accept="image/png,image/svg+xml"
            aria-label={`${own.upload} ${label}`}
            onChange={async (event) => {
              const element = event.currentTarget;
              const [file] = element.files ?? [];
              if (file === undefined) return;
              const isDone = await upload.run(file);
              // The same file can be chosen again.
              element.value = "";
              if (isDone) onChanged();
            }}
          />
          <button
            type="button"
            class="secondary"
            aria-label={`${own.upload}: ${label}`}
            disabled={upload.isRunning}
            onClick={() => input.current?.click()}
          >
            {own.upload}
          </button>
          {url && (
            <ActionButton
              label={actions.remove}
              name={`${actions.remove}: ${label}`}
              isDangerous
              change={calls.removeImage[name]}
              onDone={onChanged}
            />
          )}
          <ProblemNote problem={upload.problem} />
        </>
      )}
    </li>
  );
}
