import { type Problem, STALE } from "../api/problem.ts";
import { texts } from "../state/language.ts";

/** What the API said, and the id with which the operator finds the call in the log. */
export function ProblemNote({ problem, onRetry }: { problem: Problem | undefined; onRetry?: () => void }) {
  if (problem === undefined) return null;
  const { problems, actions } = texts.value;
  const isOffline = problem.reason === undefined;
  return (
    <div class="notice bad" role="alert">
      <p>{isOffline ? problems.unreachable : problem.message}</p>
      {!isOffline && problem.reason !== STALE && (
        <p class="small">
          {problem.reason}
          {problem.requestId && ` · ${problems.requestId} ${problem.requestId}`}
        </p>
      )}
      {onRetry && (
        <button type="button" class="secondary" onClick={onRetry}>
          {actions.retry}
        </button>
      )}
    </div>
  );
}
