import { expect, it } from 'vitest';
import { recordingPlatform } from '../../../test/stores/ledger-fixture.ts';
import { streamCapabilityOf } from './stream-capability.ts';

const person = { mode: 'replace', interval_ms: 1 } as const;
const thread_streams = { mode: 'append', interval_ms: 2 } as const;

it('is that of threads in threads, where they have one', () => {
  const { capabilities } = recordingPlatform({ streams: { person }, thread_streams });
  const inThread = { session_type: 'person', thread_id: '7' } as const;
  expect(streamCapabilityOf(capabilities, inThread)).toBe(thread_streams);
  expect(streamCapabilityOf(capabilities, { session_type: 'group', thread_id: '7' })).toBe(thread_streams);
  expect(streamCapabilityOf(capabilities, { session_type: 'person', thread_id: '' })).toBe(person);
  const { capabilities: without } = recordingPlatform({ streams: { person } });
  expect(streamCapabilityOf(without, inThread)).toBe(person);
  expect(streamCapabilityOf(without, { session_type: 'group', thread_id: '7' })).toBeUndefined();
});
