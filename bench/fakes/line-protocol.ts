import type { Socket } from 'node:net';

/** Names of the two kinds of platforms in bot records. */
export const lineAdapters = { honoursTokens: 'lines-with-tokens', ignoresTokens: 'lines-without-tokens' } as const;

/** Messages from the platform to the adapter. */
export type ToAdapter =
  | { type: 'welcome' }
  | { type: 'question'; id: string; conversation: string; text: string }
  | { type: 'taken'; request: number; platform_message_id: string };

/** Messages from the adapter to the platform. */
export type ToPlatform =
  | { type: 'hello' }
  | { type: 'stored'; id: string }
  | {
      type: 'send';
      request: number;
      token: string;
      conversation: string;
      /** The question that it answers; null for messages of `send_message`. */
      reply_to: string | null;
      piece: number;
      text: string;
    };

/** One end of a connection with JSON values, one per line. */
export interface Lines<Outgoing> {
  /** Lines written in one turn of the event loop are sent together. Ignored after the connection is closed. */
  write(line: Outgoing): void;
  /** Breaks the connection. */
  destroy(): void;
}

/** Communicates over a socket. Connection errors only close it. */
export function openLines<Incoming, Outgoing>(
  socket: Socket,
  onLine: (line: Incoming) => void,
  onEnd: () => void,
): Lines<Outgoing> {
  let rest = '';
  let outgoing = '';
  socket.setNoDelay(true);
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(JSON.parse(line) as Incoming);
  });
  socket.on('error', () => undefined);
  socket.on('close', onEnd);
  return {
    write: (line) => {
      if (outgoing === '') {
        process.nextTick(() => {
          if (!socket.destroyed) socket.write(outgoing);
          outgoing = '';
        });
      }
      outgoing += `${JSON.stringify(line)}\n`;
    },
    destroy: () => socket.destroy(),
  };
}
