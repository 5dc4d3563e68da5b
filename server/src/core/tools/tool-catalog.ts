import type { Logger, Tool, ToolSource } from '@parley/sdk';
import { Breather } from '../../lib/breather.ts';
import { inTime } from '../../lib/waiting.ts';
import { schemaFault } from './schema-bounds.ts';

/** Timeout of a source for its list, milliseconds. */
const patience = 10_000;
/** Characters of a prefix that are used, so that something is left for the name. */
const longestPrefix = 24;
/** How many different remarks are logged; a source must not fill the log with names. */
const maximumRemarks = 1000;

/** All tools of all sources, by name. */
export class ToolCatalog {
  readonly #sources: readonly ToolSource[];
  readonly #logger: Logger;
  readonly #remarks = new Set<string>();
  readonly #faults = new WeakMap<object, string | null>();
  readonly #patience: number;

  constructor(sources: readonly ToolSource[], logger: Logger, patienceMs = patience) {
    this.#sources = sources;
    this.#logger = logger;
    this.#patience = patienceMs;
  }

  /**
   * The current tools, by the names for models. Of two with one name, the one of the earlier source has it; the other
   * gets its name with its prefix, or is skipped without one. A source that fails or times out has none for now.
   */
  async tools(): Promise<ReadonlyMap<string, Tool>> {
    const lists = await Promise.all(this.#sources.map((source) => this.#toolsOf(source)));
    const found = new Map<string, Tool>();
    const breather = new Breather();
    for (const [index, tools] of lists.entries()) {
      const source = this.#sources[index]?.name ?? '';
      for (const tool of tools) {
        if (!isUsable(tool)) {
          this.#remark(source, nameOf(tool), 'a tool cannot be offered to a model');
          continue;
        }
        await breather.breathe();
        const fault = this.#schemaFault(tool);
        if (fault !== null) {
          this.#remark(source, tool.name, `a tool cannot be offered to a model: its schema ${fault}`);
          continue;
        }
        const name = freeName(tool, found);
        if (name === null) this.#remark(source, tool.name, 'a tool is hidden by another of its name');
        else found.set(name, tool);
      }
    }
    return found;
  }

  async #toolsOf(source: ToolSource): Promise<readonly Tool[]> {
    try {
      return await inTime((async () => source.tools())(), this.#patience, (): readonly Tool[] => {
        this.#logger.warn({ source: source.name }, 'listing the tools of a source timed out');
        return [];
      });
    } catch (error) {
      this.#logger.warn({ source: source.name, error }, 'failed to list the tools of a source');
      return [];
    }
  }

  /** Measured once for each schema: the tools are listed for every message. */
  #schemaFault({ parameters }: Tool): string | null {
    const known = this.#faults.get(parameters);
    if (known !== undefined) return known;
    const fault = schemaFault(parameters);
    this.#faults.set(parameters, fault);
    return fault;
  }

  /** Said once: the tools are listed for every message. */
  #remark(source: string, tool: string, what: string): void {
    const remark = JSON.stringify([source, tool, what]);
    if (this.#remarks.has(remark) || this.#remarks.size === maximumRemarks) return;
    this.#remarks.add(remark);
    this.#logger.warn({ source, tool }, what);
  }
}

/** Characters of a name. */
const longestName = 64;
/** How many tools may share a name and a prefix. */
const maximumNumber = 100;

/** A unique name for a tool: its own, else with its prefix, else with a number as well. */
function freeName({ name, prefix }: Tool, taken: ReadonlyMap<string, Tool>): string | null {
  if (!taken.has(name)) return name;
  if (prefix === undefined) return null;
  for (let number = 1; number <= maximumNumber; number += 1) {
    const ending = number === 1 ? '' : `_${number}`;
    const candidate = `${prefix.slice(0, longestPrefix)}_${name}`.slice(0, longestName - ending.length) + ending;
    if (!taken.has(candidate)) return candidate;
  }
  return null;
}

/** Models take no other names, and fail the whole question for one of them. */
function isUsable(tool: Tool): boolean {
  return (
    /^[\w-]{1,64}$/.test(nameOf(tool)) &&
    (tool.prefix === undefined || /^[\w-]+$/.test(tool.prefix)) &&
    typeof tool.description === 'string' &&
    typeof tool.parameters === 'object' &&
    tool.parameters !== null &&
    !Array.isArray(tool.parameters)
  );
}

function nameOf(tool: Tool | null | undefined): string {
  return typeof tool?.name === 'string' ? tool.name.slice(0, 100) : '';
}
