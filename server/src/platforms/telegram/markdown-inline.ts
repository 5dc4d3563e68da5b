import type { MessageEntity } from 'grammy/types';
import type { FormattedText } from './formatted-text.ts';

type Style = 'bold' | 'italic' | 'strikethrough';

/** A piece of a line: a text, or a mark that begins or ends something once its counterpart is found. */
interface Token {
  /** What is shown; for a mark without counterpart, what was written. */
  text: string;
  isCode?: true;
  /** Styles and links that begin before the text, and that end before it. */
  opens?: Opened[];
  closes?: Opened[];
}

type Opened = { type: Style } | { type: 'text_link'; url: string };

/** A mark that may begin a style: `*`, `__`, … */
interface Delimiter {
  mark: string;
  token: Token;
}

const unremarkable = /[^\\`*_~[\]!<h\n]+/y;
const escapable = /[!-/:-@[-`{-~]/;
const wordCharacter = /[\p{L}\p{N}]/u;
/** Addresses longer than this, and styles nested deeper, are no formatting; so no text takes long to read. */
const maximumTargetLength = 2048;
const maximumDepth = 32;
const linkTarget = /^\(\s*(<[^<>\n]*>|[^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)(?:\s+(?:"[^"\n]*"|'[^'\n]*'))?\s*\)/;
const bareAddress = /https?:\/\/[^\s<>"[\]]+/y;
const autoLink = /<((?:https?|tg|mailto):[^\s<>]+)>/y;
const openableAddress = /^(https?:\/\/|tg:\/\/|mailto:)\S+$/i;

/**
 * Formats what stands inside a paragraph: emphasis, code and links. What has no counterpart stays as it was written.
 * @param around a style for all of it
 */
export function formatInline(source: string, around?: Style): FormattedText {
  return new InlineFormatter(source).format(around);
}

class InlineFormatter {
  readonly #source: string;
  readonly #tokens: Token[] = [];
  /** Marks that wait for their counterpart, the innermost last. */
  readonly #open: Delimiter[] = [];
  /** Brackets that may turn out to begin a link. */
  readonly #brackets: { token: Token; openBefore: number }[] = [];
  /** Runs of backticks of these lengths do not occur any more. */
  readonly #unclosedCode = new Set<number>();

  constructor(source: string) {
    this.#source = source;
  }

  format(around: Style | undefined): FormattedText {
    for (let position = 0; position < this.#source.length; ) position += this.#read(position);
    if (around === undefined) return assembled(this.#tokens);
    const whole: Opened = { type: around };
    return assembled([{ text: '', opens: [whole] }, ...this.#tokens, { text: '', closes: [whole] }]);
  }

  /** Reads what begins at a place. @returns how many characters that was */
  #read(position: number): number {
    const character = this.#source[position] as string;
    switch (character) {
      case '\\':
        return this.#escape(position);
      case '`':
        return this.#code(position);
      case '*':
      case '_':
      case '~':
        return this.#emphasis(position, character);
      case '[':
        return this.#openBracket('[');
      case '!':
        return this.#source[position + 1] === '[' ? this.#openBracket('![') : this.#literal('!');
      case ']':
        return this.#closeBracket(position);
      case '<':
        return this.#autoLink(position);
      case 'h':
        return this.#address(position);
      case '\n':
        // A bracket that was left open on an earlier line is no link.
        this.#brackets.length = 0;
        return this.#literal('\n');
      default:
        return this.#literal(matchAt(unremarkable, this.#source, position)?.[0] ?? character);
    }
  }

  #literal(text: string): number {
    this.#tokens.push({ text });
    return text.length;
  }

  #escape(position: number): number {
    const next = this.#source[position + 1];
    if (next === undefined || !escapable.test(next)) return this.#literal('\\');
    this.#literal(next);
    return 2;
  }

  #code(position: number): number {
    const run = runAt(this.#source, position);
    const end = this.#unclosedCode.has(run) ? -1 : this.#endOfCode(position + run, run);
    if (end < 0) {
      this.#unclosedCode.add(run);
      return this.#literal('`'.repeat(run));
    }
    const content = this.#source.slice(position + run, end).replaceAll('\n', ' ');
    // One space at both ends is there so that the content may begin or end with a backtick.
    const isPadded = content.startsWith(' ') && content.endsWith(' ') && content.trim() !== '';
    this.#tokens.push({ text: isPadded ? content.slice(1, -1) : content, isCode: true });
    return end + run - position;
  }

  /** Where the run of as many backticks begins; -1 when there is none. */
  #endOfCode(from: number, run: number): number {
    for (let end = this.#source.indexOf('`', from); end >= 0; ) {
      const closing = runAt(this.#source, end);
      if (closing === run) return end;
      end = this.#source.indexOf('`', end + closing);
    }
    return -1;
  }

  #emphasis(position: number, character: '*' | '_' | '~'): number {
    const run = runAt(this.#source, position);
    const marks = marksOf(character, run);
    const before = [...this.#source.slice(Math.max(0, position - 2), position)].at(-1) ?? ' ';
    const after = [...this.#source.slice(position + run, position + run + 2)].at(0) ?? ' ';
    const isInsideWord = wordCharacter.test(before) && wordCharacter.test(after);
    if (marks.length === 0 || (character === '_' && isInsideWord)) return this.#literal(character.repeat(run));
    if (!/\s/.test(before) && this.#closeStyles(marks)) return run;
    if (/\s/.test(after)) return this.#literal(character.repeat(run));
    for (const mark of marks) {
      const token: Token = { text: mark };
      this.#tokens.push(token);
      this.#open.push({ mark, token });
    }
    return run;
  }

  /** Ends the styles that these marks began, when there are such. @returns whether there were */
  #closeStyles(marks: string[]): boolean {
    const lowest = Math.max(this.#brackets.at(-1)?.openBefore ?? 0, this.#open.length - maximumDepth);
    const inner = lowest + this.#open.slice(lowest).findLastIndex(({ mark }) => marks.includes(mark));
    const outer = inner - marks.length + 1;
    if (outer < lowest) return false;
    const ending = this.#open.slice(outer, inner + 1);
    if (!marks.every((mark) => ending.some((delimiter) => delimiter.mark === mark))) return false;
    // Between two marks without anything there is nothing to show.
    if (this.#tokens.at(-1) === ending.at(-1)?.token) return false;
    const closes: Opened[] = [];
    for (const { mark, token } of ending) {
      const opened: Opened = { type: styleOf(mark) };
      Object.assign(token, { text: '', opens: [opened] });
      closes.push(opened);
    }
    this.#tokens.push({ text: '', closes });
    // What was begun inside and did not end stays as it was written.
    this.#open.length = outer;
    return true;
  }

  #openBracket(text: '[' | '!['): number {
    const token: Token = { text };
    this.#tokens.push(token);
    this.#brackets.push({ token, openBefore: this.#open.length });
    return text.length;
  }

  #closeBracket(position: number): number {
    const bracket = this.#brackets.pop();
    const following = this.#source.slice(position + 1, position + 1 + maximumTargetLength);
    const target = bracket === undefined ? null : linkTarget.exec(following);
    if (bracket === undefined || target === null) return this.#literal(']');
    const url = (target[1] ?? '').replace(/^<(.*)>$/s, '$1');
    const { token } = bracket;
    const isEmpty = this.#tokens.at(-1) === token;
    token.text = '';
    this.#open.length = Math.min(this.#open.length, bracket.openBefore);
    if (openableAddress.test(url)) {
      const opened: Opened = { type: 'text_link', url };
      token.opens = [opened];
      if (isEmpty) this.#literal(url);
      this.#tokens.push({ text: '', closes: [opened] });
      // Links hold no links.
      this.#brackets.length = 0;
    } else if (url !== '') {
      // Nobody could open it, so it is only shown.
      this.#literal(isEmpty ? url : ` (${url})`);
    }
    return 1 + target[0].length;
  }

  #autoLink(position: number): number {
    const link = matchAt(autoLink, this.#source, position);
    if (link === null) return this.#literal('<');
    this.#literal((link[1] ?? '').replace(/^mailto:/, ''));
    return link[0].length;
  }

  /** An address stands for itself: marks inside are part of it, and Telegram makes it a link. */
  #address(position: number): number {
    const address = matchAt(bareAddress, this.#source, position)?.[0];
    if (address === undefined) return this.#literal('h');
    // Marks at the end belong to what is around it: **https://example.org**.
    let end = address.length;
    while ('*_~`)'.includes(address[end - 1] as string)) end -= 1;
    return this.#literal(address.slice(0, end));
  }
}

function matchAt(pattern: RegExp, text: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position;
  return pattern.exec(text);
}

function runAt(text: string, position: number): number {
  let end = position;
  while (text[end] === text[position]) end += 1;
  return end - position;
}

/** The marks that a run is made of, the outer first; none when the run means nothing. */
function marksOf(character: '*' | '_' | '~', run: number): string[] {
  if (character === '~') return run === 2 ? ['~~'] : [];
  const [italic, bold] = [character, character.repeat(2)];
  return { 1: [italic], 2: [bold], 3: [italic, bold] }[run] ?? [];
}

function styleOf(mark: string): Style {
  if (mark === '~~') return 'strikethrough';
  return mark.length === 2 ? 'bold' : 'italic';
}

function assembled(tokens: readonly Token[]): FormattedText {
  let text = '';
  const entities: MessageEntity[] = [];
  /** Where each style and link that is open here began. */
  const starts = new Map<Opened, number>();
  const emit = (opened: Opened, offset: number) => {
    if (text.length > offset) entities.push({ ...opened, offset, length: text.length - offset });
  };
  for (const { text: shown, isCode = false, opens = [], closes = [] } of tokens) {
    for (const opened of closes) {
      const offset = starts.get(opened);
      if (offset !== undefined) emit(opened, offset);
      starts.delete(opened);
    }
    for (const opened of opens) {
      const isRepeated = starts.keys().some(({ type }) => type === opened.type);
      if (!isRepeated) starts.set(opened, text.length);
    }
    const isLink = starts.keys().some(({ type }) => type === 'text_link');
    if (!isCode || isLink) {
      text += shown;
      continue;
    }
    // Code has no other style: those that are open pause for it.
    for (const [opened, offset] of starts) emit(opened, offset);
    entities.push({ type: 'code', offset: text.length, length: shown.length });
    text += shown;
    for (const opened of starts.keys()) starts.set(opened, text.length);
  }
  entities.sort((left, right) => left.offset - right.offset || right.length - left.length);
  return { text, entities };
}
