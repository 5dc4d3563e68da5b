import { silentLogger } from '@parley/sdk/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type LedgerFixture, openLedgerFixture, recordingPlatform } from '../../../test/stores/ledger-fixture.ts';
import { AnswerStream } from './answer-stream.ts';

const platform = recordingPlatform({ edit_interval_ms: 1000 });
let fixture: LedgerFixture;
let stream: AnswerStream;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  platform.shown.length = 0;
  platform.refuse = () => undefined;
  fixture = await openLedgerFixture(platform);
  const answer = await fixture.store.beginAnswer(await fixture.received('Hello'));
  stream = new AnswerStream(fixture.runtime.running(fixture.botUuid), answer, silentLogger);
});
afterEach(async () => {
  vi.useRealTimers();
  await fixture.close();
});

const pass = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

it('shows the growing text no more often than the platform allows, and the end in any case', async () => {
  for (let index = 1; index <= 25; index += 1) {
    await stream.update('.'.repeat(index));
    pass(100);
  }
  await stream.finish([{ type: 'Plain', text: 'done' }]);
  expect(platform.shown).toEqual(['+.', `+${'.'.repeat(11)}`, `+${'.'.repeat(21)}`, '=done']);
});

it('begins with the first text', async () => {
  await stream.update('');
  expect(stream.begun).toBe(false);
  await stream.update('a');
  expect(stream.begun).toBe(true);
});

it('does not press on a platform that refuses', async () => {
  let asked = 0;
  platform.refuse = () => {
    asked += 1;
    throw new Error('too fast');
  };
  for (let index = 0; index < 20; index += 1) {
    await stream.update('text');
    pass(100);
  }
  expect(asked).toBe(2);
  platform.refuse = () => undefined;
  await stream.finish([{ type: 'Plain', text: 'done' }]);
  expect(platform.shown).toEqual(['=done']);
});
