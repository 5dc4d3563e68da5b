import type { ConversationTurn, MediaContent, MessageChain, RunnerRequest } from '@parley/sdk';
import { fakeTool } from '@parley/sdk/testing';
import { seeded } from '../../../../../sdk/testing/platforms/mutations.ts';
import type { WireAnswer } from '../../../../test/fakes/model-wire.ts';

/** What a model service does with one request. */
export type WireTurn =
  | { answer: WireAnswer; ending: 'ends' | 'breaks' }
  | { answer: WireAnswer; ending: 'fails'; message: string }
  | { status: number };

/** A question, everything that belongs to it, and what the model services do. */
export interface WireConversation {
  request: Pick<RunnerRequest, 'text' | 'message_chain' | 'history' | 'instructions' | 'knowledge_bases'>;
  config: Record<string, unknown>;
  /** Of the first model and of its fallback. */
  abilities: string[][];
  extraArguments: Record<string, unknown>;
  hasTools: boolean;
  turns: WireTurn[];
}

const bytesOf = (hex: string) => Buffer.from(hex, 'hex');
const media = (name: string, media_type: string, bytes: Uint8Array): MediaContent => ({ name, media_type, bytes });

/** The files that elements of the conversations name. */
export const wireMedia: Record<string, MediaContent> = {
  png: media('image', 'image/png', bytesOf('89504e470d0a1a0a0000000d4948445200000001')),
  jpeg: media('image', 'image/jpeg', bytesOf('ffd8ffe000104a46494600010100000100010000')),
  gif: media('image', 'image/gif', Buffer.from('GIF89a\u0001\0\u0001\0')),
  webp: media('image', 'image/webp', Buffer.from('RIFF\u0010\0\0\0WEBPVP8 ')),
  text: media('notes.txt', 'text/plain', Buffer.from('Löwen\nund "Tiger"\t今日は 🐯\r\n')),
  long: media('long "quoted".md', 'text/plain', Buffer.from('0123456789 '.repeat(7000))),
  empty: media('empty.txt', 'application/octet-stream', Buffer.alloc(0)),
  wide: media('wide.txt', 'application/octet-stream', bytesOf('fffe480069002100')),
  zip: media('archive.zip', 'application/zip', bytesOf('504b0304140000000800')),
};

/** The tools of the conversations: with a schema, with an empty one, with a nested one, and one that fails. */
export const wireTools = [
  fakeTool({ name: 'weather', description: 'Tells the weather of a "town".', answer: 'Sunny 🌞' }),
  fakeTool({ name: 'clock', description: '', parameters: {}, answer: '' }),
  fakeTool({
    name: 'search_many',
    parameters: {
      type: 'object',
      properties: {
        filters: {
          type: 'array',
          items: { type: 'object', properties: { field: { enum: ['a', 'b'] }, value: { type: ['string', 'null'] } } },
        },
        limit: { type: 'integer', minimum: 1, default: 5 },
      },
      $defs: { unused: { type: 'string' } },
    },
  }),
  fakeTool({ name: 'fails', answer: () => Promise.reject(new Error('out of "order"')) }),
];

const texts = [
  'Hi',
  'How is the weather in Söderköping?',
  '',
  '  \n ',
  '今天天气怎么样？🐯',
  'A line\nand "another" \\ one\u2028</s>',
  'x'.repeat(3000),
];
const inputs = [
  '{"query": "x"}',
  '{"query":"Löwe 🦁","limit":3}',
  '{}',
  '',
  '  ',
  '{"query": "x',
  '"only a text"',
  'null',
  '[1, 2]',
  '{"__proto__": {"isAdmin": true}, "query": "x"}',
  '{"constructor": {"prototype": {}}}',
  '{"filters": [{"field": "a", "value": null}], "limit": 2}',
];
const names = ['weather', 'clock', 'search_many', 'fails', 'search_knowledge', 'delete_all'];
const elements: MessageChain = [
  ...['png', 'jpeg', 'gif', 'webp', 'missing'].map((path) => ({ type: 'Image' as const, path })),
  ...['text', 'long', 'empty', 'wide', 'zip', 'jpeg', 'missing'].map((path) => ({
    type: 'File' as const,
    name: wireMedia[path]?.name ?? 'lost.pdf',
    path,
  })),
];

/** Conversations that are the same in each run. */
export function wireConversations(count: number): WireConversation[] {
  return Array.from({ length: count }, (_, index) => new Generator(index + 1).conversation());
}

class Generator {
  readonly #random: () => number;
  #calls = 0;

  constructor(seed: number) {
    this.#random = seeded(seed * 7919);
    // The first numbers of neighbouring seeds are alike.
    for (let skipped = 0; skipped < 8; skipped += 1) this.#random();
  }

  conversation(): WireConversation {
    const text = this.#of(texts);
    return {
      request: {
        text,
        message_chain: this.#chain(text),
        history: this.#list(5, () => this.#turn()),
        ...(this.#may(0.3) ? { instructions: 'Answer in one sentence.' } : {}),
        knowledge_bases: this.#may(0.35) ? ['base-1'] : [],
      },
      config: {
        prompt: this.#list(4, () => ({
          role: this.#of(['system', 'system', 'user', 'assistant']),
          content: this.#of(texts),
        })),
        'knowledge-mode': this.#of(['automatic', 'tool', 'both']),
        citations: this.#of(['list', 'markers', 'off']),
        'max-tool-steps': this.#of([0, 1, 8, 8]),
      },
      abilities: [this.#abilities(), this.#abilities()],
      extraArguments: this.#may(0.25) ? { temperature: 0.3, of_a_test: { deep: [1] } } : {},
      hasTools: this.#may(0.9),
      turns: this.#turns(),
    };
  }

  #abilities(): string[] {
    return ['func_call', 'vision'].filter(() => this.#may(0.85));
  }

  #turn(): ConversationTurn {
    const text = this.#of(texts);
    return this.#may(0.5)
      ? { role: 'user', text, message_chain: this.#chain(text) }
      : { role: 'assistant', text, message_chain: text === '' ? [] : [{ type: 'Plain', text }] };
  }

  #chain(text: string): MessageChain {
    const plain: MessageChain = text === '' ? [] : [{ type: 'Plain', text }];
    return [...plain, ...(this.#may(0.4) ? this.#list(4, () => this.#of(elements)) : [])];
  }

  /** Rounds of tool calls, failures in between, and an answer at last. */
  #turns(): WireTurn[] {
    const rounds = this.#list(5, (): WireTurn => {
      if (this.#may(0.06)) return { status: this.#of([400, 401, 429, 500]) };
      const answer = this.#answer(1 + this.#number(3));
      if (this.#may(0.05)) return { answer, ending: 'breaks' };
      const message = this.#of(['Overloaded', 'The server had an error', 'Model overloaded']);
      return this.#may(0.06) ? { answer, ending: 'fails', message } : { answer, ending: 'ends' };
    });
    return [...rounds, { answer: this.#may(0.06) ? this.#empty() : this.#answer(0), ending: 'ends' }];
  }

  #answer(calls: number): WireAnswer {
    const isSilent = calls > 0 && this.#may(0.6);
    return {
      reasoning: this.#may(0.4) ? ['Let me ', this.#of(['think.', '考える 🤔', ''])] : [],
      signature: this.#of(['', 'c2lnbmF0dXJl', 'c2lnbmVk/+==']),
      text: isSilent ? [] : this.#of([['Well', ', ', 'fine.'], ['\n ', 'Fine 🐯'], ['Nine [1].', ''], ['']]),
      calls: Array.from({ length: calls }, () => {
        this.#calls += 1;
        return { id: `call-${this.#calls}`, name: this.#of(names), input: this.#of(inputs) };
      }),
      file: this.#may(0.15) ? { mediaType: this.#of(['image/png', 'text/plain']), data: 'iVBORw0KGgo=' } : null,
    };
  }

  #empty(): WireAnswer {
    return { reasoning: [], signature: '', text: [], calls: [], file: null };
  }

  #list<Item>(longest: number, make: () => Item): Item[] {
    return Array.from({ length: this.#number(longest) }, make);
  }

  #of<Item>(items: readonly Item[]): Item {
    return items[this.#number(items.length)] as Item;
  }

  /** A whole number below the bound. */
  #number(bound: number): number {
    return Math.floor(this.#random() * bound);
  }

  #may(probability: number): boolean {
    return this.#random() < probability;
  }
}
