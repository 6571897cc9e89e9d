import type { Client } from "@connectrpc/connect";
import type { AdminService } from "../../gen/signet/v1/admin_pb.js";
import type { ManagementService } from "../../gen/signet/v1/management_pb.js";

/** The API of a server or the database. */
export interface MovingApi {
  readonly admin: Client<typeof AdminService>;
  readonly management: Client<typeof ManagementService>;
  readonly isServer: boolean;
}

/** Where users are imported to. */
export interface Target {
  readonly api: MovingApi;
  /** The origin of the server, or `database`. */
  readonly place: string;
  /** The organization of users without one of their own. */
  readonly org: TargetOrg;
  /** The id of the user of the token; empty or absent for the command line, whose events have no editor. */
  readonly callerId?: string;
  /** Finds the organization for one of the source; undefined if the target has none. */
  findOrg(sourceOrg: string | undefined): Promise<TargetOrg | undefined>;
  /** The ids of the other organizations to which users may go; empty if all go to one, or the token may not list them. */
  listOtherOrgs(): Promise<readonly string[]>;
}

export interface TargetOrg {
  readonly id: string;
  readonly name: string;
}
