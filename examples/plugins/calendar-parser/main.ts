import { type DocumentBlock, definePlugin } from '@parley/sdk/plugin';
import { type CalendarEvent, readCalendar } from './calendar.ts';
import type manifest from './manifest.ts';

export default definePlugin<typeof manifest>({
  parser: ({ bytes }, { limits }) => {
    const { name, events } = readCalendar(textOf(bytes));
    if (events.length > limits.pages) throw tooComplex(`The calendar has more than ${limits.pages} events.`);
    const blocks = events.flatMap(blocksOf);
    return { title: name, blocks, page_kind: null, pages: [], warnings: [] };
  },
});

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw Object.assign(new Error('The calendar is not UTF-8.', { cause: error }), { reason: 'document_broken' });
  }
}

function blocksOf({ summary, time, location, description }: CalendarEvent): DocumentBlock[] {
  const paragraphs = [[time, location].filter((part) => part !== '').join(', '), ...description.split(/\n{2,}/)];
  return [
    { type: 'heading', level: 2, text: summary },
    ...paragraphs.filter((text) => text.trim() !== '').map((text) => ({ type: 'paragraph' as const, text })),
  ];
}

function tooComplex(message: string): Error {
  return Object.assign(new Error(message), { reason: 'document_too_complex' });
}
