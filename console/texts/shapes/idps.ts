import type { ProviderKind } from "../../screens/idps/kinds.ts";
import type { FieldName, Tenant } from "../../screens/idps/provider-values.ts";

/** Without a hint, the label says all. */
interface FieldTexts {
  readonly label: string;
  readonly hint?: string;
}

type Option = "isLinkingAllowed" | "isCreationAllowed" | "isAutoCreation" | "isAutoUpdate" | "isAutoLinking";

/** The texts about providers. */
export interface IdpsTexts {
  readonly title: string;
  readonly ofInstance: string;
  readonly idp: string;
  readonly add: string;
  readonly none: string;
  readonly owner: string;
  readonly instance: string;
  readonly org: string;
  readonly kinds: Readonly<Record<ProviderKind, string>>;
  readonly settings: string;
  readonly next: string;
  readonly guide: string;
  /** What to do at the provider, before and after it is added here. */
  readonly before: Readonly<Record<ProviderKind, string>>;
  readonly after: Readonly<Record<ProviderKind, string>>;
  readonly callback: string;
  readonly entityId: string;
  readonly acs: string;
  readonly signInOnce: string;
  /** The test of a provider, and what it has found. */
  readonly check: Readonly<
    Record<
      "title" | "hint" | "button" | "running" | "good" | "goodSoFar" | "bad" | "warnings" | "scopes" | "again",
      string
    >
  >;
  readonly nameHint: string;
  readonly keepSecret: string;
  readonly fields: Readonly<Record<Exclude<FieldName, Option>, FieldTexts>> &
    Readonly<Record<Option, Required<FieldTexts>>>;
  readonly tenants: Readonly<Record<Tenant, string>>;
  /** In the order of the API. */
  readonly bindings: readonly string[];
  readonly nameIdFormats: readonly string[];
  readonly options: string;
  readonly stale: string;
  readonly actions: Readonly<
    Record<"deactivate" | "reactivate" | "remove", { readonly label: string; readonly text: string }>
  >;
}
