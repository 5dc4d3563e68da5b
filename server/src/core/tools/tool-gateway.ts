import type { AllowedTools, Logger, MessageElement, PipelineMessage, ToolSource } from '@parley/sdk';
import { MessageTools } from './message-tools.ts';
import type { ParameterChecker } from './parameter-checker.ts';
import type { ToolAccess } from './tool-access.ts';
import type { ToolCallStore } from './tool-call-store.ts';
import { ToolCatalog } from './tool-catalog.ts';

export interface ToolGatewayOptions {
  /** Where tools come from; of two tools with one name, the one of the earlier source is called. */
  sources: readonly ToolSource[];
  checker: ParameterChecker;
  logger: Logger;
}

/** What a pipeline lets its messages do with tools. */
export interface ToolRights {
  /** Names of tools; `*` stands for all. */
  allowed: readonly string[];
  /** What the pipeline says of the tools of extensions, asked for each list and each call. All may be called when left out. */
  access?: () => Promise<ToolAccess>;
  /** Told of tools that the model is not offered because of the user, each time it is offered others. */
  withheld?: (tools: readonly string[]) => void;
  /** Longest time for one call without a sign of progress, milliseconds. */
  timeoutMilliseconds: number;
  /** Longest time for one call that makes progress. Default ten minutes, or the time without progress if longer. */
  maximumMilliseconds?: number;
  /** How many calls may go on at once. Default 4. */
  maximumParallel?: number;
}

const defaultParallel = 4;
const defaultMaximum = 600_000;
const fullAccess = async () => () => null;

/** The only way to a tool: says which there are for a message, checks each call, bounds it and puts it on record. */
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
    return this.#store.interruptRunning();
  }

  /**
   * The tools that a message may cause to be called.
   * @param collect is given what tools want to be sent along with the answer
   */
  forMessage(
    message: PipelineMessage,
    {
      maximumParallel = defaultParallel,
      maximumMilliseconds = defaultMaximum,
      access = fullAccess,
      withheld = () => undefined,
      ...rights
    }: ToolRights,
    collect: (attachment: MessageElement) => void,
  ): AllowedTools {
    return new MessageTools(message, {
      ...rights,
      maximumParallel,
      maximumMilliseconds: Math.max(maximumMilliseconds, rights.timeoutMilliseconds),
      access,
      withheld,
      store: this.#store,
      catalog: this.#catalog,
      checker: this.#checker,
      logger: this.#logger,
      collect,
    });
  }
}
