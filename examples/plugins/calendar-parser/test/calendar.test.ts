import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { readCalendar } from '../calendar.ts';

test('reads events, with folded lines and escapes, without their alarms', () => {
  const text = readFileSync(new URL('../samples/festival.ics', import.meta.url), 'utf8');
  assert.deepEqual(readCalendar(text), {
    name: 'Harbour festival',
    events: [
      {
        summary: 'Boat race',
        time: '2026-06-13 10:00 (Europe/Paris) to 2026-06-13 12:30 (Europe/Paris)',
        location: 'Old harbour, pier 4',
        description: 'Registration at the lighthouse.\n\nBring a life jacket.',
      },
      { summary: 'Market', time: '2026-06-14', location: '', description: '' },
    ],
  });
});

test('refuses what is no calendar', () => {
  assert.throws(() => readCalendar('Hello'), /no calendar/);
});
