import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { FakeBotAddress, FakePlatform } from '@parley/sdk/testing';

/** Platforms whose users send pictures to bots. */
export interface PictureSenders {
  /** One for each bot, in the order of {@link startPictureSenders}. */
  bots: readonly (Pick<FakePlatform, 'config' | 'enterAddress'> & { adapter: string })[];
  /** Sends pictures to the bots in turns. @returns how many messages were not acknowledged in the platform's time */
  send(pictures: SentPictures): Promise<number>;
  close(): Promise<void>;
}

export interface SentPictures {
  count: number;
  /** Bytes of each. */
  bytes: number;
  /** Pause between two, milliseconds. */
  gapMs: number;
}

/** What the thread is started with: adapters by the number of the bot's account. */
export interface SenderAccounts {
  accounts: readonly { adapter: string; account: number }[];
}

/** What the thread is asked for. It answers configurations first, and a number to `send`. */
export type SenderRequest = { addresses: readonly FakeBotAddress[] } | { send: SentPictures } | 'close';

/** Starts platforms in a thread of their own, so that what they compute does not delay who measures. */
export async function startPictureSenders(accounts: SenderAccounts['accounts']): Promise<PictureSenders> {
  const worker = new Worker(new URL('./picture-senders-worker.ts', import.meta.url), {
    workerData: { accounts } satisfies SenderAccounts,
  });
  const [configs] = (await once(worker, 'message')) as [Record<string, unknown>[]];
  const addresses: FakeBotAddress[] = [];
  const request = async (asked: SenderRequest): Promise<unknown> => {
    const answer = once(worker, 'message');
    worker.postMessage(asked);
    return (await answer)[0];
  };
  return {
    bots: accounts.map(({ adapter }, index) => ({
      adapter,
      config: () => configs[index] ?? {},
      enterAddress: (address) => {
        addresses[index] = address;
      },
    })),
    send: async (pictures) => {
      await request({ addresses });
      // How the thread answers that.
      return (await request({ send: pictures })) as number;
    },
    close: async () => {
      await request('close');
      await worker.terminate();
    },
  };
}
