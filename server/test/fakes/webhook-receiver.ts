import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a receiver was sent. */
export interface ReceivedWebhook {
  /** The header `webhook-id`. */
  id: string;
  headers: Record<string, string>;
  /** As it came. */
  body: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into payloads and compare what they find
  payload: any;
}

/** How a receiver answers; nothing when it says nothing by itself. */
export type ReceiverBehaviour = (received: ReceivedWebhook, response: ServerResponse) => void | Promise<void>;

export interface WebhookReceiver {
  url: string;
  /** In the order in which they came, also those that were refused. */
  received: ReceivedWebhook[];
  behave(behaviour: ReceiverBehaviour): void;
  /** Requests that have not ended. */
  readonly open: number;
  /** The most that were open at the same time. */
  readonly mostOpen: number;
  close(): Promise<void>;
}

/** Answers with a status and a body. */
export function answerWith(
  status: number,
  body: unknown = {},
  headers: Record<string, string> = {},
): ReceiverBehaviour {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

/** A receiver of webhooks on a local socket. It answers 200 by default. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  let behaviour: ReceiverBehaviour = answerWith(200);
  const received: ReceivedWebhook[] = [];
  let open = 0;
  let mostOpen = 0;
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    response.once('close', () => {
      open -= 1;
    });
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const headers = request.headers as Record<string, string>;
    const entry = { id: headers['webhook-id'] ?? '', headers, body, payload: JSON.parse(body) };
    received.push(entry);
    await behaviour(entry, response);
  };
  const server = createServer((request, response) => {
    // A client that aborts while sending is no error of the receiver.
    handle(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    behave: (next) => {
      behaviour = next;
    },
    get open() {
      return open;
    },
    get mostOpen() {
      return mostOpen;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A port without a listener. */
export async function closedAddress(): Promise<string> {
  const gone = await startWebhookReceiver();
  await gone.close();
  return gone.url;
}
