interface StepsProps {
  readonly names: readonly string[];
  readonly current: number;
  /** Leads to the first step again. */
  readonly firstPath?: string | undefined;
}

/** The steps of a task, and which of them is shown. */
export function Steps({ names, current, firstPath }: StepsProps) {
  return (
    <ol class="stepper">
      {names.map((name, index) => (
        <li key={name} aria-current={index === current ? "step" : undefined}>
          <span class="number">{index + 1}</span>{" "}
          {index === 0 && current > 0 && firstPath !== undefined ? <a href={firstPath}>{name}</a> : name}
        </li>
      ))}
    </ol>
  );
}
