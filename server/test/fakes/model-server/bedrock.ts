import { crc32 } from 'node:zlib';
import { bearerOf, type Dialect, halves, type ReceivedCall } from './dialect.ts';

const place = ({ path }: ReceivedCall) => /^\/model\/([^/]+)\/(converse|converse-stream|invoke)$/.exec(path) ?? [];

/** Amazon Bedrock: the Converse protocol, whose streams are frames of bytes, and the embedding models of Titan. */
export const bedrock: Dialect = {
  basePath: '',
  streamType: 'application/vnd.amazon.eventstream',
  asks(call) {
    const [, , method] = place(call);
    return method === undefined ? null : method === 'invoke' ? 'embedding' : 'chat';
  },
  modelOf: (call) => decodeURIComponent(place(call)[1] ?? ''),
  keyOf: bearerOf,
  isStream: (call) => place(call)[2] === 'converse-stream',
  stream({ chunks, tool, inputTokens, outputTokens }) {
    const block = { contentBlockIndex: 1 };
    const toolFrames =
      tool === undefined
        ? []
        : [
            frame('contentBlockStart', { ...block, start: { toolUse: { toolUseId: 'call-1', name: tool.name } } }),
            ...halves(tool.arguments).map((input) =>
              frame('contentBlockDelta', { ...block, delta: { toolUse: { input } } }),
            ),
            frame('contentBlockStop', block),
          ];
    return {
      head: [frame('messageStart', { role: 'assistant' })],
      pieces: chunks.map((text) => frame('contentBlockDelta', { contentBlockIndex: 0, delta: { text } })),
      tail: [
        frame('contentBlockStop', { contentBlockIndex: 0 }),
        ...toolFrames,
        frame('messageStop', { stopReason: tool === undefined ? 'end_turn' : 'tool_use' }),
        frame('metadata', {
          usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
          metrics: { latencyMs: 1 },
        }),
      ],
    };
  },
  whole: ({ chunks, tool, inputTokens, outputTokens }) => ({
    output: {
      message: {
        role: 'assistant',
        content: [
          ...(chunks.length === 0 ? [] : [{ text: chunks.join('') }]),
          ...(tool === undefined ? [] : [{ toolUse: { toolUseId: 'call-1', name: tool.name, input: tool.arguments } }]),
        ],
      },
    },
    stopReason: tool === undefined ? 'end_turn' : 'tool_use',
    usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
    metrics: { latencyMs: 1 },
  }),
  embeddings: ([embedding = []]) => ({ embedding, inputTextTokenCount: 1 }),
  textsOf: ({ body }) => [String(body.inputText)],
  error: (_status, message) => ({ message }),
  unknownModel: () => ({ status: 400, message: 'The provided model identifier is invalid.' }),
};

/**
 * One frame: the lengths of all and of the headers, their check sum, the headers, the content and the check sum of all.
 * @see https://docs.aws.amazon.com/transcribe/latest/dg/streaming-setting-up.html#streaming-event-stream
 */
export function frame(type: string, content: object): Uint8Array {
  const headers = Buffer.concat([
    header(':event-type', type),
    header(':content-type', 'application/json'),
    header(':message-type', 'event'),
  ]);
  const payload = Buffer.from(JSON.stringify(content));
  const prelude = Buffer.alloc(8);
  prelude.writeUInt32BE(16 + headers.length + payload.length, 0);
  prelude.writeUInt32BE(headers.length, 4);
  const checked = Buffer.concat([prelude, checkSum(prelude), headers, payload]);
  return Buffer.concat([checked, checkSum(checked)]);
}

function header(name: string, value: string): Buffer {
  const length = Buffer.alloc(3);
  // The kind of value that is a text.
  length.writeUInt8(7, 0);
  length.writeUInt16BE(Buffer.byteLength(value), 1);
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), length, Buffer.from(value)]);
}

function checkSum(bytes: Uint8Array): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes), 0);
  return sum;
}
