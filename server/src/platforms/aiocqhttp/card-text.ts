import { fieldsOf, textOf } from './fields.ts';

/** Longest text of a card, UTF-16 units. */
const longestText = 500;

/** What a card says, such as a shared page or a mini program, as a text. */
export function jsonCardText(source: string): string {
  let card: unknown;
  try {
    card = JSON.parse(source);
  } catch {
    return '[Card]';
  }
  const { prompt, meta } = fieldsOf(card);
  const details = Object.values(fieldsOf(meta)).flatMap((value) => {
    const { title, desc, qqdocurl, jumpUrl } = fieldsOf(value);
    return [title, desc, qqdocurl ?? jumpUrl];
  });
  return cardOf([prompt, ...details].map(textOf));
}

export function xmlCardText(source: string): string {
  const [, brief = ''] = /\bbrief="([^"]{0,500})"/.exec(source) ?? [];
  const [, url = ''] = /\burl="([^"]{0,500})"/.exec(source) ?? [];
  return cardOf([brief, url].map((text) => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&')));
}

function cardOf(texts: readonly string[]): string {
  const known = [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))];
  return ['[Card]', ...known].join(' ').slice(0, longestText).toWellFormed();
}
