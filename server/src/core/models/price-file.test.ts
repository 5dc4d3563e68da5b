import { expect, it } from 'vitest';
import { readPriceFile } from './price-file.ts';

const read = (text: string) => {
  const { prices, skipped } = readPriceFile(text);
  return { prices: Object.fromEntries(prices), skipped };
};
const gpt = { gpt: { input_price: 0.15, output_price: 0.6 } };

it.each([
  ['an answer of this API', { code: 0, data: { model_prices: [{ model_name: 'GPT', ...gpt.gpt, created_at: 'x' }] } }],
  ['a list', [{ model_name: ' gpt ', ...gpt.gpt }]],
  [
    'prices per token',
    {
      sample_spec: { input_cost_per_token: 9 },
      gpt: { input_cost_per_token: 0.00000015, output_cost_per_token: 0.0000006 },
    },
  ],
])('reads JSON: %s', (_, content) => {
  expect(read(JSON.stringify(content))).toEqual({ prices: gpt, skipped: 0 });
});

it.each([
  ['commas', 'model_name,input_price,output_price\ngpt,0.15,0.6\n'],
  [
    'semicolons, a mark at the beginning and other columns',
    '\uFEFFModel_Name;note;Input_Price;Output_Price\r\ngpt;"a;b";0.15;.6\r\n',
  ],
])('reads CSV with %s', (_, text) => {
  expect(read(text)).toEqual({ prices: gpt, skipped: 0 });
});

it('skips what has no price per token, and takes what writes nothing', () => {
  const content = {
    image: { input_cost_per_pixel: 1 },
    odd: 'text',
    search: { input_cost_per_token: 0.00000002 },
    no: null,
  };
  expect(read(JSON.stringify(content))).toEqual({
    prices: { search: { input_price: 0.02, output_price: 0 } },
    skipped: 3,
  });
});

it('names every invalid entry, up to a limit', () => {
  const entries = [
    { model_name: 'a', input_price: -1 },
    { model_name: '', input_price: 1 },
    { model_name: 'b', input_price: '1e9' },
  ];
  const faultsOf = (content: unknown) => {
    try {
      readPriceFile(JSON.stringify(content));
    } catch (error) {
      return (error as { details: { path: string; rule: string }[] }).details.map(
        ({ path, rule }) => `${path} ${rule}`,
      );
    }
    return [];
  };
  expect(faultsOf(entries)).toEqual(['file[0] price', 'file[1] required', 'file[2] price']);
  expect(faultsOf(Array.from({ length: 5000 }, () => entries[0]))).toHaveLength(100);
});

it.each([
  '',
  ' ',
  '[]',
  '{}',
  '{"a":',
  '[1, null]',
  '{"model_prices": []}',
  'model_name,input_price\na,1',
  '"',
  'a\u0000b',
  '<html>',
])('refuses %j', (text) => {
  expect(() => readPriceFile(text)).toThrow(expect.objectContaining({ reason: 'invalid_request' }));
});

it('does not take names of built-in properties for others', () => {
  const text = '{"__proto__": {"input_cost_per_token": 0.000001}, "constructor": {"input_cost_per_token": 0.000001}}';
  expect([...readPriceFile(text).prices.keys()]).toEqual(['__proto__', 'constructor']);
});
