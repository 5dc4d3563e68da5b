import { expect, it } from 'vitest';
import { createLogger } from './logger.ts';

function collecting(level = 'info') {
  const lines: string[] = [];
  const copies: string[] = [];
  const keep = (list: string[]) => ({ write: (line: string) => void list.push(line) });
  return { lines, copies, logger: createLogger(level, { copy: keep(copies), destination: keep(lines) }) };
}

it('writes one object per line, with its source, and passes a copy on', () => {
  const { lines, copies, logger } = collecting();
  logger.info({ bot: 'b' }, 'started');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^\{.*\}\n$/);
  expect(JSON.parse(String(lines[0]))).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    source: expect.stringMatching(/^logger\.test\.ts:\d+$/),
    bot: 'b',
    msg: 'started',
  });
  expect(copies).toEqual(lines);
});

it('omits entries below its level', () => {
  const { lines, copies, logger } = collecting('warn');
  logger.info({}, 'unimportant');
  logger.warn({}, 'important');
  expect(lines).toHaveLength(1);
  expect(copies).toEqual(lines);
});

it('writes no secret, in either place', () => {
  const { lines, copies, logger } = collecting();
  const secret = 'sk-0123456789abcdef';
  logger.error({ token: secret, config: { api_key: secret, request: { authorization: secret } } }, 'failed');
  logger.error(
    { headers: { 'x-api-key': secret }, err: Object.assign(new Error('no'), { password: secret }) },
    'failed',
  );
  expect(lines).toHaveLength(2);
  expect([...lines, ...copies].join('')).not.toContain(secret);
});

it('has the fields in each line that the program has at that time', () => {
  const lines: string[] = [];
  let replica = 'one';
  const logger = createLogger('info', {
    destination: { write: (line) => void lines.push(line) },
    fields: () => ({ replica }),
  });
  logger.info('first');
  replica = 'two';
  logger.child({ bot: 'b' }).info({ source: 'kept' }, 'second');
  const [first, second] = lines.map((line) => JSON.parse(line));
  expect(first).toMatchObject({ replica: 'one', msg: 'first' });
  expect(first.source).toMatch(/^logger\.test\.ts:\d+$/);
  expect(second).toMatchObject({ replica: 'two', bot: 'b', msg: 'second' });
});
