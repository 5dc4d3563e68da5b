import { expect, it } from 'vitest';
import { Duty } from './duty.ts';
import { SoleLeases } from './leases.ts';

it('a duty is its own once its lease was taken, whatever else is held', () => {
  const replica = { id: 'one', mayWork: true };
  const leases = new SoleLeases(replica);
  const [alerts, rollups] = [new Duty(leases, 'alerts'), new Duty(leases, 'roll-ups')];
  const begun: string[] = [];
  expect(alerts.isOurs).toBe(false);
  alerts.takeOn(() => begun.push('alerts'));
  rollups.takeOn(() => begun.push('roll-ups'));
  leases.want(['bot/b']);
  expect(begun).toEqual(['alerts', 'roll-ups']);
  expect([alerts.isOurs, rollups.isOurs]).toEqual([true, true]);
  replica.mayWork = false;
  expect(alerts.isOurs).toBe(false);
});
