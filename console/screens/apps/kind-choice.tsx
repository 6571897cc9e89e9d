import { texts } from "../../state/language.ts";
import { NEW, toPath } from "../../state/routes.ts";
import { KIND_NAMES } from "./kinds.ts";

/** The first step: where the application runs. */
export function KindChoice({ orgId, mayAddServices }: { orgId: string; mayAddServices: boolean }) {
  const { apps } = texts.value;
  // The application gets tokens for a machine user, and so can do what that user can.
  const offered = KIND_NAMES.filter((kind) => kind !== "service" || mayAddServices);
  return (
    <ul class="cards large">
      {offered.map((kind) => (
        <li key={kind}>
          <a href={`${toPath({ page: "app", orgId, id: NEW })}?kind=${kind}`}>
            <strong>{apps.kinds[kind].name}</strong>
            <span>{apps.kinds[kind].meaning}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
