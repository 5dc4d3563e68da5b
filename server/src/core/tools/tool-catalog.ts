import type { Logger, Tool, ToolSource } from '@parley/sdk';
import { inTime } from '../../lib/waiting.ts';

/** Longest wait for a source to say what it has, milliseconds. */
const patience = 10_000;
/** How many different remarks are logged; a source must not fill the log with names. */
const maximumRemarks = 1000;

/** All tools of all sources, by name. */
export class ToolCatalog {
  readonly #sources: readonly ToolSource[];
  readonly #logger: Logger;
  readonly #remarks = new Set<string>();
  readonly #patience: number;

  constructor(sources: readonly ToolSource[], logger: Logger, patienceMilliseconds = patience) {
    this.#sources = sources;
    this.#logger = logger;
    this.#patience = patienceMilliseconds;
  }

  /**
   * The tools that there are now. Of two with one name, the one of the earlier source counts. A source that fails or
   * takes too long has none for the time being.
   */
  async tools(): Promise<ReadonlyMap<string, Tool>> {
    const lists = await Promise.all(this.#sources.map((source) => this.#toolsOf(source)));
    const found = new Map<string, Tool>();
    for (const [index, tools] of lists.entries()) {
      const source = this.#sources[index]?.name ?? '';
      for (const tool of tools) {
        if (!isUsable(tool)) this.#remark(source, nameOf(tool), 'a tool cannot be offered to a model');
        else if (found.has(tool.name)) this.#remark(source, tool.name, 'a tool is hidden by another of its name');
        else found.set(tool.name, tool);
      }
    }
    return found;
  }

  async #toolsOf(source: ToolSource): Promise<readonly Tool[]> {
    try {
      return await inTime((async () => source.tools())(), this.#patience, (): readonly Tool[] => {
        this.#logger.warn({ source: source.name }, 'a source of tools takes too long to say what it has');
        return [];
      });
    } catch (error) {
      this.#logger.warn({ source: source.name, error }, 'a source of tools does not say what it has');
      return [];
    }
  }

  /** Said once: the tools are listed for every message. */
  #remark(source: string, tool: string, what: string): void {
    const remark = JSON.stringify([source, tool, what]);
    if (this.#remarks.has(remark) || this.#remarks.size === maximumRemarks) return;
    this.#remarks.add(remark);
    this.#logger.warn({ source, tool }, what);
  }
}

/** Models take no other names, and fail the whole question for one of them. */
function isUsable(tool: Tool): boolean {
  return (
    /^[\w-]{1,64}$/.test(nameOf(tool)) &&
    typeof tool.description === 'string' &&
    typeof tool.parameters === 'object' &&
    tool.parameters !== null &&
    !Array.isArray(tool.parameters)
  );
}

function nameOf(tool: Tool | null | undefined): string {
  return typeof tool?.name === 'string' ? tool.name.slice(0, 100) : '';
}
