import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { MAX_DEPTH, MAX_VALUES } from "../../../src/rpc/body-limits.ts";
import { type HostileBody, MIB, MOST } from "./hostile-body.ts";

const TOO_MANY = `the body has more than ${MAX_VALUES} values`;
const TOO_LONG = "idps: must have at most 50 items";
const TOO_DEEP = `the body is nested more than ${MAX_DEPTH} levels deep`;
const MALFORMED = "is not a valid signet.v1.ImportHumanUserRequest message: ";

/** Fields of ImportHumanUserRequest, and an unknown one. */
const USER_NAME = 1;
const PROFILE = 2;
const PASSWORD_CHANGE_REQUIRED = 7;
const IDPS = 10;
const UNKNOWN = 15;

/** Protobuf bodies of up to 1 MiB for an ImportHumanUserRequest. */
export function createHostileBinary(): HostileBody[] {
  const none = Buffer.alloc(0);
  const varint = (number: number) => Buffer.concat([tag(number, WireType.Varint), Buffer.of(1)]);
  const open = tag(UNKNOWN, WireType.StartGroup);
  const close = tag(UNKNOWN, WireType.EndGroup);
  const text = (bytes: Buffer) => field(USER_NAME, bytes);
  const wide = Buffer.from("漢".repeat(Math.floor((MIB - 10) / 3)));
  const bodies: [problem: string | undefined, bodies: Record<string, Buffer>][] = [
    [
      TOO_LONG,
      {
        "empty items": fill(field(IDPS, none)),
        "items with a field": fill(field(IDPS, field(USER_NAME, Buffer.from("a")))),
        "items of another wire type": fill(Buffer.concat([tag(IDPS, WireType.Varint), Buffer.of(0)])),
      },
    ],
    [
      TOO_MANY,
      {
        "fields of one item": field(IDPS, fill(field(USER_NAME, none), MIB - 10)),
        "empty messages for one field": fill(field(PROFILE, none)),
        "empty strings for one field": fill(text(none)),
        "short strings for one field": fill(text(Buffer.from("a"))),
        "booleans for one field": fill(varint(PASSWORD_CHANGE_REQUIRED)),
        "unknown varints": fill(varint(UNKNOWN)),
        "unknown fields with large numbers": fill(varint(100_000)),
        "unknown strings": fill(field(UNKNOWN, none)),
        "unknown fields of 32 bits": fill(Buffer.concat([tag(UNKNOWN, WireType.Bit32), Buffer.alloc(4)])),
        "empty groups": fill(Buffer.concat([open, close])),
        "fields of one group": Buffer.concat([open, fill(varint(USER_NAME), MIB - 2), close]),
        "a group in an item that does not end there": Buffer.concat([field(IDPS, open), fill(varint(1), MIB - 10)]),
      },
    ],
    [
      TOO_DEEP,
      {
        "open groups": fill(open),
        "nested groups": Buffer.concat([fill(open, MIB / 2), fill(close, MIB / 2)]),
      },
    ],
    [
      undefined,
      {
        "a string of letters": text(Buffer.alloc(MIB - 10, "a")),
        "a string of three-byte characters": text(wide),
        "as many empty items as possible": fill(field(IDPS, none), MIB, MOST),
        "as many empty messages for one field as possible": fill(field(PROFILE, none), MIB, MOST),
        "as many long strings for one field as possible": fill(text(Buffer.alloc(200, "a")), MIB, MOST),
        "as many unknown strings as possible": fill(field(UNKNOWN, Buffer.alloc(200, "a")), MIB, MOST),
        "as many empty groups as possible": fill(Buffer.concat([open, close]), MIB, MOST),
        "unknown messages in each other": nest(UNKNOWN),
      },
    ],
    [
      MALFORMED,
      {
        "known and unknown messages in each other": nest(PROFILE),
        "bytes that are not UTF-8": text(Buffer.alloc(MIB - 10, 0xff)),
        "a string that ends in such a byte": text(Buffer.alloc(MIB - 10, "a").fill(0xff, MIB - 11)),
        "a varint without an end": endless(PASSWORD_CHANGE_REQUIRED),
        "an unknown varint without an end": endless(UNKNOWN),
        "ends of groups": fill(close),
        zeros: Buffer.alloc(MIB),
        "a length beyond the end": Buffer.concat([
          tag(USER_NAME, WireType.LengthDelimited),
          Buffer.of(255, 255, 255, 7),
        ]),
      },
    ],
  ];
  return bodies.flatMap(([problem, all]) => Object.entries(all).map(([name, body]) => ({ name, problem, body })));
}

function tag(number: number, type: WireType): Buffer {
  return Buffer.from(new BinaryWriter().tag(number, type).finish());
}

function field(number: number, value: Uint8Array): Buffer {
  return Buffer.from(new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(value).finish());
}

function endless(number: number): Buffer {
  return Buffer.concat([tag(number, WireType.Varint), Buffer.alloc(MIB - 1, 0x80)]);
}

function nest(number: number): Buffer {
  let bytes: Buffer = Buffer.alloc(0);
  for (let level = 0; level < 5_000; level += 1) bytes = field(number, bytes);
  return bytes;
}

/** Repeats bytes until there are `size` bytes or `count` repetitions. */
function fill(bytes: Uint8Array, size = MIB, count = size): Buffer {
  return Buffer.concat(Array<Uint8Array>(Math.min(count, Math.floor(size / bytes.length))).fill(bytes));
}
