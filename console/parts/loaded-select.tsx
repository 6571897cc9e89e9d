import type { Bound } from "../state/use-form.ts";
import { useLoad } from "../state/use-load.ts";
import { Select } from "./field.tsx";
import { ProblemNote } from "./screen.tsx";

interface LoadedSelectProps extends Bound<string> {
  readonly label: string;
  readonly hint?: string;
  /** The label of no choice. */
  readonly none: string;
  /** In place of the hint if there is nothing to choose. */
  readonly emptyHint?: string;
  /** Everything that the choices depend on. */
  readonly id: string;
  readonly load: (signal: AbortSignal) => Promise<readonly { readonly id: string; readonly name: string }[]>;
}

/** Chooses one of the objects of a list, or none. What is chosen is shown by its id until its name is known. */
export function LoadedSelect({ label, hint, none, emptyHint, id: key, load, ...bound }: LoadedSelectProps) {
  const { value: found, problem, reload } = useLoad(key, load);
  const objects = found ?? [];
  const isListed = bound.value === "" || objects.some(({ id }) => id === bound.value);
  const others = isListed ? [] : [{ id: bound.value, name: bound.value }];
  return (
    <>
      <ProblemNote problem={problem} onRetry={reload} />
      <Select
        label={label}
        hint={found?.length === 0 && emptyHint ? emptyHint : hint}
        {...bound}
        options={[{ id: "", name: none }, ...objects, ...others].map(({ id, name }) => [id, name])}
      />
    </>
  );
}
