import { ParleyApiError } from '@parley/client';
import i18next from 'i18next';
import { useState } from 'react';
import { isJsonObject } from './json-differences.ts';

/** What is typed in fields and is no value yet, such as `1e` or unfinished JSON. Forms have the last value meanwhile. */
export interface TypedTexts {
  /** By the path of the field, as in `data-field`. */
  texts: Readonly<Record<string, string>>;
  /** @param text undefined when the field has a value again */
  setText: (path: string, text: string | undefined) => void;
}

/** The rule that such a text breaks; see {@link requireValues}. */
export const unfinished = 'unfinished';

/** The unfinished texts of a form. */
export function useTypedTexts(initial: Readonly<Record<string, string>> = {}) {
  const [texts, setTexts] = useState(initial);
  return {
    texts,
    isEmpty: Object.keys(texts).length === 0,
    setText: (path: string, text: string | undefined) =>
      setTexts((current) => {
        if (current[path] === text) return current;
        const { [path]: _, ...others } = current;
        return text === undefined ? others : { ...others, [path]: text };
      }),
    /** @param isDropped default: all are */
    drop: (isDropped: (path: string) => boolean = () => true) =>
      setTexts((current) => Object.fromEntries(Object.entries(current).filter(([path]) => !isDropped(path)))),
  };
}

/** Whether the page has a field. Texts of fields that a choice has hidden do not matter. */
export function isFieldShown(path: string): boolean {
  return document.querySelector(`[data-field="${CSS.escape(path)}"]`) !== null;
}

/**
 * To be called before a form is sent.
 * @throws ParleyApiError `invalid_request` with the fields that have an unfinished text, as the server would
 */
export function requireValues({ texts }: Pick<TypedTexts, 'texts'>, isShown = isFieldShown): void {
  const details = Object.keys(texts)
    .filter(isShown)
    .map((path) => ({ path, message: 'is unfinished', rule: unfinished }));
  if (details.length === 0) return;
  throw new ParleyApiError(i18next.t('errors.fields'), { status: 400, reason: 'invalid_request', details });
}

/** Reads texts from storage, which anything may have been written to. */
export function typedTextsIn(stored: unknown): Record<string, string> {
  if (!isJsonObject(stored)) return {};
  const isText = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string';
  return Object.fromEntries(Object.entries(stored).filter(isText));
}
