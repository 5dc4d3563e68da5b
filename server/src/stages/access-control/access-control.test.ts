import type { PipelineMessage } from '@parley/sdk';
import { fakeStageContext, pipelineMessage, stageContract } from '@parley/sdk/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accessControl } from './index.ts';

const person = pipelineMessage({ session_id: '17', sender_id: '17' });
const group = pipelineMessage({ session_type: 'group', session_id: '-100', thread_id: '5', sender_id: '17' });

type Access = { mode?: 'blacklist' | 'whitelist'; blacklist?: string[]; whitelist?: string[] };

const look = (message: PipelineMessage, access: Access) =>
  accessControl.check?.(
    message,
    fakeStageContext(accessControl, { config: { trigger: { 'access-control': access } } }),
  );

const isAllowed = async (message: PipelineMessage, access: Access) => (await look(message, access))?.outcome === 'pass';

stageContract({
  stage: accessControl,
  contexts: [
    {},
    { config: { trigger: { 'access-control': { mode: 'whitelist' } } } },
    { config: { trigger: { 'access-control': { blacklist: ['group_*'] } } } },
  ],
});

describe('access control', () => {
  it('trigger.access-control.mode: blacklist lets all but its entries through, whitelist no others', async () => {
    const lists = { blacklist: ['person_17'], whitelist: ['group_-100'] };
    expect(await isAllowed(person, { mode: 'blacklist', ...lists })).toBe(false);
    expect(await isAllowed(group, { mode: 'blacklist', ...lists })).toBe(true);
    expect(await isAllowed(person, { mode: 'whitelist', ...lists })).toBe(false);
    expect(await isAllowed(group, { mode: 'whitelist', ...lists })).toBe(true);
    expect(await isAllowed(person, {})).toBe(true);
    expect(await isAllowed(person, { mode: 'whitelist' })).toBe(false);
  });

  it('trigger.access-control.blacklist: ends the message silently and records the entry', async () => {
    expect(await look(person, { blacklist: ['person_16', 'person_17'] })).toEqual({
      outcome: 'stop',
      reason: 'access_denied',
      details: { mode: 'blacklist', entry: 'person_17' },
    });
  });

  it('trigger.access-control.whitelist: ends whatever it does not name', async () => {
    expect(await look(person, { mode: 'whitelist', whitelist: ['person_16'] })).toEqual({
      outcome: 'stop',
      reason: 'access_denied',
      details: { mode: 'whitelist' },
    });
  });

  it.each([
    ['person_*', true, false],
    ['group_*', false, true],
    ['person_17', true, false],
    ['group_-100', false, true],
    // A user anywhere: in private, and as the sender in a group.
    ['*_17', true, true],
    ['*_-100', false, true],
    [' person_17\t', true, false],
    // A user in private is not the user in a group, and a group is not one of its topics.
    ['group_17', false, false],
    ['group_-100#5', false, false],
    ['group_-100_5', false, false],
    ['person_1', false, false],
    ['person_', false, false],
    ['PERSON_17', false, false],
    ['*', false, false],
    ['*_*', false, false],
    ['17', false, false],
    ['', false, false],
  ])('%j matches the user: %s, the group: %s', async (entry, meansPerson, meansGroup) => {
    expect(await isAllowed(person, { mode: 'whitelist', whitelist: [entry] })).toBe(meansPerson);
    expect(await isAllowed(group, { mode: 'whitelist', whitelist: [entry] })).toBe(meansGroup);
    expect(await isAllowed(person, { blacklist: [entry] })).toBe(!meansPerson);
    expect(await isAllowed(group, { blacklist: [entry] })).toBe(!meansGroup);
  });

  it('means by a list the same as its entries one by one', async () => {
    const id = fc.constantFrom('1', '17', 'a_b', '*', '-100');
    const entry = fc.oneof(
      fc.tuple(fc.constantFrom('person', 'group', '*'), id).map((parts) => parts.join('_')),
      fc.string(),
    );
    const message = fc
      .record({ session_type: fc.constantFrom('person', 'group'), session_id: id, sender_id: id })
      .map(pipelineMessage);
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 6 }), message, async (list, each) => {
        const alone = await Promise.all(list.map((one) => isAllowed(each, { mode: 'whitelist', whitelist: [one] })));
        const isListed = alone.includes(true);
        expect(await isAllowed(each, { mode: 'whitelist', whitelist: list })).toBe(isListed);
        expect(await isAllowed(each, { mode: 'blacklist', blacklist: list })).toBe(!isListed);
      }),
    );
  });
});
