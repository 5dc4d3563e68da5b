import { fingerprintOf } from '../core/mcp/confirmed-tools.ts';
import type { McpTool } from '../core/mcp/mcp-server.ts';
import { schemaFault } from '../core/tools/schema-bounds.ts';
import { Breather } from '../lib/breather.ts';

/** Most tools of one server, and of one page of its list. */
const maximumTools = 1000;
/** Longest description, characters; the rest is cut off. */
const longestDescription = 4096;
/** Most bytes of all schemas of a server together. They are compared and stored, which takes time. */
const mostSchemaBytes = 2_097_152;

/** The tools of a server. */
export interface ToolList {
  tools: McpTool[];
  /** Tools that are not offered, with the reason; of many only the first. */
  leftOut: string[];
}

/** How many skipped tools are named. */
const namedAtMost = 20;

/** Collects the tools of a server from one page after the other. */
export class ToolReader {
  readonly #tools: McpTool[] = [];
  readonly #leftOut: string[] = [];
  #schemaBytes = 0;

  /** Whether further pages are ignored. */
  get isFull(): boolean {
    return this.#tools.length >= maximumTools;
  }

  get list(): ToolList {
    return { tools: this.#tools, leftOut: this.#leftOut };
  }

  /** Adds the tools of a page; invalid ones are skipped, whatever else is wrong with it. */
  async read(page: unknown): Promise<void> {
    if (!Array.isArray(page)) return;
    const breather = new Breather();
    for (const tool of page.slice(0, maximumTools)) {
      if (this.isFull) return;
      this.#add(tool);
      await breather.breathe();
    }
  }

  #add(tool: unknown): void {
    if (!isObject(tool) || typeof tool.name !== 'string' || tool.name === '') return;
    const { name, description, inputSchema = {}, annotations, execution } = tool;
    if (!isObject(inputSchema)) return;
    // It only works with clients that fetch the result later.
    if (isObject(execution) && execution.taskSupport === 'required') return;
    const fault = schemaFault(inputSchema) ?? this.#spaceFault(inputSchema);
    if (fault !== null) {
      if (this.#leftOut.length < namedAtMost)
        this.#leftOut.push(`${JSON.stringify(name.slice(0, 100))}: its schema ${fault}`);
      return;
    }
    const described = {
      name,
      description: typeof description === 'string' ? description.slice(0, longestDescription) : '',
      // The schema for a model has to require an object.
      parameters: { ...inputSchema, type: 'object' },
      read_only_hint: isObject(annotations) && annotations.readOnlyHint === true,
    };
    this.#tools.push({ ...described, fingerprint: fingerprintOf(described) });
  }

  #spaceFault(schema: object): string | null {
    this.#schemaBytes += JSON.stringify(schema).length;
    return this.#schemaBytes > mostSchemaBytes ? `is too much: all of a server have ${mostSchemaBytes} bytes` : null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
