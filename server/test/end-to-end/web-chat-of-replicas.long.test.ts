import { expect, it } from 'vitest';
import { testReplicas } from '../factories/start-replicas.ts';
import { moveChats } from './moving-chats.ts';

it('50 sockets that a balancer moves among three replicas miss and repeat no finished message', async () => {
  const replicas = await testReplicas();
  try {
    const config = { replicaAddress: '127.0.0.1:0', maxSocketsPerCaller: 500 };
    const services = [
      await replicas.start({ config }),
      await replicas.start({ config }),
      await replicas.start({ config }),
    ];
    await replicas.met();
    const seen = await moveChats(services, { chats: 50, rounds: 5 });
    expect(seen).toEqual({ repeated: [], missed: [], messages: 500, moves: 550 });
  } finally {
    await replicas.stop();
  }
}, 300_000);
