import { isDeepStrictEqual } from 'node:util';
import type { Logger } from '@parley/sdk';
import type { SecretBox } from '../../lib/secret-box.ts';
import { inTime } from '../../lib/waiting.ts';
import type { StateEvents } from '../events/state-events.ts';
import { type AllowedCommand, requireAllowedCommand } from './command-rules.ts';
import { readOnlyState } from './confirmed-tools.ts';
import { readArguments } from './mcp-arguments.ts';
import { McpConnection, type McpTiming } from './mcp-connection.ts';
import type { McpHomes } from './mcp-homes.ts';
import { openTarget } from './mcp-secrets.ts';
import type {
  ConfirmedTools,
  McpConnectionInfo,
  McpRuntimeInfo,
  McpTarget,
  McpTool,
  StoredMcpServer,
} from './mcp-server.ts';
import type { McpServerStore } from './mcp-server-store.ts';
import type { OpenMcpSession } from './mcp-session.ts';

export interface McpRuntimeOptions {
  open: OpenMcpSession;
  homes: McpHomes;
  secrets: SecretBox;
  /** Commands that the operator allows. */
  allowedCommands: readonly AllowedCommand[];
  stateEvents: Pick<StateEvents, 'publish'>;
  logger: Logger;
  timing?: Partial<McpTiming>;
}

/** A server that is enabled, with its connection. */
export interface ConnectedServer {
  uuid: string;
  name: string;
  connection: McpConnection;
  /** May change while the server is connected. */
  confirmed: ConfirmedTools;
}

interface Entry extends ConnectedServer {
  /** As it was last applied. */
  record: StoredMcpServer;
}

const defaultTiming: McpTiming = {
  connect: 30_000,
  firstPause: 500,
  longestPause: 60_000,
  stable: 60_000,
  patience: 15_000,
  betweenLists: 500,
};

/** Longest list of tools that is stored for the next start, characters of JSON. */
const longestKnown = 1_000_000;

/** Maintains the connections of all enabled servers, according to their records. */
export class McpRuntime {
  readonly #store: McpServerStore;
  readonly #options: McpRuntimeOptions;
  readonly #timing: McpTiming;
  readonly #servers = new Map<string, Entry>();
  /** The current work for a server, so that reconciliations follow each other. */
  readonly #turns = new Map<string, Promise<void>>();
  readonly #saving = new Set<Promise<void>>();
  #isClosed = false;

  constructor(store: McpServerStore, options: McpRuntimeOptions) {
    this.#store = store;
    this.#options = options;
    this.#timing = { ...defaultTiming, ...options.timing };
  }

  /** Makes all connections match the records, which others may have changed or deleted. */
  async refresh(): Promise<void> {
    const { homes, logger } = this.#options;
    // Before the records, which are older than the folders of their processes.
    const folders = await homes.list();
    const records = new Map((await this.#store.list()).map((record) => [record.uuid, record]));
    const enabled = [...records.values()].filter(({ enable }) => enable).map(({ uuid }) => uuid);
    const changed = [...new Set([...this.#servers.keys(), ...enabled])].filter(
      (uuid) => !isSameRecord(this.#servers.get(uuid)?.record, records.get(uuid)),
    );
    await Promise.all(changed.map((uuid) => this.apply(uuid)));
    for (const uuid of folders.filter((folder) => !records.has(folder))) {
      await homes.remove(uuid).catch((error: unknown) => {
        logger.warn({ mcp_server: uuid, error }, 'the folder of a deleted MCP server could not be removed');
      });
    }
  }

  /** Ends all connections, in bounded time; no new ones are made. */
  async stop(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#servers.values()].map(({ connection }) => connection.close()));
    await Promise.all(this.#turns.values());
    await Promise.all(this.#saving);
  }

  /** Makes the connection of a server match its record, which was created, changed or deleted. */
  apply(uuid: string): Promise<void> {
    const turn = (this.#turns.get(uuid) ?? Promise.resolve()).then(() =>
      this.#reconcile(uuid).catch((error: unknown) => {
        this.#options.logger.error({ mcp_server: uuid, error }, 'an MCP server could not be brought up to its record');
      }),
    );
    this.#turns.set(uuid, turn);
    void turn.then(() => {
      if (this.#turns.get(uuid) === turn) this.#turns.delete(uuid);
    });
    return turn;
  }

  /** Retries a waiting server now. */
  hurry(uuid: string): void {
    this.#servers.get(uuid)?.connection.hurry();
  }

  /** How a server is now; null when it is disabled. */
  info(uuid: string): McpRuntimeInfo | null {
    const entry = this.#servers.get(uuid);
    if (entry === undefined) return null;
    const { tools, ...info } = entry.connection.info;
    return { ...info, tools: tools.map((tool) => ({ ...tool, read_only: readOnlyState(tool, entry.confirmed) })) };
  }

  /**
   * The enabled servers, oldest first.
   * @param patienceMilliseconds how long to wait for those that connect for the first time
   */
  async servers(patienceMs: number): Promise<ConnectedServer[]> {
    const servers = [...this.#servers.values()].sort((left, right) => compare(orderOf(left), orderOf(right)));
    const news = servers.filter(({ connection }) => connection.tools.length === 0);
    await inTime(Promise.all(news.map(({ connection }) => connection.settled)), patienceMs, () => undefined);
    return servers;
  }

  /**
   * The target of a server with its secrets in clear. @throws ParleyError when the record requires something disallowed
   */
  targetOf({ uuid, mode, extra_args, sealed_secrets }: StoredMcpServer): McpTarget {
    const target = openTarget(this.#options.secrets, readArguments(mode, extra_args), sealed_secrets, uuid);
    return target;
  }

  async #reconcile(uuid: string): Promise<void> {
    if (this.#isClosed) return;
    const record = await this.#store.byUuid(uuid);
    const current = this.#servers.get(uuid);
    const target = record?.enable === true ? this.targetOf(record) : null;
    if (record === null || target === null) {
      this.#servers.delete(uuid);
      await current?.connection.close();
      if (current !== undefined) this.#options.stateEvents.publish(stateChange(uuid, null));
      return;
    }
    const { name, confirmed_tools: confirmed } = record;
    if (current !== undefined) Object.assign(current, { confirmed, record });
    if (current?.name === name && isDeepStrictEqual(current.connection.target, target)) return;
    // Before the old one is closed: its tools stay available while it is replaced.
    const connection = this.#connect(record, target, current?.connection.tools ?? record.known_tools);
    this.#servers.set(uuid, { uuid, name, connection, confirmed, record });
    await current?.connection.close();
    if (this.#isClosed) return;
    this.#options.stateEvents.publish(stateChange(uuid, connection.info));
    connection.open();
  }

  #connect({ uuid, name }: StoredMcpServer, target: McpTarget, knownTools: readonly McpTool[]): McpConnection {
    const { open, allowedCommands, stateEvents, logger } = this.#options;
    let saved = knownTools;
    return new McpConnection(target, {
      uuid,
      name,
      knownTools,
      timing: this.#timing,
      logger,
      open: async (wanted, options) => {
        if (wanted.mode === 'stdio') requireAllowedCommand(wanted, allowedCommands);
        return open(wanted, options);
      },
      changed: (info) => {
        stateEvents.publish(stateChange(uuid, info));
        if (info.status !== 'connected' || isDeepStrictEqual(saved, info.tools)) return;
        saved = info.tools;
        this.#save(uuid, info.tools);
      },
    });
  }

  /** So that tools have the same names, and are available, after the next start. */
  #save(uuid: string, tools: McpTool[]): void {
    const stored = JSON.stringify(tools).length > longestKnown ? [] : tools;
    const saving = this.#store.saveTools(uuid, stored).catch((error: unknown) => {
      this.#options.logger.warn({ mcp_server: uuid, error }, 'failed to store the tools of an MCP server');
    });
    this.#saving.add(saving);
    void saving.then(() => this.#saving.delete(saving));
  }
}

function stateChange(uuid: string, info: McpConnectionInfo | null) {
  const { status = 'disabled', tool_count = 0 } = info ?? {};
  return { type: 'mcp-server', data: { uuid, status, tool_count } } as const;
}

/** Apart from the tools that it listed. */
function isSameRecord(left: StoredMcpServer | undefined, right: StoredMcpServer | undefined): boolean {
  if (left === undefined || right === undefined) return false;
  return isDeepStrictEqual({ ...left, known_tools: right.known_tools }, right);
}

function orderOf({ record, uuid }: Entry): string {
  return `${record.created_at} ${uuid}`;
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
