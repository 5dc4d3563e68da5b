import {
  type AllowedTools,
  type ErrorDetail,
  type Logger,
  type MessageElement,
  ParleyError,
  type PipelineMessage,
  parseMessageChain,
  type Reason,
  type Tool,
  type ToolResult,
} from '@parley/sdk';
import { now } from '../../lib/clock.ts';
import { ConcurrencyLimit } from '../../lib/concurrency-limit.ts';
import { cutToBytes } from '../../lib/cut-text.ts';
import { findStorageError } from '../../lib/storage-error.ts';
import { newUuid } from '../../lib/uuid.ts';
import { untilAborted } from '../../lib/waiting.ts';
import type { ParameterChecker, ParameterFault } from './parameter-checker.ts';
import type { ToolAccess, ToolPurpose } from './tool-access.ts';
import type { ToolCallState } from './tool-call.ts';
import type { ToolCallRecords } from './tool-call-store.ts';
import type { ToolCatalog } from './tool-catalog.ts';
import { type CheckedParameters, readParameters } from './tool-parameters.ts';

export interface MessageToolsOptions {
  allowed: readonly string[];
  access: (purpose: ToolPurpose) => Promise<ToolAccess>;
  withheld: (tools: readonly string[]) => void;
  timeoutMs: number;
  maximumMs: number;
  maximumParallel: number;
  store: ToolCallRecords;
  catalog: Pick<ToolCatalog, 'tools'>;
  checker: ParameterChecker;
  logger: Logger;
  collect: (attachment: MessageElement) => void;
}

/** Longest result for a model, bytes. */
const modelBytes = 65_536;
/** Longest stored text of a call, bytes. */
const storedBytes = 16_384;
/** Longest stored name, characters: a model may make one up. */
const longestName = 255;
/** Most attachments of one message, and their total characters. */
const maximumAttachments = 20;
const maximumAttachmentCharacters = 28_000_000;

type GoodParameters = Extract<CheckedParameters, { fault: null }>;

interface KnownTool {
  tool: Tool;
  isForUser: boolean;
}

/** How a call ended. */
export interface ToolOutcome {
  state: Exclude<ToolCallState, 'running'>;
  /** The text for the model. */
  modelText: string;
  result: string | null;
  reason: Reason | null;
  error: string | null;
  /** What is wrong with the parameters, by field. */
  details?: readonly ErrorDetail[];
  /** An unexpected error, for the log. */
  thrown?: unknown;
}

/** The tools of one message. */
export class MessageTools implements AllowedTools {
  readonly #message: PipelineMessage;
  readonly #options: MessageToolsOptions;
  readonly #turns: ConcurrencyLimit;
  #attachments = 0;
  #attachedCharacters = 0;

  constructor(message: PipelineMessage, options: MessageToolsOptions) {
    this.#message = message;
    this.#options = options;
    this.#turns = new ConcurrencyLimit(options.maximumParallel);
  }

  async list() {
    const tools = [...(await this.#tools('offer'))];
    this.#options.withheld(tools.filter(([, { isForUser }]) => !isForUser).map(([name]) => name));
    return tools
      .filter(([, { isForUser }]) => isForUser)
      .map(([name, { tool }]) => ({ name, description: tool.description, parameters: tool.parameters }));
  }

  async call(name: string, parameters: unknown, signal: AbortSignal): Promise<{ text: string; failed: boolean }> {
    const { modelText, state } = await this.run(name, parameters, signal);
    return { text: modelText, failed: state === 'failed' };
  }

  /**
   * As {@link call}, with the reason of a failure.
   * @throws the reason of the signal when it is aborted; StorageError `not_owner` when the claim of the message is outdated
   */
  run(name: string, parameters: unknown, signal: AbortSignal): Promise<ToolOutcome> {
    return this.#turns.run(() => this.#run(name, parameters, signal));
  }

  async #run(name: string, given: unknown, signal: AbortSignal): Promise<ToolOutcome> {
    signal.throwIfAborted();
    const { store, logger } = this.#options;
    const parameters = readParameters(given);
    const uuid = newUuid();
    const about = { message: this.#message.uuid, tool: name.slice(0, longestName) };
    try {
      await store.begin({
        uuid,
        message_uuid: this.#message.uuid,
        tool_name: about.tool,
        parameters: stored(parameters.json),
        started_at: now(),
      });
    } catch (error) {
      // Another replica answers the message: this one must do nothing more for it.
      if (findStorageError(error)?.detail === 'not_owner') throw error;
      // Without a record, the call would be invisible.
      logger.error({ ...about, error }, 'a tool call cannot be recorded, so it is not made');
      return refusal('internal', 'the tool cannot be called');
    }
    const started = performance.now();
    const outcome =
      parameters.fault === null
        ? await this.#attempt(name, parameters, signal)
        : invalidParameters([{ text: parameters.fault, detail: { path: 'parameters', message: parameters.fault } }]);
    const { modelText: _, details: __, result, thrown, ...end } = outcome;
    try {
      await store.end(uuid, {
        ...end,
        result: result === null ? null : stored(result),
        result_size: result === null ? null : Buffer.byteLength(result),
        milliseconds: Math.round(performance.now() - started),
      });
    } catch (error) {
      logger.error({ ...about, error }, 'the end of a tool call cannot be recorded');
    }
    if (end.state === 'interrupted') throw signal.reason;
    if (thrown !== undefined) logger.error({ ...about, error: thrown }, 'a tool failed unexpectedly');
    else if (end.state === 'failed') logger.warn({ ...about, reason: end.reason }, `a tool call failed: ${end.error}`);
    return outcome;
  }

  async #attempt(name: string, { value, json }: GoodParameters, signal: AbortSignal): Promise<ToolOutcome> {
    const { timeoutMs, maximumMs, checker } = this.#options;
    const limit = new TimeLimit(timeoutMs, maximumMs);
    const ending = AbortSignal.any([signal, limit.signal]);
    try {
      // Permissions are checked again: a model may call a tool that was not offered.
      const found = (await untilAborted(this.#tools('call'), ending)).get(name);
      if (found === undefined) return refusal('tool_not_allowed', `there is no tool named ${JSON.stringify(name)}`);
      const { tool, isForUser } = found;
      if (!isForUser) return refusal('tool_not_for_user', notForUser(name));
      const checking = checker.faultsOf(tool.parameters, json, tool.extension ?? '');
      const faults = await untilAborted(checking, ending);
      if (faults.length > 0) return invalidParameters(faults);
      // Earlier attachments are not the tool's.
      limit.extend();
      return this.#success(
        await untilAborted(
          callOf(tool, value, { message: this.#message, signal: ending, progress: () => limit.extend() }),
          ending,
        ),
      );
    } catch (error) {
      if (signal.aborted) return interruption(signal.reason);
      if (limit.signal.aborted) {
        return refusal('tool_timeout', `the tool did not answer within ${limit.usedUp / 1000} seconds`);
      }
      if (error instanceof ParleyError) return refusal(reasonOfFailure(error), error.message);
      return { ...refusal('tool_failed', 'the tool failed'), thrown: error };
    } finally {
      limit.end();
    }
  }

  #success({ text, attachments = [] }: ToolResult): ToolOutcome {
    if (typeof text !== 'string') return refusal('tool_failed', 'the tool gave an answer that cannot be read');
    const sent = attachments.filter((attachment) => this.#attach(attachment)).length;
    const nothing = sent > 0 ? `(no text; ${sent} attached to the answer)` : '(no text)';
    const left = attachments.length - sent;
    const more = left === 0 ? '' : `\n[${left} of ${attachments.length} could not be attached to the answer]`;
    const modelText = (text.trim() === '' ? nothing : cut(text, modelBytes)) + more;
    return { state: 'succeeded', modelText, result: text, reason: null, error: null };
  }

  #attach(attachment: MessageElement): boolean {
    try {
      const length = JSON.stringify(attachment).length;
      if (this.#attachments === maximumAttachments || this.#attachedCharacters + length > maximumAttachmentCharacters) {
        throw new ParleyError('too_large', 'There are too many attachments, or too large ones');
      }
      for (const element of parseMessageChain([attachment], 'attachments')) this.#options.collect(element);
      this.#attachments += 1;
      this.#attachedCharacters += length;
      return true;
    } catch (error) {
      this.#options.logger.warn({ message: this.#message.uuid, error }, 'dropped an attachment of a tool');
      return false;
    }
  }

  /** The tools that the pipeline uses, and whether the user of the message may have each called. */
  async #tools(purpose: ToolPurpose): Promise<ReadonlyMap<string, KnownTool>> {
    const { allowed, catalog, access } = this.#options;
    const [tools, refusalOf] = await Promise.all([catalog.tools(), access(purpose)]);
    const known = new Map<string, KnownTool>();
    for (const [name, tool] of tools) {
      if (!allowed.includes('*') && !allowed.includes(name)) continue;
      const refusal = refusalOf(tool);
      if (refusal !== 'tool_not_allowed') known.set(name, { tool, isForUser: refusal === null });
    }
    return known;
  }
}

/** Aborts when a tool took too long: from its last sign of progress, or in all. */
class TimeLimit {
  readonly #controller = new AbortController();
  readonly #timers: NodeJS.Timeout[];
  /** The time that was up, milliseconds. */
  usedUp = 0;
  /** A cleared timer would restart on a refresh. */
  #isOver = false;

  constructor(quiet: number, whole: number) {
    this.#timers = [quiet, whole].map((milliseconds) => setTimeout(() => this.#abort(milliseconds), milliseconds));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  extend(): void {
    if (!this.#isOver) this.#timers[0]?.refresh();
  }

  end(): void {
    this.#isOver = true;
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #abort(milliseconds: number): void {
    this.#isOver = true;
    this.usedUp = milliseconds;
    this.#controller.abort();
  }
}

/** Whatever a tool does, it is a promise. */
async function callOf(tool: Tool, ...given: Parameters<Tool['call']>): Promise<ToolResult> {
  return (await tool.call(...given)) ?? { text: '' };
}

/** What happened to the process of a plugin is for the operator to know; a tool that fails by itself has just failed. */
function reasonOfFailure({ reason }: ParleyError): Reason {
  return reason.startsWith('plugin_') ? reason : 'tool_failed';
}

function refusal(reason: Reason, message: string): ToolOutcome {
  return {
    state: 'failed',
    modelText: cut(`err: ${message}`, modelBytes),
    result: null,
    reason,
    error: stored(message),
  };
}

function invalidParameters(faults: readonly ParameterFault[]): ToolOutcome {
  const text = faults.map((fault) => fault.text).join('; ');
  const details = faults.map(({ detail }) => detail);
  return { ...refusal('invalid_request', `the parameters are not right: ${text}`), details };
}

function notForUser(name: string): string {
  const who = 'the sender of this message may not have it called';
  return `the tool ${JSON.stringify(name)} may change something, and ${who}; do not call it again, and say that an admin of this service can allow it`;
}

function interruption(why: unknown): ToolOutcome {
  const reason = why instanceof ParleyError ? why.reason : 'interrupted';
  return { state: 'interrupted', modelText: '', result: null, reason, error: 'The answer was aborted.' };
}

function stored(text: string): string {
  return cut(text, storedBytes);
}

/** The start of a text that is too long, with a note that says so. */
function cut(text: string, bytes: number): string {
  const start = cutToBytes(text, bytes);
  if (start === text) return text;
  return `${start}\n[Truncated: the full text has ${Buffer.byteLength(text)} bytes.]`;
}
