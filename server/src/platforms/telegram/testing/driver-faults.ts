import type { FakeFault as DriverFault } from '@parley/sdk/testing';
import { NotOfThisPlatform } from '@parley/sdk/testing';
import type { FakeFault } from './fake-telegram.ts';

const error = (code: number, description: string): FakeFault => ({ kind: 'error', code, description });

/** A fault in Telegram's own form. */
export function answerFault(how: DriverFault): FakeFault {
  switch (how) {
    case 'refused':
      return error(400, 'Bad Request: wrong parameter');
    case 'unknown_target':
      return error(400, 'Bad Request: chat not found');
    case 'missing_permission':
      return error(400, 'Bad Request: not enough rights to send text messages to the chat');
    case 'server_error':
      return error(500, 'Internal Server Error');
    case 'silence':
      return { kind: 'unanswered' };
    case 'cut':
      return { kind: 'lost' };
    case 'wrong_body':
      return { kind: 'page', status: 502 };
    case 'unreachable':
      throw new NotOfThisPlatform('one call that cannot be made');
  }
}
