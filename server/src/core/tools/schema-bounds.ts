import { isDeeperThan } from '../../lib/nesting.ts';

/** Most bytes of a schema as JSON. */
const mostBytes = 65_536;
/** Nesting of objects and lists, with references expanded. */
const deepest = 50;
/** Objects of a schema, with references expanded. */
const mostNodes = 1000;

/**
 * Why an untrusted JSON Schema is refused: it is larger than any tool needs, and compiling it or validating with it
 * could take any time. Fast for any schema.
 * @returns the rest of a sentence that starts with "its schema"; null when the schema may be used
 */
export function schemaFault(schema: Record<string, unknown>): string | null {
  if (isDeeperThan(schema, deepest)) return `is nested more than ${deepest} deep`;
  const bytes = Buffer.byteLength(JSON.stringify(schema));
  if (bytes > mostBytes) return `has ${bytes} bytes, more than ${mostBytes}`;
  const { nodes, depth } = new ExpandedSchema(schema).extent;
  if (depth > deepest) return `is nested more than ${deepest} deep, with its references followed`;
  return nodes > mostNodes ? `has more than ${mostNodes} objects, with its references followed` : null;
}

interface Extent {
  nodes: number;
  depth: number;
}

/**
 * Measures a schema with its references expanded. Each place is visited once: its extent is the same wherever it is
 * referenced. A recursive reference counts as nothing, since it is followed only as deep as the data goes; so does a
 * dangling one.
 */
class ExpandedSchema {
  readonly #root: object;
  readonly #anchors = new Map<string, object>();
  readonly #known = new Map<object, Extent>();
  readonly #open = new Set<object>();

  constructor(root: object) {
    this.#root = root;
    this.#collectAnchors(root);
  }

  get extent(): Extent {
    return this.#extentOf(this.#root, 0);
  }

  #extentOf(place: object, above: number): Extent {
    const known = this.#known.get(place);
    if (known !== undefined) return known;
    const extent = { nodes: Array.isArray(place) ? 0 : 1, depth: 1 };
    // Deep enough to be refused; a chain of references must not exhaust the stack.
    if (above > deepest || this.#open.has(place)) return extent;
    this.#open.add(place);
    for (const [key, value] of Object.entries(place)) {
      const inner = isObject(value) ? value : isReference(key) ? this.#target(value) : undefined;
      if (inner === undefined || this.#open.has(inner)) continue;
      const { nodes, depth } = this.#extentOf(inner, above + 1);
      // Counts only up to the limit: the number may double with each level.
      extent.nodes = Math.min(extent.nodes + nodes, mostNodes + 1);
      extent.depth = Math.max(extent.depth, depth + 1);
    }
    this.#open.delete(place);
    this.#known.set(place, extent);
    return extent;
  }

  /** `#`, `#/$defs/a`, `#name`, or the id of a part. */
  #target(reference: unknown): object | undefined {
    if (typeof reference !== 'string') return undefined;
    if (!reference.startsWith('#/')) return reference === '#' ? this.#root : this.#anchors.get(reference);
    let place: unknown = this.#root;
    for (const part of reference.slice(2).split('/')) {
      if (!isObject(place)) return undefined;
      place = (place as Record<string, unknown>)[nameIn(part)];
    }
    return isObject(place) ? place : undefined;
  }

  #collectAnchors(place: object): void {
    for (const [key, value] of Object.entries(place)) {
      if (isObject(value)) this.#collectAnchors(value);
      else if (typeof value !== 'string') continue;
      else if (key === '$anchor' || key === '$dynamicAnchor') this.#anchors.set(`#${value}`, place);
      else if (key === '$id') this.#anchors.set(value, place);
    }
  }
}

function isReference(key: string): boolean {
  return key === '$ref' || key === '$dynamicRef' || key === '$recursiveRef';
}

/** A part of a pointer as it was before it was written into an address. */
function nameIn(part: string): string {
  let decoded = part;
  try {
    decoded = decodeURIComponent(part);
  } catch {
    // It is no address, so it is taken as it is.
  }
  return decoded.replaceAll('~1', '/').replaceAll('~0', '~');
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
