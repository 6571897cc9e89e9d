import { FailedSignInKind, type FailedSignInSource } from "../../gen/signet/v1/failed_sign_in_pb.js";
import { texts } from "../state/language.ts";
import type { Loaded } from "../state/use-load.ts";
import { Row, Rows, SmallLine } from "./table.tsx";
import { formatNumber, Time } from "./values.tsx";

/** Failed sign-ins by network and browser. */
export function FailedSignInRows({ found }: { found: Loaded<readonly FailedSignInSource[]> }) {
  const { user, failedSignIns } = texts.value;
  const kinds: Readonly<Record<FailedSignInKind, string>> = {
    [FailedSignInKind.UNSPECIFIED]: "",
    [FailedSignInKind.PASSWORD]: failedSignIns.password,
    [FailedSignInKind.ONE_TIME_CODE]: failedSignIns.oneTimeCode,
    [FailedSignInKind.PASSKEY]: failedSignIns.passkey,
  };
  return (
    <Rows found={found} none={user.none}>
      {({ network, browser, kind, count, lastHour }) => (
        <Row key={`${network} ${browser} ${kind}`}>
          {network || failedSignIns.unknownNetwork} · {browser || user.sessions.unknownBrowser}
          <SmallLine>
            {kinds[kind]}
            {texts.value.colon} {formatNumber(count)} · {failedSignIns.lastHour} <Time at={lastHour} />
          </SmallLine>
        </Row>
      )}
    </Rows>
  );
}
