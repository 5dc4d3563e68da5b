import type { AllowedTools, Logger, MessageElement, PipelineMessage, Tool, ToolSource } from '@parley/sdk';
import { MessageTools, type ToolOutcome } from './message-tools.ts';
import type { ParameterChecker } from './parameter-checker.ts';
import type { ToolAccess, ToolPurpose } from './tool-access.ts';
import type { ToolCallRecords, ToolCallStore } from './tool-call-store.ts';
import { ToolCatalog } from './tool-catalog.ts';

export interface ToolGatewayOptions {
  /** Sources of tools; of two tools with one name, the one of the earlier source is called. */
  sources: readonly ToolSource[];
  checker: ParameterChecker;
  logger: Logger;
}

/** Tools that a pipeline allows. */
export interface ToolRights {
  /** Names of tools; `*` allows all. */
  allowed: readonly string[];
  /**
   * The rule of the pipeline for the tools of extensions, evaluated for each list and each call. All may be called when
   * omitted.
   */
  access?: (purpose: ToolPurpose) => Promise<ToolAccess>;
  /** Called with tools that are not offered to the model because of the user, with each new list. */
  withheld?: (tools: readonly string[]) => void;
  /** Longest time for one call without a sign of progress, milliseconds. */
  timeoutMs: number;
  /** Longest time for one call that makes progress. Default ten minutes, or the time without progress if longer. */
  maximumMs?: number;
  /** Most concurrent calls. Default 4. */
  maximumParallel?: number;
}

/** A call of one tool without a model. */
export interface SingleCall {
  tool: Tool;
  parameters: unknown;
  /** Stands for the message: its sender is the user on whose behalf the tool is called. */
  message: PipelineMessage;
  /** As {@link ToolRights}. */
  timeoutMs: number;
  /** Records the call, in place of the records of a message. */
  store: ToolCallRecords;
}

const defaultParallel = 4;
const defaultMaximum = 600_000;
const fullAccess = async () => () => null;

/** The only access to tools: lists them for a message, checks each call, limits and records it. */
export class ToolGateway {
  readonly #store: ToolCallStore;
  readonly #catalog: ToolCatalog;
  readonly #checker: ParameterChecker;
  readonly #logger: Logger;

  constructor(store: ToolCallStore, { sources, checker, logger }: ToolGatewayOptions) {
    this.#store = store;
    this.#catalog = new ToolCatalog(sources, logger);
    this.#checker = checker;
    this.#logger = logger;
  }

  /** At start: calls that a crash cut short are recorded as such. @returns how many */
  recover(): Promise<number> {
    return this.#store.interruptAbandoned();
  }

  /**
   * The tools that a message may cause to be called.
   * @param claimed the message, and its claim: no tool is called once that is outdated
   * @param collect is given what tools want to be sent along with the answer
   */
  forMessage(
    { message, claim }: { message: PipelineMessage; claim: number },
    {
      maximumParallel = defaultParallel,
      maximumMs = defaultMaximum,
      access = fullAccess,
      withheld = () => undefined,
      ...rights
    }: ToolRights,
    collect: (attachment: MessageElement) => void,
  ): AllowedTools {
    return new MessageTools(message, {
      ...rights,
      maximumParallel,
      maximumMs: Math.max(maximumMs, rights.timeoutMs),
      access,
      withheld,
      store: { begin: (call) => this.#store.begin(call, claim), end: (uuid, end) => this.#store.end(uuid, end) },
      catalog: this.#catalog,
      checker: this.#checker,
      logger: this.#logger,
      collect,
    });
  }

  /**
   * Calls one tool with the checks and limits of a call by a model. Whether the user may, is the caller's to check.
   * @throws the reason of the signal when it is aborted
   */
  async callOnce(
    { tool, parameters, message, timeoutMs, store }: SingleCall,
    signal: AbortSignal,
  ): Promise<ToolOutcome & { attachments: MessageElement[] }> {
    const attachments: MessageElement[] = [];
    const catalog = new ToolCatalog([{ name: 'single', tools: async () => [tool] }], this.#logger);
    const tools = new MessageTools(message, {
      allowed: ['*'],
      access: fullAccess,
      withheld: () => undefined,
      timeoutMs,
      maximumMs: Math.max(defaultMaximum, timeoutMs),
      maximumParallel: 1,
      store,
      catalog,
      checker: this.#checker,
      logger: this.#logger,
      collect: (attachment) => attachments.push(attachment),
    });
    return { ...(await tools.run(tool.name, parameters, signal)), attachments };
  }
}
