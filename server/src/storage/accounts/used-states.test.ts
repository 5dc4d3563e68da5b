import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { now, secondsFromNow } from '../../lib/clock.ts';
import { UsedStates } from './used-states.ts';

describeOnEachEngine('answered sign-ins', (storage) => {
  it('are remembered until they expire, whichever replica answered them', async () => {
    const [one, other] = [new UsedStates(storage().database), new UsedStates(storage().database)];
    const used = await Promise.all([one.add('a', secondsFromNow(60)), other.add('a', secondsFromNow(60))]);
    expect(used.toSorted()).toEqual([false, true]);
    expect(await other.add('b', secondsFromNow(-1))).toBe(true);
    expect(await one.removeExpired(now(), 10)).toBe(1);
    expect(await other.add('a', secondsFromNow(60))).toBe(false);
    expect(await one.add('b', secondsFromNow(60))).toBe(true);
  });
});
