import type { WritingParts } from '../writing-parts.ts';
import { isArrival, type LedgerThread } from './ledger-thread.ts';
import type { LedgerOperation } from './set-messages.ts';

/** What the thread does. Whatever else the ledger can do reads, or is done at the start. */
const methods = {
  messages: ['accept', 'acceptAll', 'claim', 'reclaim', 'release', 'hurry', 'expedite', 'settle', 'stopWaiting'],
  deliveries: [
    'beginAnswer',
    'finishAnswer',
    'createOutgoing',
    'storeHandle',
    'detachDelivery',
    'beginDelivery',
    'settleDelivery',
    'postponeDelivery',
    'reopenDelivery',
  ],
  replyContextStore: ['take', 'giveBack'],
  counter: ['countEvent'],
  effects: ['storeVerdict', 'storeReply', 'beginReply', 'endReply', 'postponeReply', 'beginSend', 'endSend', 'add'],
} as const satisfies { [Part in LedgerOperation['part']]: readonly (keyof WritingParts[Part])[] };

type Method = (...values: unknown[]) => Promise<unknown>;

/** The same ledger, which writes in a thread as soon as that runs. */
export function inThread<Ledger extends WritingParts>(ledger: Ledger, thread: LedgerThread): Ledger {
  const parts = Object.entries(methods).map(([part, names]) => {
    const local = ledger[part as LedgerOperation['part']] as unknown as Record<string, Method>;
    return [part, hosted(part as LedgerOperation['part'], local, names, thread)];
  });
  return { ...ledger, ...Object.fromEntries(parts) };
}

function hosted(
  part: LedgerOperation['part'],
  local: Record<string, Method>,
  names: readonly string[],
  thread: LedgerThread,
): Record<string, Method> {
  const all = Object.getOwnPropertyNames(Object.getPrototypeOf(local)).filter((name) => name !== 'constructor');
  const entries = all.map((name): [string, Method] => {
    const call: Method = (...values) => (local[name] as Method).apply(local, values);
    if (!names.includes(name)) return [name, call];
    return [
      name,
      (...values) => {
        if (thread.isInCharge) return thread.ask({ part, method: name, values });
        if (isArrival(name)) thread.start();
        return call(...values);
      },
    ];
  });
  return Object.fromEntries(entries);
}
