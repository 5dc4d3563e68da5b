import { ParleyError } from '@parley/sdk/errors';
import { isDeeperThan } from '../../lib/nesting.ts';
import type { ChannelLimits } from './channel.ts';
import { errorToSend } from './crossing-errors.ts';
import { jsonFrame } from './frames.ts';

/**
 * A message as a frame that the other side accepts.
 * @throws ResponseError that tells what is wrong with it
 */
export function writeJson(
  message: unknown,
  { frameBytes, depth }: Pick<ChannelLimits, 'frameBytes' | 'depth'>,
): Buffer {
  if (isDeeperThan(message, depth))
    throw errorToSend(new ParleyError('plugin_response_invalid', `JSON nested more than ${depth} deep`));
  let text: string;
  try {
    text = JSON.stringify(message);
  } catch (error) {
    throw errorToSend(new ParleyError('plugin_response_invalid', (error as Error).message));
  }
  const frame = jsonFrame(text);
  if (frame.length <= frameBytes) return frame;
  throw errorToSend(new ParleyError('too_large', `${frame.length} bytes of JSON; at most ${frameBytes} can be sent`));
}
