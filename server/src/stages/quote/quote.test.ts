import { type MessageChain, type MessageElement, maximumChainElements, textOfChain } from '@parley/sdk';
import { fakeStageContext, pipelineMessage, stageContract } from '@parley/sdk/testing';
import { describe, expect, it } from 'vitest';
import { quote } from './index.ts';

const plain = (text: string): MessageElement => ({ type: 'Plain', text });
const source: MessageElement = { type: 'Source', id: 1, timestamp: 1 };
const image: MessageElement = { type: 'Image', path: 'stored' };
const quoteOf = (...origin: MessageChain): MessageElement => ({ type: 'Quote', id: 7, origin });

const look = (message_chain: MessageChain, isOn = true) =>
  quote.check?.(
    pipelineMessage({ message_chain }),
    fakeStageContext(quote, { config: { trigger: { misc: { 'combine-quote-message': isOn } } } }),
  );

async function read(...message_chain: MessageChain): Promise<MessageChain | undefined> {
  const result = await look(message_chain);
  return result?.outcome === 'pass' ? result.message_chain : undefined;
}

stageContract({ stage: quote, contexts: [{}, { config: { trigger: { misc: { 'combine-quote-message': false } } } }] });

describe('quoted messages', () => {
  it('trigger.misc.combine-quote-message: quoted content follows the text of the message', async () => {
    expect(await look([source, quoteOf(plain('E = mc²'), image), plain('What is this?')])).toEqual({
      outcome: 'pass',
      message_chain: [source, plain('What is this?'), plain('\n'), plain('E = mc²'), image],
      reason: 'quote_combined',
      details: { quotes: 1, characters: 'E = mc²[Image]'.length },
    });
  });

  it('trigger.misc.combine-quote-message: off leaves the message as it is', async () => {
    expect(await look([quoteOf(plain('quoted')), plain('written')], false)).toEqual({ outcome: 'pass' });
  });

  it('leaves a message that quotes nothing as it is', async () => {
    expect(await look([plain('written'), image])).toEqual({ outcome: 'pass' });
    expect(await look([])).toEqual({ outcome: 'pass' });
  });

  it('keeps the order of texts and images and describes other elements', async () => {
    const origin: MessageChain = [
      source,
      image,
      plain('a'),
      { type: 'At', target: 5, display: 'Bob' },
      image,
      plain('b'),
    ];
    const written = await read(plain('x'), quoteOf(...origin, { type: 'Voice', url: 'https://example.com/v' }));
    expect(written).toEqual([
      plain('x'),
      plain('\n'),
      image,
      plain('a'),
      plain('@Bob'),
      image,
      plain('b'),
      plain('[Voice]'),
    ]);
  });

  it('reads several quotes, and quotes in quotes, each on a separate line', async () => {
    const chain = await read(
      quoteOf(quoteOf(plain('first')), plain('second')),
      plain('third'),
      quoteOf(plain('fourth')),
    );
    expect(textOfChain(chain ?? [])).toBe('third\nfirst\nsecond\nfourth');
  });

  it('starts with the quote when there is no text', async () => {
    expect(await read(source, quoteOf(plain('quoted')))).toEqual([source, plain('quoted')]);
  });

  it('takes away a quote of nothing', async () => {
    expect(await read(plain('x'), quoteOf(), quoteOf(source))).toEqual([plain('x')]);
    expect(await read(quoteOf())).toEqual([]);
  });

  it('goes so deep and takes so much as a message may', async () => {
    let nested = quoteOf(plain('deepest'));
    for (let depth = 0; depth < 5000; depth += 1) nested = quoteOf(nested, plain('.'));
    expect(textOfChain((await read(nested)) ?? [])).toBe('.\n.\n.\n.\n.\n.\n.\n.');
    const many = await read(plain('x'), quoteOf(...Array.from({ length: 3000 }, () => plain('y'))));
    expect(many).toHaveLength(maximumChainElements);
  });
});
