import type { Problem } from "../../api/problem.ts";
import { ListField } from "../../parts/list-field.tsx";
import { texts } from "../../state/language.ts";
import type { Kind } from "./kinds.ts";
import { findRedirectUriProblem, isRejected } from "./redirect-uri.ts";

interface UrisFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly kind: Kind;
  readonly devMode: boolean;
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
  readonly problem: Problem | undefined;
  readonly path: string;
  readonly isReadOnly?: boolean;
}

/** URIs to which the browser returns, each with what is wrong with it. */
export function UrisField({ kind, devMode, ...props }: UrisFieldProps) {
  const describe = (uri: string) => {
    const problem = findRedirectUriProblem(uri.trim(), kind, devMode);
    return problem && { text: texts.value.apps.uriProblems[problem], isRejected: isRejected(problem) };
  };
  return <ListField {...props} describe={describe} placeholder={EXAMPLES[kind]} />;
}

const EXAMPLES: Readonly<Record<Kind, string>> = {
  web: "https://app.example.com/signed-in",
  browser: "https://app.example.com/signed-in",
  native: "com.example.app:/signed-in",
  service: "",
};
