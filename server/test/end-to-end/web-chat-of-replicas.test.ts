import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestReplicas, testReplicas } from '../factories/start-replicas.ts';
import type { TestService } from '../factories/start-test-service.ts';
import { type ApiClient, apiClient, type Chat, defaults, openChat } from './api-client.ts';
import { moveChats } from './moving-chats.ts';

describe.each([
  ['with an address for one another', '127.0.0.1:0'],
  ['that cannot reach one another', null],
])('web chats of two replicas %s', (_, replicaAddress) => {
  let replicas: TestReplicas;
  let one: TestService;
  let two: TestService;
  let clients: ApiClient[];
  let pipeline: string;
  let bot: string;
  beforeAll(async () => {
    replicas = await testReplicas();
    const config = { replicaAddress, maxSocketsPerCaller: 200 };
    one = await replicas.start({ config });
    two = await replicas.start({ config });
    await replicas.met();
    clients = [one, two].map(({ address }) => apiClient(address, one.account.token));
    ({ pipeline, bot } = await defaults(clients[0] as ApiClient));
  }, 60_000);
  afterAll(() => replicas?.stop());

  const chats: Chat[] = [];
  const open = async (at: TestService, conversation: string) => {
    const headers = { authorization: `Bearer ${one.account.token}` };
    const chat = await openChat(at.address, { pipeline, conversation, headers });
    await chat.frame(({ type }) => type === 'connected');
    chats.push(chat);
    return chat;
  };
  afterAll(() => Promise.all(chats.map((chat) => chat.close())));

  it('sockets that are moved at random miss and repeat no finished message', async () => {
    const seen = await moveChats([one, two], { chats: 6, rounds: 2 });
    expect(seen).toEqual({ repeated: [], missed: [], messages: 24, moves: 30 });
  }, 90_000);

  it('what was written and sent at one is shown at the other as it is there', async () => {
    const [here, there] = [await open(one, 'shared'), await open(two, 'shared')];
    here.say('Say it to all', { message_id: 'mine' });
    const shown = await Promise.all([here.answer('Say it to all'), there.answer('Say it to all')]);
    expect(shown[1]).toEqual(shown[0]);
    const [echo, echoThere] = [here, there].map(({ frames }) => frames.find(({ type }) => type === 'user_message'));
    // Without an address, what is found in the database does not say from which connection it came.
    const known = replicaAddress === null ? { connection_id: '' } : {};
    expect(echoThere).toEqual({ ...echo, data: { ...echo?.data, ...known } });

    const person = here.frames[0]?.person_id;
    const [first, second] = [await open(one, 'default'), await open(two, 'default')];
    const message_chain = [{ type: 'Plain', text: 'News for you' }];
    const sent = await (clients[0] as ApiClient).call('POST', `/platform/bots/${bot}/send_message`, {
      target_type: 'person',
      target_id: person,
      message_chain,
    });
    expect(sent.status).toBe(200);
    const news = await Promise.all([first.answer('News for you'), second.answer('News for you')]);
    expect(news[1]).toEqual(news[0]);
  }, 30_000);

  if (replicaAddress === null) return;
  it('answers grow, stop and are announced at both, and connections of both are listed', async () => {
    const [here, there] = [await open(one, 'growing'), await open(two, 'growing')];
    here.say('Tell me a long story about replicas, please, with many words in it');
    await there.frame(({ type, data }) => type === 'response' && !data.is_final);
    there.send({ type: 'stop' });
    const [stopped, stoppedThere] = await Promise.all(
      [here, there].map((chat) => chat.frame(({ type }) => type === 'stopped')),
    );
    expect(stoppedThere).toEqual(stopped);
    const ends = await Promise.all([here.answer(), there.answer()]);
    expect(ends.map(({ data }) => data.is_stopped)).toEqual([true, true]);
    expect(ends[1]).toEqual(ends[0]);

    await (clients[1] as ApiClient).data('POST', `/pipelines/${pipeline}/ws/broadcast`, { message: 'Hello' });
    const notices = await Promise.all([here, there].map((chat) => chat.frame(({ type }) => type === 'broadcast')));
    expect(notices.map(({ message }) => message)).toEqual(['Hello', 'Hello']);
    for (const client of clients) {
      const { connections } = await client.data('GET', `/pipelines/${pipeline}/ws/connections`);
      const ids = connections.map(({ connection_id }: { connection_id: string }) => connection_id);
      for (const chat of [here, there]) expect(ids).toContain(chat.frames[0]?.connection_id);
    }
  }, 30_000);
});
