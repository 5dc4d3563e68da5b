import type { DraftBlock } from '../../kit/document-draft.ts';

/** A record or group of settings of up to this many characters is not split. */
const recordCharacters = 1500;
const deepestHeading = 6;

/** A data file as text: records as lines of keys and values, below headings with their path. */
export function* readRecords(value: unknown): Generator<DraftBlock> {
  yield* read(value, [], 1);
}

function* read(value: unknown, path: string[], level: number): Generator<DraftBlock> {
  // Records of a list stay apart from each other, short ones too.
  if (Array.isArray(value) && !value.every(isPlain)) {
    yield* readList(value, path, level);
    return;
  }
  const whole = linesWithin(value, recordCharacters);
  if (whole !== null) {
    if (whole.length > 0) yield { type: 'paragraph', text: whole.join('\n') };
    return;
  }
  if (Array.isArray(value)) yield* readList(value, path, level);
  else if (typeof value === 'object' && value !== null) yield* readObject(value, path, level);
  else yield { type: 'paragraph', text: textOf(value) };
}

/** Its records one by one; values that are no records, as many together as fit. */
function* readList(list: unknown[], path: string[], level: number): Generator<DraftBlock> {
  const group = new Group();
  for (const [index, inner] of list.entries()) {
    if (typeof inner !== 'object' || inner === null) {
      yield* group.add([textOf(inner)]);
      continue;
    }
    yield* group.flush();
    if (linesWithin(inner, recordCharacters) === null) yield heading([...path, `[${index}]`], level);
    yield* read(inner, [...path, `[${index}]`], level + 1);
  }
  yield* group.flush();
}

/** Short values together in a paragraph, then long ones, each under its key. */
function* readObject(object: object, path: string[], level: number): Generator<DraftBlock> {
  const group = new Group();
  const long: [key: string, value: unknown][] = [];
  for (const [key, inner] of Object.entries(object)) {
    const lines = linesWithin(inner, recordCharacters / 5);
    if (lines === null) long.push([key, inner]);
    else yield* group.add(linesWithin({ [key]: inner }, Number.POSITIVE_INFINITY) ?? []);
  }
  yield* group.flush();
  for (const [key, inner] of long) {
    const inside = [...path, key];
    yield heading(inside, level);
    yield* read(inner, inside, level + 1);
  }
}

function heading(path: string[], level: number): DraftBlock {
  const text = path.reduce(
    (whole, part) => (part.startsWith('[') || whole === '' ? whole + part : `${whole}.${part}`),
    '',
  );
  return { type: 'heading', level: Math.min(level, deepestHeading), text };
}

/** Lines that make up a paragraph, until it is long enough. */
class Group {
  #lines: string[] = [];
  #characters = 0;

  *add(lines: string[]): Generator<DraftBlock> {
    for (const line of lines) {
      if (this.#characters + line.length > recordCharacters) yield* this.flush();
      this.#lines.push(line);
      this.#characters += line.length + 1;
    }
  }

  *flush(): Generator<DraftBlock> {
    if (this.#lines.length > 0) yield { type: 'paragraph', text: this.#lines.join('\n') };
    this.#lines = [];
    this.#characters = 0;
  }
}

/**
 * The lines `path.to.key: value` of a value, without empty objects and lists.
 * @returns null when they exceed `most` characters; reads only that far
 */
function linesWithin(value: unknown, most: number): string[] | null {
  const lines: string[] = [];
  let left = most;
  const collect = (inner: unknown, path: string): boolean => {
    if (Array.isArray(inner) && inner.every(isPlain)) {
      const texts: string[] = [];
      for (const item of inner) {
        const text = textOf(item);
        left -= text.length + 2;
        if (left < 0) return false;
        if (text !== '') texts.push(text);
      }
      return texts.length === 0 || tell(path, texts.join(', '), 0);
    }
    if (typeof inner !== 'object' || inner === null) {
      const text = textOf(inner);
      return text === '' || tell(path, text, text.length);
    }
    for (const [key, member] of Object.entries(inner)) {
      left -= 1;
      if (left < 0 || !collect(member, joined(path, key, Array.isArray(inner)))) return false;
    }
    return true;
  };
  const tell = (path: string, text: string, characters: number): boolean => {
    left -= path.length + characters + 2;
    if (left < 0) return false;
    lines.push(path === '' ? text : `${path}: ${text}`);
    return true;
  };
  return collect(value, '') ? lines : null;
}

function joined(path: string, key: string, isIndex: boolean): string {
  if (isIndex) return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

/** YAML has numbers beyond all bounds and dates, too. */
function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value).trim();
}
