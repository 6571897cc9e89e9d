/** The steps of a task, and which of them is shown. */
export function Steps({ names, current }: { names: readonly string[]; current: number }) {
  return (
    <ol class="stepper">
      {names.map((name, index) => (
        <li key={name} aria-current={index === current ? "step" : undefined}>
          <span class="number">{index + 1}</span> {name}
        </li>
      ))}
    </ol>
  );
}
