import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { FakePlatform } from '@parley/sdk/testing';
import { fakedPlatforms } from '../../server/test/factories/faked-platforms.ts';
import type { SenderAccounts, SenderRequest, SentPictures } from './picture-senders.ts';

const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

const { accounts } = workerData as SenderAccounts;
const fakes = await Promise.all(
  accounts.map(({ adapter, account }) => {
    const webhook = fakedPlatforms[adapter]?.deliveries.webhook;
    if (webhook === undefined) throw new Error(`${adapter} has no webhook`);
    return webhook.fake(account, 'real');
  }),
);

async function send({ count, bytes, gapMs }: SentPictures): Promise<number> {
  const content = Buffer.concat([Buffer.from(pngSignature), randomBytes(bytes - pngSignature.length)]);
  const sent: ReturnType<FakePlatform['deliver']>[] = [];
  for (let index = 0; index < count; index += 1) {
    const fake = fakes[index % fakes.length] as FakePlatform;
    sent.push(fake.deliver({ media: [{ kind: 'image', name: `picture${index}.png`, content }] }));
    await delay(gapMs);
  }
  const delivered = await Promise.all(sent);
  return delivered.filter(({ outcome }) => outcome !== 'acknowledged').length;
}

async function answer(request: SenderRequest): Promise<unknown> {
  if (request === 'close') return void (await Promise.all(fakes.map((fake) => fake.close())));
  if ('send' in request) return send(request.send);
  for (const [index, address] of request.addresses.entries()) fakes[index]?.enterAddress(address);
}

parentPort?.on('message', async (request: SenderRequest) => parentPort?.postMessage(await answer(request)));
parentPort?.postMessage(fakes.map((fake) => fake.config()));
