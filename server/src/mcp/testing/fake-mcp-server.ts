import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  type ServerNotification,
  type ServerResult,
} from '@modelcontextprotocol/sdk/types.js';

/** The result of a call; `progress` sends a progress notification. */
export type FakeCall = (
  parameters: Record<string, unknown>,
  context: { signal: AbortSignal; progress: () => Promise<void> },
) => unknown;

export interface FakeMcpServer {
  url: string;
  /** Headers of every received request. */
  requests: IncomingMessage['headers'][];
  /** Methods of every received request. */
  methods: string[];
  /** How many sessions are open. */
  sessions(): number;
  /** The tools as `tools/list` returns them, page by page; may be invalid. */
  setPages(pages: unknown[]): void;
  /** Notifies every session of changed tools. */
  announce(): Promise<void>;
  /** Drops every session, like a restarted server. */
  forget(): void;
  /** Answers in place of the protocol, when it takes the request. */
  intercept(handler: ((request: IncomingMessage, response: ServerResponse) => boolean) | null): void;
  close(): Promise<void>;
}

interface Session {
  transport: StreamableHTTPServerTransport;
  server: Server;
}

/** A server of the protocol over streamable HTTP, on a free port of 127.0.0.1. */
export async function startFakeMcp(calls: Record<string, FakeCall> = {}): Promise<FakeMcpServer> {
  const sessions = new Map<string, Session>();
  const requests: IncomingMessage['headers'][] = [];
  const methods: string[] = [];
  let handler: Parameters<FakeMcpServer['intercept']>[0] = null;
  let pages: unknown[] = [Object.keys(calls).map((name) => ({ name, inputSchema: { type: 'object' } }))];

  const open = async (): Promise<Session> => {
    const server = new Server({ name: 'fake', version: '1' }, { capabilities: { tools: { listChanged: true } } });
    server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
      const page = Number(params?.cursor ?? 0);
      const next = page + 1 < pages.length ? { nextCursor: String(page + 1) } : {};
      return { tools: pages[page], ...next } as ServerResult;
    });
    server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification, _meta }) => {
      const progress = async () => {
        const progressToken = _meta?.progressToken ?? '';
        const notification = { method: 'notifications/progress', params: { progress: 1, progressToken } };
        await sendNotification(notification as ServerNotification);
      };
      return (await calls[params.name]?.(params.arguments ?? {}, { signal, progress })) as ServerResult;
    });
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, { transport, server }),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await server.connect(transport as Transport);
    return { transport, server };
  };

  const http = createServer(async (request, response) => {
    requests.push(request.headers);
    methods.push(request.method ?? '');
    if (handler?.(request, response) === true) return;
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : await open();
    if (known === undefined) response.writeHead(404).end('no such session');
    else await known.transport.handleRequest(request, response);
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    requests,
    methods,
    sessions: () => sessions.size,
    setPages: (given) => {
      pages = given;
    },
    announce: async () => {
      await Promise.all([...sessions.values()].map(({ server }) => server.sendToolListChanged()));
    },
    forget: () => sessions.clear(),
    intercept: (given) => {
      handler = given;
    },
    close: async () => {
      for (const { transport } of sessions.values()) await transport.close();
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
}
