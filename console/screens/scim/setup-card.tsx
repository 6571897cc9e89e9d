import { useState } from "preact/hooks";
import { Facts } from "../../parts/screen.tsx";
import { Copyable, GuideLink, SecretNote } from "../../parts/values.tsx";
import { useSession } from "../../state/session.ts";
import { namesOf } from "../../state/tables.ts";
import { scimTexts } from "./scim-texts.ts";

/** What a directory needs to know, to copy. */
export function SetupCard({ token }: { /** Empty if it is not known. */ readonly token: string }) {
  const { issuer } = useSession().settings;
  const own = scimTexts.value;
  return (
    <div class="panel">
      <Facts facts={[[own.address, <Copyable text={`${issuer}/scim/v2`} />]]} />
      {token !== "" && <SecretNote label={own.token} secret={token} />}
    </div>
  );
}

/** The directories with steps of their own. The page of the guide has the same name. */
const DIRECTORIES = { entra: "Entra ID", okta: "Okta" } as const;

/** What to do in the directory, in the words of its screens. */
export function DirectorySteps() {
  const own = scimTexts.value;
  const [chosen, setChosen] = useState<keyof typeof DIRECTORIES>("entra");
  return (
    <>
      <fieldset class="tiles">
        <legend class="spoken">{own.directory}</legend>
        {namesOf(DIRECTORIES).map((name) => (
          <button key={name} type="button" aria-pressed={name === chosen} onClick={() => setChosen(name)}>
            <strong>{DIRECTORIES[name]}</strong>
          </button>
        ))}
      </fieldset>
      <ol class="lines">
        {own.steps[chosen].map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p>
        <GuideLink page={`guides/${chosen}`}>{own.guide}</GuideLink>
      </p>
    </>
  );
}
