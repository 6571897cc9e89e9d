import type { ObjectRow } from "../events/object-details.ts";

/** The columns of an organization in responses. */
export interface OrgRow extends ObjectRow {
  id: string;
  name: string;
  state: "active" | "inactive";
  primary_domain: string | null;
}
