import { timestampDate } from "@bufbuild/protobuf/wkt";
import { type InstanceKey, InstanceKeyState } from "../../../gen/signet/v1/instance_pb.js";
import { TableArea } from "../../parts/table-area.tsx";
import { Time } from "../../parts/time.tsx";
import { language, texts } from "../../state/language.ts";
import { Section } from "../user/section.tsx";

const DAY_MS = 86_400_000;

/** The keys that sign tokens and encrypt secrets, and their age. */
export function KeysSection({ keys }: { keys: readonly InstanceKey[] }) {
  const { instance } = texts.value;
  return (
    <Section title={instance.keys}>
      <TableArea label={instance.key} isCurrent>
        <table>
          <thead>
            <tr>
              <th scope="col">{instance.key}</th>
              <th scope="col">{instance.use}</th>
              <th scope="col">{instance.keyState}</th>
              <th scope="col">{instance.created}</th>
              <th scope="col">{instance.age}</th>
            </tr>
          </thead>
          <tbody>
            {keys.map((key) => (
              <tr key={key.id}>
                <th scope="row">
                  <code>{key.id}</code>
                </th>
                <td>{key.algorithm === MASTER ? instance.encrypts : instance.signs(key.algorithm)}</td>
                <td>
                  <span class={key.state === InstanceKeyState.CURRENT ? "state good" : "state"}>
                    {instance.keyStates[key.state]}
                  </span>
                </td>
                <td>
                  <Time at={key.creationDate} />
                </td>
                <td>{ageOf(key)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableArea>
      <p class="small">{instance.rotate}</p>
    </Section>
  );
}

const MASTER = "A256GCM";

/** Such as "3 days". */
function ageOf({ creationDate }: InstanceKey): string {
  if (creationDate === undefined) return "";
  const days = Math.max(0, Math.floor((Date.now() - timestampDate(creationDate).getTime()) / DAY_MS));
  return new Intl.NumberFormat(language.value, { style: "unit", unit: "day", unitDisplay: "long" }).format(days);
}
