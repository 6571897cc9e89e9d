import { texts } from "../state/language.ts";

/** The state of an object that is active or inactive, in the color of the state of a user. */
export function ActiveState({ isActive }: { isActive: boolean }) {
  const { active, inactive } = texts.value.orgs;
  return <span class={isActive ? "state good" : "state"}>{isActive ? active : inactive}</span>;
}
