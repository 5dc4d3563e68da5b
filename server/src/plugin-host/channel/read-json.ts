import { isDeeperThan } from '../../lib/nesting.ts';
import { ChannelFault } from './channel-fault.ts';

/** What the text of a value with a dangerous key contains, perhaps with escapes. */
const suspicious = /__proto__|prototype|\\u/;

/**
 * Parses JSON of the other side, without keys that pollute prototypes when objects are merged: `__proto__`, and
 * `constructor` with a `prototype`. They are left out rather than refused, since a well-behaved plugin may pass on what a
 * user wrote.
 * @param depth deepest nesting
 * @throws ChannelFault
 */
export function readJson(content: Buffer, depth: number): unknown {
  const text = content.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ChannelFault('a message that is not JSON');
  }
  if (isDeeperThan(value, depth)) throw new ChannelFault(`JSON nested more than ${depth} deep`);
  return suspicious.test(text) ? JSON.parse(text, withoutDangerousKeys) : value;
}

function withoutDangerousKeys(key: string, value: unknown): unknown {
  if (key === '__proto__') return undefined;
  if (key !== 'constructor' || typeof value !== 'object' || value === null) return value;
  return Object.hasOwn(value, 'prototype') ? undefined : value;
}
