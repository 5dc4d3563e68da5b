import { describe, expect, it } from 'vitest';
import { botLease, botOfLease, SoleLeases } from './leases.ts';

describe('the leases of the only replica', () => {
  it('are held as soon as they are wanted, while it may work, and end when they are not', () => {
    const replica = { id: 'one', mayWork: true };
    const leases = new SoleLeases(replica);
    const seen: string[] = [];
    leases.onGained((name) => seen.push(`gained ${name}`));
    leases.onRelease(async (name) => void seen.push(`release ${name}`));
    leases.want(['alerts', 'roll-ups']);
    leases.want(['alerts']);
    leases.unwant(['roll-ups', 'unknown']);
    expect(seen).toEqual(['gained alerts', 'gained roll-ups', 'release roll-ups']);
    expect([leases.token('alerts'), leases.token('roll-ups')]).toEqual([0, null]);
    expect([leases.holder('alerts'), leases.holder('roll-ups')]).toEqual(['one', null]);
    replica.mayWork = false;
    expect(leases.token('alerts')).toBeNull();
  });

  it('name the bot that they are of', () => {
    expect(botOfLease(botLease('b-1'))).toBe('b-1');
    expect(botOfLease('alerts')).toBeNull();
  });
});
