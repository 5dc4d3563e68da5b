import protobuf from 'protobufjs/minimal.js';

/** A frame of the long connection: `control` for ping and pong, `data` for events. */
export interface Frame {
  kind: 'control' | 'data';
  service: number;
  headers: Readonly<Record<string, string>>;
  payload: Uint8Array;
  /** All other fields of a received frame as they came, such as numbers of 64 bits: an acknowledgement returns them. */
  rest?: readonly Uint8Array[];
}

/** Headers that one frame may have. */
const mostHeaders = 64;

/** Numbers of the fields that are read. */
const fields = { service: 3, method: 4, header: 5, payload: 8 };

/** @throws Error for bytes that are no frame */
export function decodeFrame(bytes: Uint8Array): Frame {
  const reader = protobuf.Reader.create(bytes);
  const headers: [name: string, value: string][] = [];
  const rest: Uint8Array[] = [];
  let [service, method, payload] = [0, 0, new Uint8Array() as Uint8Array];
  while (reader.pos < reader.len) {
    const start = reader.pos;
    const tag = reader.uint32();
    switch (tag >>> 3) {
      case fields.service:
        service = reader.int32();
        break;
      case fields.method:
        method = reader.int32();
        break;
      case fields.header:
        headers.push(decodeHeader(reader.bytes()));
        if (headers.length > mostHeaders) throw new Error('The frame has too many headers');
        break;
      case fields.payload:
        payload = reader.bytes();
        break;
      default:
        reader.skipType(tag & 7);
        rest.push(bytes.subarray(start, reader.pos));
    }
  }
  if (method !== 0 && method !== 1) throw new Error('The frame is of an unknown kind');
  return { kind: method === 0 ? 'control' : 'data', service, headers: Object.fromEntries(headers), payload, rest };
}

function decodeHeader(bytes: Uint8Array): [name: string, value: string] {
  const reader = protobuf.Reader.create(bytes);
  let [name, value] = ['', ''];
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag >>> 3 === 1) name = reader.string();
    else if (tag >>> 3 === 2) value = reader.string();
    else reader.skipType(tag & 7);
  }
  return [name, value];
}

export function encodeFrame({ kind, service, headers, payload, rest = [] }: Frame): Uint8Array {
  const writer = protobuf.Writer.create();
  writer.uint32(tagOf(fields.service, 0)).int32(service);
  writer.uint32(tagOf(fields.method, 0)).int32(kind === 'control' ? 0 : 1);
  for (const [name, value] of Object.entries(headers)) {
    writer.uint32(tagOf(fields.header, 2)).fork();
    writer.uint32(tagOf(1, 2)).string(name).uint32(tagOf(2, 2)).string(value).ldelim();
  }
  writer.uint32(tagOf(fields.payload, 2)).bytes(payload);
  // The first two fields are required, also of a frame that answers none.
  const identity = rest.length > 0 ? rest : [Uint8Array.of(tagOf(1, 0), 0, tagOf(2, 0), 0)];
  return Buffer.concat([...identity, writer.finish()]);
}

function tagOf(field: number, wireType: number): number {
  return (field << 3) | wireType;
}
