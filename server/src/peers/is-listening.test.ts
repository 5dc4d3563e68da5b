import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { freePort } from '../../test/shared/free-port.ts';
import { isListening } from './is-listening.ts';

it('tells whether a replica can be called at its address', async () => {
  const port = await freePort();
  expect(await isListening(`http://127.0.0.1:${port}`)).toBe(false);
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  expect(await isListening(`http://127.0.0.1:${port}`)).toBe(true);
  server.close();
});
