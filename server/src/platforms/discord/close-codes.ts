import { ParleyError } from '@parley/sdk';
import { unauthorized } from './discord-api.ts';

/** Close codes after which a session cannot be resumed. @see https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes */
const endsSession: readonly number[] = [4007, 4009];

export function isSessionOver(code: number): boolean {
  return endsSession.includes(code);
}

/** Why no further connection makes sense after one that closed with a code; null when the next one may succeed. */
export function lastingFault({ code }: { code: number }): ParleyError | null {
  if (code === 4004) return unauthorized();
  const text = lastingFaults[code];
  return text === undefined ? null : new ParleyError('invalid_request', text);
}

const lastingFaults: Record<number, string> = {
  4010: 'Discord rejected the shard of the connection (code 4010). Update Parley',
  4011: 'The bot is in too many servers for one connection (code 4011), and Parley does not divide it into shards',
  4012: 'Discord does not support this version of the gateway any more (code 4012). Update Parley',
  4013: 'Discord rejected the intents of the connection (code 4013). Update Parley',
  4014:
    'The Message Content Intent is switched off (code 4014). Switch it on in the Developer Portal ' +
    '(https://discord.com/developers/applications) on the page Bot under Privileged Gateway Intents, then save the bot again',
};
