import { reasons } from '@parley/sdk/reasons';
import { expect, it } from 'vitest';
import { withoutRepeatedReasons } from './repeated-reasons.ts';

it('leaves the messages that say more than the reason', async () => {
  const error_type = 'provider_failed';
  const messages = ['HTTP 500: out of order', reasons[error_type], ''];
  const errors = await withoutRepeatedReasons(messages.map((error_message) => ({ error_type, error_message })));
  expect(errors.map(({ error_message }) => error_message)).toEqual(['HTTP 500: out of order', '', '']);
});
