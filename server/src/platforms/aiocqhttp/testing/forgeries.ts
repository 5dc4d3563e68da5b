import type { Forgery } from '@parley/sdk/testing';
import type { KeptMessage } from './fake-account.ts';
import type { FakeEvents } from './fake-events.ts';

type Headers = Record<string, string>;

/** Handshakes that are not as they should be; null where there is no such thing. */
export function forgedHandshakes(how: Forgery, right: Headers): Headers[] | null {
  const token = right.authorization ?? '';
  const { authorization: _, ...without } = right;
  switch (how) {
    case 'wrong_signature':
      return [{ ...right, authorization: token.replace(/.$/, '?') }];
    case 'missing_signature':
      return [without];
    case 'short_signature':
      return [
        { ...right, authorization: token.slice(0, -1) },
        { ...right, authorization: 'Bearer ' },
      ];
    case 'of_another_bot':
      return [{ ...right, authorization: 'Bearer the-token-of-another' }];
    default:
      return null;
  }
}

/** Frames on a connection that is right; null where there is no such thing. */
export function forgedFrames(how: Forgery, event: Record<string, unknown>): string[] | null {
  switch (how) {
    case 'malformed':
      return ['', '{', 'null', '[]', '"text"', '{"post_type":"message"}', JSON.stringify({ ...event, message_id: {} })];
    case 'oversize':
      return [JSON.stringify({ ...event, message: 'x'.repeat(17 * 1024 * 1024) })];
    case 'deep':
      return [`{"post_type":"message","message":${'['.repeat(1000)}${']'.repeat(1000)}}`, '['.repeat(1000)];
    default:
      return null;
  }
}

/** An event of each kind. */
export function sampleFrames(events: FakeEvents, example: KeptMessage): Uint8Array[] {
  const response = { status: 'ok', retcode: 0, data: { message_id: 1 }, echo: '1' };
  const frames = [
    events.message(example),
    { ...events.message(example), message: '[CQ:at,qq=10000] Hello &#91;there&#93;' },
    events.recall(example),
    events.addedTo('20001'),
    events.lifecycle(),
    events.heartbeat(5000, true),
    response,
  ];
  return frames.map((frame) => Buffer.from(JSON.stringify(frame)));
}
