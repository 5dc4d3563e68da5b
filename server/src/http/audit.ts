import { type Logger, ParleyError } from '@parley/sdk';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify';
import type { Principal } from '../core/accounts/authenticator.ts';
import type { ActorKind } from '../core/audit/audit-entry.ts';
import type { AuditLog } from '../core/audit/audit-log.ts';
import type { AuditedRecords } from '../core/audit/audited-records.ts';

/** The author of a change. */
export interface Actor {
  kind: ActorKind;
  id: string;
  name: string;
  /** The session or the API key. */
  credential: string;
}

/** Details that the request does not contain; set by a handler before it throws or returns. */
export interface AuditNote {
  actor?: Actor;
  record_id?: string;
  /** The URL that a test calls; recorded also if the test fails, with the reason. Contains no secrets. */
  attempt?: { address: string | readonly string[] };
}

/**
 * Makes one of the changes of a request to several records, and records it.
 * @param action `<kind of record>.<verb>`
 * @param id of the changed record
 * @param work resolves with whether it changed the record
 */
export type RecordChange = (
  action: `${string}.${string}`,
  id: string,
  work: () => Promise<boolean>,
) => Promise<boolean>;

/**
 * Records something that changes none of our records, before or after it is done.
 * @param details without secrets
 * @throws when it cannot be recorded
 */
export type RecordAct = (action: `${string}.${string}`, id: string, details: object) => Promise<void>;

declare module 'fastify' {
  interface FastifyRequest {
    auditNote: AuditNote | null;
    recordChange: RecordChange;
    recordAct: RecordAct;
  }
}

export interface AuditOptions {
  log: AuditLog;
  records: AuditedRecords;
  logger: Logger;
}

/** Reasons of failed authentication. */
const failedProofs: ReadonlySet<string> = new Set(['invalid_credentials', 'invalid_code']);
const changingMethods = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Records changes in the audit log, after the handler and before the response. Refuses to start when a route that may
 * change something does not declare a name for the change.
 */
export function recordChanges(server: FastifyInstance, options: AuditOptions): void {
  const undeclared: string[] = [];
  const recorder = recorderOf(options);
  server.decorateRequest('auditNote', null);
  server.decorateRequest('recordChange', function (this: FastifyRequest, action, id, work) {
    return recorder.each(this, action, id, work);
  } satisfies (this: FastifyRequest, ...change: Parameters<RecordChange>) => Promise<boolean>);
  server.decorateRequest('recordAct', function (this: FastifyRequest, action, id, details) {
    return recorder.record(this, action, id, { before: null, after: details });
  } satisfies (this: FastifyRequest, ...act: Parameters<RecordAct>) => Promise<void>);
  server.addHook('onRoute', (route) => {
    const { audit } = route.config ?? {};
    const methods = [route.method].flat().filter((method) => changingMethods.has(method));
    if (methods.length === 0 || audit === false || audit === 'each') return;
    if (audit === undefined) undeclared.push(...methods.map((method) => `${method} ${route.url}`));
    else route.handler = recording(route, audit, options.records, recorder);
  });
  server.addHook('onReady', async () => {
    if (undeclared.length > 0) throw new Error(`routes that do not say what they change: ${undeclared.join(', ')}`);
  });
}

/** An unauthenticated caller, under the name in the request. */
export function anonymous(name: string): Actor {
  return { kind: 'anonymous', id: '', name, credential: '' };
}

export function actorOf(principal: Principal | null): Actor {
  if (principal === null) return anonymous('');
  if (principal.kind === 'user') {
    const { account, session } = principal;
    return { kind: 'user', id: account.uuid, name: account.user, credential: session.uuid };
  }
  return { kind: 'api-key', id: String(principal.id), name: principal.name, credential: String(principal.id) };
}

/** Writes entries of the audit log. */
function recorderOf({ log, records, logger }: AuditOptions) {
  const record = async (request: FastifyRequest, action: string, pathId: string, change: Change) => {
    const [kind = ''] = action.split('.');
    const { actor = actorOf(request.principal), record_id = pathId } = request.auditNote ?? {};
    await log.record({
      actor_kind: actor.kind,
      actor_id: actor.id,
      actor_name: actor.name,
      credential: actor.credential,
      address: request.ip,
      request_id: request.id,
      action,
      record_kind: kind,
      record_id,
      ...records.describe(kind, change.before, change.after),
    });
  };
  /** Errors here must not undo or hide the result of the request. */
  const carefully = async <Result>(
    request: FastifyRequest,
    action: string,
    work: () => Promise<Result>,
  ): Promise<Result | null> => {
    try {
      return await work();
    } catch (error) {
      logger.error({ error, action, request_id: request.id }, 'the audit log is incomplete');
      return null;
    }
  };
  const each = async (request: FastifyRequest, action: string, id: string, work: () => Promise<boolean>) => {
    const [kind = ''] = action.split('.');
    const before = await carefully(request, action, () => records.read(kind, id));
    const isChanged = await work();
    if (!isChanged) return false;
    await carefully(request, action, async () => {
      await record(request, action, id, { before, after: await records.read(kind, id) });
    });
    return true;
  };
  return { record, carefully, each };
}

/** Wraps the handler of a route to record its changes. */
function recording(
  route: RouteOptions,
  action: string,
  records: AuditedRecords,
  recorder: ReturnType<typeof recorderOf>,
): RouteHandlerMethod {
  const { handler, url } = route;
  const { record } = recorder;
  const [kind = ''] = action.split('.');
  const parameter = route.config?.auditedParameter ?? /:(\w+)/.exec(url)?.[1];
  const carefully = <Result>(request: FastifyRequest, work: () => Promise<Result>) =>
    recorder.carefully(request, action, work);

  return async function (this: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
    // If a path creates a record within another, it identifies only the latter.
    const named = String((request.params as Record<string, unknown>)[parameter ?? ''] ?? '');
    const pathId = named.toLowerCase();
    const before = await carefully(request, () => records.read(kind, pathId));
    let answer: unknown;
    try {
      answer = await handler.call(this, request, reply);
    } catch (error) {
      if (error instanceof ParleyError) {
        const { reason } = error;
        const attempt = request.auditNote?.attempt;
        if (attempt !== undefined) {
          await carefully(request, () =>
            record(request, action, pathId, { before: null, after: { ...attempt, reason } }),
          );
        } else if (failedProofs.has(reason)) {
          await carefully(request, () => record(request, `${action}-failed`, pathId, unchanged));
        }
      }
      throw error;
    }
    await carefully(request, async () => {
      const attempt = request.auditNote?.attempt;
      if (attempt !== undefined) {
        await record(request, action, pathId, { before: null, after: { ...attempt, reason: null } });
        return;
      }
      const createdId = request.method === 'POST' ? idOf(answer) : null;
      // The record in the path may have a new name now.
      const id = createdId ?? request.auditNote?.record_id ?? pathId;
      const after = request.method === 'DELETE' ? null : await records.read(kind, id);
      // A copy is a new record; the original is unchanged.
      await record(request, action, id, { before: createdId === null || createdId === pathId ? before : null, after });
    });
    return answer;
  } as RouteHandlerMethod;
}

interface Change {
  before: object | null;
  after: object | null;
}

const unchanged: Change = { before: null, after: null };

/** The id of the created record in a response: `{uuid}`, `{file_id}` or `{<record>: {id}}`. */
function idOf(answer: unknown): string | null {
  const { data } = (answer ?? {}) as { data?: Record<string, unknown> };
  if (typeof data !== 'object' || data === null) return null;
  const inner = Object.values(data).filter((value) => typeof value === 'object' && value !== null);
  for (const holder of [data, ...inner] as Record<string, unknown>[]) {
    const id = holder.uuid ?? holder.file_id ?? holder.id;
    if (typeof id === 'string' || typeof id === 'number') return String(id);
  }
  return null;
}
