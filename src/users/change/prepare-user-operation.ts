import type { Actor, ApiActor } from "../../actor.ts";
import type { Call } from "../../call.ts";
import type { NewEvent } from "../../events/catalogue.ts";
import type { Changed } from "../../events/object-details.ts";
import { type ChangeUserParts, changeUser, toPlan } from "./change-user.ts";
import { prepareUserChange } from "./prepare-user-change.ts";
import type { UserChange } from "./user-change.ts";

/** The fields of a request that names a user. */
type UserFields = { readonly userId: string } | { readonly id: string };

/** An operation that is one change of a user, with one plan without codes. */
interface UserOperation<Fields, Values extends object, By extends Actor> extends UserChange<Values> {
  readonly toEvents: (values: Values) => readonly NewEvent[];
  /** The command's own values; none by default. */
  readonly toValues?: (fields: Fields, call: Call<By>) => Values;
  /** Throws if the caller may not do it to this user. */
  readonly check?: (userId: string, call: Call<By>) => void;
}

/** Prepares an operation that these actors may run; see `changeUser` for its errors. */
export function prepareUserOperation<
  Fields extends UserFields = { readonly userId: string },
  Values extends object = object,
  By extends Actor = ApiActor,
>({ toEvents, toValues = () => ({}) as Values, check, ...change }: UserOperation<Fields, Values, By>) {
  const kind = prepareUserChange(change);
  return async (parts: ChangeUserParts, fields: Fields, call: Call<By>): Promise<Changed> => {
    const userId = "userId" in fields ? fields.userId : fields.id;
    check?.(userId, call);
    const values = toValues(fields, call);
    return await changeUser(parts, kind, { ...values, userId, plans: [toPlan(toEvents(values))] }, call);
  };
}
