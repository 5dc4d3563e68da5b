import type { RegExpEngine, RegExpLike } from 'ajv/dist/types/index.js';
import { RE2JS } from 're2js';

/** Ajv identifies patterns by their text. */
class LinearPattern implements RegExpLike {
  readonly #source: string;
  readonly #compiled: RE2JS;

  /** @throws Error when it cannot be used without going back */
  constructor(source: string) {
    this.#source = source;
    this.#compiled = RE2JS.compile(RE2JS.translateRegExp(source));
  }

  test(text: string): boolean {
    return this.#compiled.test(text);
  }

  toString(): string {
    return `/${this.#source}/`;
  }
}

/**
 * Compiles patterns of schemas for an engine without backtracking. Features of JavaScript's engine only, such as
 * look-around, fall back to it: the caller must be able to end at any time.
 */
export const linearRegExp: RegExpEngine = Object.assign(
  (pattern: string, flags: string): RegExpLike => {
    try {
      return new LinearPattern(pattern);
    } catch {
      return new RegExp(pattern, flags);
    }
  },
  // Names it in code that is written into a file, which ours is not.
  { code: 'linearRegExp' },
);
