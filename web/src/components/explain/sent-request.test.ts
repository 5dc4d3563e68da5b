import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { asCurl, asJson, shownBody } from './sent-request.ts';

const hostile = `it's "quoted" $(touch x) \`y\` \\ $HOME\n!`;
const request = {
  method: 'POST',
  url: "https://a.example/v1/chat?x='y'",
  headers: { authorization: 'Bearer …', 'x-key': '…', 'user-agent': 'sdk', accept: '*/*', 'x-odd': '"$HOME …' },
  body: JSON.stringify({ text: hostile }),
};

it('is a command whose arguments a shell reads as they were sent, with the key from a variable', () => {
  const command = asCurl(request).replace(/^curl/, 'printf "%s\\0"');
  const printed = execFileSync('sh', ['-c', command], { env: { API_KEY: 'sk-1', HOME: '/h' }, encoding: 'utf8' });
  expect(printed.split('\0').slice(0, -1)).toEqual([
    '-X',
    'POST',
    request.url,
    ...['-H', 'authorization: Bearer sk-1', '-H', 'x-key: sk-1', '-H', 'accept: */*', '-H', 'x-odd: "$HOME sk-1'],
    '--data-raw',
    request.body,
  ]);
});

it('is a JSON document', () => {
  expect(JSON.parse(asJson(request))).toMatchObject({ method: 'POST', body: { text: hostile } });
  expect(JSON.parse(asJson({ ...request, body: '{"cut' }))).toMatchObject({ body: '{"cut' });
  expect(JSON.parse(asJson({ ...request, body: null }))).toMatchObject({ body: null });
  expect([shownBody('{"a":1}'), shownBody('{"cut')]).toEqual(['{\n  "a": 1\n}', '{"cut']);
});
