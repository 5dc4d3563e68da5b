import protobuf from 'protobufjs';

/** The frames of the long connection, as the vendor's protocol file describes them. */
const { root } = protobuf.parse(`
  syntax = "proto2";
  message Header { required string key = 1; required string value = 2; }
  message Frame {
    required uint64 SeqID = 1; required uint64 LogID = 2; required int32 service = 3; required int32 method = 4;
    repeated Header headers = 5; optional string payload_encoding = 6; optional string payload_type = 7;
    optional bytes payload = 8; optional string LogIDNew = 9;
  }`);
const type = root.lookupType('Frame');

export interface FakeFrame {
  method: number;
  service: number;
  headers: Record<string, string>;
  payload: Uint8Array;
  sequence?: number;
}

export function writeFrame({ method, service, headers, payload, sequence = 1 }: FakeFrame): Uint8Array {
  const list = Object.entries(headers).map(([key, value]) => ({ key, value }));
  return type
    .encode(type.create({ SeqID: sequence, LogID: 7, service, method, headers: list, payload, LogIDNew: 'log' }))
    .finish();
}

/** @throws Error for what is no frame */
export function readFrame(bytes: Uint8Array): FakeFrame {
  const frame = type.toObject(type.decode(bytes), { longs: Number, bytes: Buffer }) as {
    method: number;
    service: number;
    SeqID: number;
    headers?: { key: string; value: string }[];
    payload?: Buffer;
  };
  return {
    method: frame.method,
    service: frame.service,
    sequence: frame.SeqID,
    headers: Object.fromEntries((frame.headers ?? []).map(({ key, value }) => [key, value])),
    payload: frame.payload ?? new Uint8Array(),
  };
}
