import { type ErrorDetail, invalidFields, ParleyError, problemError } from '@parley/sdk';
import { now } from '../../lib/clock.ts';
import { hidingSecrets } from '../../lib/hiding-secrets.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { isUuid, newUuid } from '../../lib/uuid.ts';
import { type ExpectedTags, recordTag, requireTag, type Tagged } from '../records/record-tag.ts';
import type { TaskContext } from '../tasks/task-run.ts';
import type { TaskService } from '../tasks/task-service.ts';
import { type AllowedCommand, requireAllowedCommand } from './command-rules.ts';
import { confirmTools } from './confirmed-tools.ts';
import { argumentsOf, readArguments } from './mcp-arguments.ts';
import type { McpHomes } from './mcp-homes.ts';
import type { McpRuntime } from './mcp-runtime.ts';
import { isSamePlace, masked, sealTarget, secretsOf, unmask } from './mcp-secrets.ts';
import type {
  ConfirmTools,
  CreateMcpServer,
  McpMode,
  McpServer,
  McpTarget,
  McpTool,
  StoredMcpServer,
  TestMcpServer,
  UpdateMcpServer,
} from './mcp-server.ts';
import type { McpServerRefusal, McpServerStore } from './mcp-server-store.ts';
import type { McpSession, OpenMcpSession } from './mcp-session.ts';

export interface McpServerServiceOptions {
  runtime: McpRuntime;
  open: OpenMcpSession;
  homes: Pick<McpHomes, 'remove'>;
  secrets: SecretBox;
  tasks: Pick<TaskService, 'start'>;
  /** Commands that the operator allows. */
  allowedCommands: readonly AllowedCommand[];
  /** Most servers and plugins there may be together; -1 for no limit. */
  maximumServers: number;
  /** How long a test may take, milliseconds. */
  testTimeoutMs?: number;
}

/** Where the path of a route names a configuration that is not stored. */
export const unsavedName = '_';

/** Servers of the Model Context Protocol, whose tools models may call. */
export class McpServerService {
  readonly #store: McpServerStore;
  readonly #options: McpServerServiceOptions;

  constructor(store: McpServerStore, options: McpServerServiceOptions) {
    this.#store = store;
    this.#options = options;
  }

  async list(): Promise<McpServer[]> {
    return (await this.#store.list()).map((server) => this.#shown(server));
  }

  /** @param id a name, in capitals or not, or a uuid. @throws ParleyError `not_found`, as every method that takes one */
  async get(id: string): Promise<McpServer> {
    return (await this.tagged(id)).record;
  }

  async tagged(id: string): Promise<Tagged<McpServer>> {
    const stored = await this.#stored(id);
    return { record: this.#shown(stored), tag: () => tagOf(stored) };
  }

  /**
   * Creates a server and starts connecting it when it is enabled.
   * @returns its uuid
   * @throws ParleyError `invalid_request`, `secret_required`, `mcp_command_not_allowed`, `conflict` or `limit_reached`
   */
  async create({ name, enable = false, mode, extra_args = {} }: CreateMcpServer): Promise<string> {
    requireName(name);
    const target = unmask(readArguments(mode, extra_args), null);
    this.#requireAllowed(target);
    const uuid = newUuid();
    const timestamp = now();
    const server: StoredMcpServer = {
      uuid,
      name,
      enable,
      ...this.#sealed(target, uuid),
      known_tools: [],
      confirmed_tools: {},
      created_at: timestamp,
      updated_at: timestamp,
    };
    this.#require(await this.#store.create(server, this.#options.maximumServers), name);
    await this.#options.runtime.apply(uuid);
    return uuid;
  }

  /**
   * Changes the given fields; `extra_args` are replaced completely.
   * @returns its uuid
   * @throws ParleyError as {@link create}, or `record_changed`
   */
  async update(id: string, request: UpdateMcpServer, expected: ExpectedTags = null): Promise<string> {
    const { uuid } = await this.#stored(id);
    if (request.name !== undefined) requireName(request.name);
    const refusal = await this.#store.update(uuid, (stored) => {
      requireTag(expected, () => tagOf(stored));
      return this.#changed(stored, request);
    });
    this.#require(refusal, request.name ?? '');
    await this.#options.runtime.apply(uuid);
    return uuid;
  }

  /**
   * Stores which tools an admin confirmed as read-only after a review.
   * @returns its uuid
   * @throws ParleyError as {@link confirmTools}
   */
  async confirmTools(id: string, request: ConfirmTools): Promise<string> {
    const { uuid } = await this.#stored(id);
    const tools = this.#options.runtime.info(uuid)?.tools ?? [];
    const refusal = await this.#store.update(uuid, (stored) => ({
      ...stored,
      confirmed_tools: confirmTools(stored.confirmed_tools, request, tools),
      updated_at: now(),
    }));
    this.#require(refusal, '');
    await this.#options.runtime.apply(uuid);
    return uuid;
  }

  /** Also takes it from the pipelines that name it. @returns its uuid */
  async delete(id: string): Promise<string> {
    const { uuid } = await this.#stored(id);
    if (!(await this.#store.delete(uuid, now()))) throw notFound();
    await this.#options.runtime.apply(uuid);
    await this.#options.homes.remove(uuid);
    return uuid;
  }

  /**
   * Starts a test of a stored server, enabled or not, or of an unsaved configuration: connects separately, lists the
   * tools and disconnects.
   * @param id {@link unsavedName} for the configuration in the request
   * @returns the number of the task, whose result lists the tools
   * @throws ParleyError as {@link create}
   */
  async test(id: string, request: TestMcpServer): Promise<number> {
    const stored = id === unsavedName ? null : await this.#stored(id);
    const target = stored === null ? await this.#unsavedTarget(request) : this.#options.runtime.targetOf(stored);
    this.#requireAllowed(target);
    const name = stored?.name ?? (request.name || unsavedName);
    const task = {
      task_type: 'user',
      kind: 'mcp-operation',
      name: `mcp-test-${name}`,
      label: `Test of ${name}`,
    } as const;
    const { id: taskId } = await this.#options.tasks.start(task, async (context) => {
      const home = stored?.uuid ?? `test-${newUuid()}`;
      const tools = await this.#toolsOf(target, home, context).finally(async () => {
        if (stored === null) await this.#options.homes.remove(home);
      });
      // What can be connected now need not wait any longer.
      if (stored !== null) this.#options.runtime.hurry(stored.uuid);
      return { status: 'connected', tool_count: tools.length, tools };
    });
    return taskId;
  }

  /** Connects, lists the tools, and disconnects. */
  async #toolsOf(target: McpTarget, home: string, task: TaskContext): Promise<McpTool[]> {
    const { signal } = task;
    const hide = hidingSecrets(Object.values(secretsOf(target)));
    const limit = AbortSignal.timeout(this.#options.testTimeoutMs ?? 30_000);
    const ending = AbortSignal.any([signal, limit]);
    let session: McpSession | null = null;
    try {
      task.setAction('connecting');
      session = await this.#options.open(target, {
        signal: ending,
        home,
        toolsChanged: () => undefined,
        lost: () => undefined,
        said: (line) => task.log(hide(line)),
        leftOut: (tool) => task.log(hide(`The tool ${tool}; it is skipped.`)),
      });
      task.setAction('listing tools');
      return await session.tools(ending);
    } catch (error) {
      signal.throwIfAborted();
      if (limit.aborted) throw new ParleyError('tool_failed', 'The MCP server did not answer in time');
      if (error instanceof ParleyError) {
        throw new ParleyError(error.reason, hide(error.message), { hint: error.hint });
      }
      throw error;
    } finally {
      task.setAction('disconnecting');
      await session?.close();
    }
  }

  /** A configuration from the form of a client, which may contain masks of the stored server. */
  async #unsavedTarget({ name = '', mode, extra_args = {} }: TestMcpServer): Promise<McpTarget> {
    if (mode === undefined) throw invalidFields([{ path: 'mode', message: 'is required', rule: 'required' }]);
    const given = readArguments(mode, extra_args);
    const stored = name === '' ? null : await this.#store.byName(name);
    return unmask(given, stored === null ? null : this.#options.runtime.targetOf(stored));
  }

  #changed(stored: StoredMcpServer, request: UpdateMcpServer): StoredMcpServer {
    const { name = stored.name, enable = stored.enable } = request;
    const updated = { ...stored, name, enable, updated_at: now() };
    const before = this.#targetOf(stored);
    if (request.mode === undefined && request.extra_args === undefined) {
      // A server whose command is not allowed any more can be renamed and switched off.
      if (enable && !stored.enable) this.#requireAllowed(before ?? this.#options.runtime.targetOf(stored));
      return updated;
    }
    const given = readArguments(request.mode ?? stored.mode, request.extra_args ?? stored.extra_args);
    const target = unmask(given, before);
    if (enable || before === null || !isSameCommand(before, target)) this.#requireAllowed(target);
    // Another server has other tools, whatever it calls them.
    const confirmed_tools = before !== null && isSamePlace(before, target) ? stored.confirmed_tools : {};
    return { ...updated, confirmed_tools, ...this.#sealed(target, stored.uuid) };
  }

  /** Null when the record requires something that is no longer allowed. */
  #targetOf(stored: StoredMcpServer): McpTarget | null {
    try {
      return this.#options.runtime.targetOf(stored);
    } catch (error) {
      if (error instanceof ParleyError) return null;
      throw error;
    }
  }

  #sealed(target: McpTarget, uuid: string): { mode: McpMode } & Pick<StoredMcpServer, 'extra_args' | 'sealed_secrets'> {
    const sealed_secrets = sealTarget(this.#options.secrets, target, uuid);
    return { mode: target.mode, extra_args: argumentsOf(masked(target)), sealed_secrets };
  }

  #shown({ sealed_secrets: _, known_tools: __, ...server }: StoredMcpServer): McpServer {
    return { ...server, runtime_info: server.enable ? this.#options.runtime.info(server.uuid) : null };
  }

  async #stored(id: string): Promise<StoredMcpServer> {
    const named = await this.#store.byName(id);
    const server = named ?? (isUuid(id) ? await this.#store.byUuid(id.toLowerCase()) : null);
    if (server === null) throw notFound();
    return server;
  }

  #requireAllowed(target: McpTarget): void {
    if (target.mode === 'stdio') requireAllowedCommand(target, this.#options.allowedCommands);
  }

  #require(refusal: McpServerRefusal | null, name: string): void {
    switch (refusal?.reason) {
      case undefined:
        return;
      case 'not_found':
        throw notFound();
      case 'name_taken':
        throw problemError(
          'server_exists',
          { server: name },
          {
            details: [{ path: 'name', message: 'is taken', rule: 'taken' }],
          },
        );
      case 'limit_reached':
        throw problemError('too_many_extensions', { maximum: String(this.#options.maximumServers) });
    }
  }
}

/** The tools that were confirmed are changed apart from the server, those that are known by connecting. */
function tagOf(stored: StoredMcpServer): string {
  return recordTag(stored, ['known_tools', 'confirmed_tools']);
}

function isSameCommand(left: McpTarget, right: McpTarget): boolean {
  if (left.mode !== 'stdio' || right.mode !== 'stdio') return false;
  const allowed = ({ command, args, env }: typeof left) => JSON.stringify([command, args, Object.keys(env).sort()]);
  return allowed(left) === allowed(right);
}

/** @throws ParleyError `invalid_request` for names that are ambiguous in paths */
function requireName(name: string): void {
  const fault = faultOf(name);
  if (fault !== null) throw invalidFields([{ path: 'name', ...fault }]);
}

function faultOf(name: string): Omit<ErrorDetail, 'path'> | null {
  if (name.trim() !== name || /\p{Cc}/u.test(name)) {
    return { message: 'must not start or end with white space or contain control characters', rule: 'trimmed' };
  }
  if (name === unsavedName) {
    return { message: `must not be ${unsavedName}, which is reserved for unsaved configurations`, rule: 'reserved' };
  }
  return isUuid(name) ? { message: 'must not look like a uuid', rule: 'notUuid' } : null;
}

function notFound(): ParleyError {
  return problemError('tool_server_not_found');
}
