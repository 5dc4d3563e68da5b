import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { heldDeletions, undoTime } from './held-deletions.ts';
import { session } from './session.ts';

beforeEach(() => {
  vi.useFakeTimers();
  session.begin();
});
afterEach(() => {
  vi.useRealTimers();
  session.end();
});

function hold(key: string, send: (leaving: boolean) => Promise<unknown> = async () => undefined) {
  const sent = vi.fn(send);
  const settled = vi.fn();
  const undo = heldDeletions.hold({ keys: [key], send: sent, settled });
  return { sent, settled, undo };
}
const keys = () => [...heldDeletions.keys()];

it('is sent when it can no longer be undone', async () => {
  const { sent, settled, undo } = hold('bots/a');
  await vi.advanceTimersByTimeAsync(undoTime - 1);
  expect([keys(), sent.mock.calls]).toEqual([['bots/a'], []]);
  await vi.advanceTimersByTimeAsync(1);
  expect([keys(), sent.mock.calls, settled.mock.calls]).toEqual([[], [[false]], [[null]]]);
  undo();
  expect(sent).toHaveBeenCalledOnce();
});

it('is not sent when it was undone', async () => {
  const { sent, settled, undo } = hold('bots/a');
  const other = hold('bots/b');
  undo();
  expect(keys()).toEqual(['bots/b']);
  await vi.advanceTimersByTimeAsync(undoTime);
  expect([sent, settled].map(({ mock }) => mock.calls)).toEqual([[], []]);
  expect(other.sent).toHaveBeenCalledOnce();
});

it('is sent, once, when the page is left', async () => {
  const { sent } = hold('bots/a');
  window.dispatchEvent(new Event('pagehide'));
  window.dispatchEvent(new Event('pagehide'));
  await vi.advanceTimersByTimeAsync(undoTime);
  expect(sent.mock.calls).toEqual([[true]]);
});

it('is sent before signing out, and never for the next account', async () => {
  const before = hold('bots/a');
  await heldDeletions.sendAll();
  expect(before.sent).toHaveBeenCalledOnce();
  const after = hold('bots/b');
  session.end();
  session.begin();
  localStorage.setItem('signed-in', 'another');
  await vi.advanceTimersByTimeAsync(undoTime);
  expect([keys(), after.sent.mock.calls]).toEqual([[], []]);
});

it('leaves the records where they are when it fails', async () => {
  const fault = new Error('in use');
  const { settled } = hold('bots/a', () => Promise.reject(fault));
  await vi.advanceTimersByTimeAsync(undoTime);
  expect([keys(), settled.mock.calls]).toEqual([[], [[fault]]]);
});
