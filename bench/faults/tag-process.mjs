// Loaded into a service by the fault harness, beside its own code: each request that the service makes says which process
// made it, so that the fake Telegram can tell two services that use the same bot apart. The service ends with the harness.
import { subscribe } from 'node:diagnostics_channel';
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

subscribe('undici:request:create', (message) => {
  const { request } = /** @type {{ request: { addHeader(name: string, value: string): void } }} */ (message);
  request.addHeader('x-sending-process', String(process.pid));
});

if (isMainThread) {
  process.once('disconnect', () => process.exit(1));
  process.channel?.unref();
}
