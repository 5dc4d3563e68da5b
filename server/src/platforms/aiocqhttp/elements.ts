import type { MessageElement } from '@parley/sdk';
import { jsonCardText, xmlCardText } from './card-text.ts';
import { type Fields, idOf, numberOf, textOf } from './fields.ts';
import type { Segment } from './segment.ts';

const plain = (text: string): MessageElement => ({ type: 'Plain', text });
const unknown = (text: string): MessageElement => ({ type: 'Unknown', text });

/** Segments that need neither content nor another message. Null for one that says nothing. */
const readers: Readonly<Record<string, (data: Fields) => MessageElement | null>> = {
  text: ({ text }) => (textOf(text) === '' ? null : plain(textOf(text))),
  at: readMention,
  face: ({ id, name }) => ({
    type: 'Face',
    face_type: 'face',
    face_id: wholeOf(id),
    ...(textOf(name) === '' ? {} : { face_name: textOf(name) }),
  }),
  dice: ({ result }) => ({ type: 'Face', face_type: 'dice', face_id: wholeOf(result), face_name: 'Dice' }),
  rps: ({ result }) => ({
    type: 'Face',
    face_type: 'rps',
    face_id: wholeOf(result),
    face_name: 'Rock, paper, scissors',
  }),
  json: ({ data }) => unknown(jsonCardText(textOf(data))),
  xml: ({ data }) => unknown(xmlCardText(textOf(data))),
  markdown: ({ content }) => plain(textOf(content)),
  poke: () => unknown('[Poke]'),
  shake: () => unknown('[Poke]'),
  contact: ({ type, id }) => unknown(described('Contact', type, id)),
  share: ({ title, content, url }) => unknown(described('Link', title, content, url)),
  music: ({ title, content, url }) => unknown(described('Music', title, content, url)),
  location: ({ title, content, lat, lon }) => unknown(described('Location', title, content, lat, lon)),
};

/** @returns null for a segment that says nothing, undefined for one that is not known here */
export function simpleElement({ type, data }: Segment): MessageElement | null | undefined {
  return Object.hasOwn(readers, type) ? readers[type]?.(data) : undefined;
}

function readMention({ qq, name }: Fields): MessageElement | null {
  if (qq === 'all') return { type: 'AtAll' };
  const target = idOf(qq);
  return target === null ? null : { type: 'At', target, display: textOf(name).replace(/^@/, '') };
}

function wholeOf(value: unknown): number {
  const number = numberOf(value) ?? 0;
  return Number.isSafeInteger(number) ? number : 0;
}

function described(kind: string, ...parts: unknown[]): string {
  return [`[${kind}]`, ...parts.map(textOf)].filter((part) => part !== '').join(' ');
}
