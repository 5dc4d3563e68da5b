import { setTimeout as later } from 'node:timers/promises';
import { type LocateText, type ModuleParser, ParleyError, type Parse, type RenderPage } from '@parley/sdk';

/** A parser that does what its file says, all that a parser should not do. */
export const troubledParser: ModuleParser = {
  plugin_id: 'tests/troubled',
  name: { en_US: 'Troubled' },
  description: { en_US: 'Does what its file says.' },
  media_types: ['text/x-trouble'],
  extensions: ['trouble'],
  module: import.meta.url,
  page_module: import.meta.url,
};

/** Files of a thread so far. */
let count = 0;

const troubles: Record<string, () => unknown> = {
  loop: () => {
    for (;;);
  },
  'wait for ever': () => new Promise(() => undefined),
  'grow buffers': async () => {
    const retained: Uint8Array[] = [];
    for (;;) {
      retained.push(new Uint8Array(10_000_000).fill(1));
      await later(1);
    }
  },
  'grow to 150 MB': async () => {
    const retained: Uint8Array[] = [];
    while (retained.length < 15) {
      retained.push(new Uint8Array(10_000_000).fill(1));
      await later(1);
    }
    // Long enough for another one to grow, too.
    await later(2000);
    return retained;
  },
  'grow objects': () => {
    const retained: object[] = [];
    for (;;) retained.push({ number: retained.length, text: `text ${retained.length}` });
  },
  'grow one list': () => {
    const retained: number[][] = [];
    for (;;) retained.push(new Array(1_000_000).fill(1.5));
  },
  'grow a text': () => {
    let text = 'x';
    for (;;) text += text;
  },
  'call itself': function again(): unknown {
    return [again()];
  },
  fail: () => {
    throw new TypeError('of no use to people');
  },
  refuse: () => {
    throw new ParleyError('document_encrypted', 'It is locked.', { details: [{ path: 'page', message: 'is locked' }] });
  },
  'refuse like others': () => {
    throw Object.assign(new Error('It is locked.'), { name: 'ParleyError', reason: 'document_encrypted' });
  },
  'throw nothing': () => Promise.reject(undefined),
  'end the process': () => process.exit(3),
  'fail later': () => {
    void later(1).then(() => {
      throw new Error('not awaited');
    });
    return later(50);
  },
  'throw later': () => {
    setTimeout(() => {
      throw new Error('not caught');
    }, 1);
    return new Promise(() => undefined);
  },
  write: () => {
    console.log('noise');
    console.error('noise');
  },
};

/** What {@link troubledParser} does. */
export const parse: Parse = async (file, context) => {
  count += 1;
  const text = new TextDecoder().decode(file.bytes);
  await troubles[text]?.();
  if (text === 'report late') setTimeout(() => context.progress(7, 7), 1);
  for (let done = 1; done <= 3; done += 1) {
    context.progress(done, 3);
    if (text === 'report') await later(150);
  }
  const many = /^many (\d+)$/.exec(text)?.[1];
  const texts = many === undefined ? [text, '\ud800', ' '] : Array.from({ length: Number(many) }, (_, n) => `${n}`);
  return {
    title: ' \0 ',
    blocks: texts.map((content) => ({ type: 'paragraph', text: content })),
    page_kind: null,
    pages: [],
    warnings: [`file ${count}`, `environment ${JSON.stringify(process.env)}`],
  };
};

/** Its pages have as many pixels as their number says. */
export const renderPage: RenderPage = async (file, page, maximumPixels) => {
  await troubles[new TextDecoder().decode(file.bytes)]?.();
  if (page > maximumPixels) return null;
  // A part of a larger buffer, as libraries return it.
  return { width: page, height: page, image: new Uint8Array([9, page, page, 9]).subarray(1, 3) };
};

export const locateText: LocateText = async (file, { text, from, to }) => {
  const content = new TextDecoder().decode(file.bytes);
  await troubles[content]?.();
  const area = { x: content.indexOf(text), y: 0, width: 1, height: 1 };
  return area.x < 0 ? [] : [from, to].map((page) => ({ page, text: [area], quotes: [] }));
};
