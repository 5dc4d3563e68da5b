import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { insertMessage } from '../../../test/stores/insert-message.ts';
import type { KeptRequest } from '../../core/messages/model-requests.ts';
import { secondsFromNow } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyModelRequestStore } from './kysely-model-request-store.ts';

const request = (over: Partial<KeptRequest> = {}): KeptRequest => ({
  call_uuid: newUuid(),
  expires_at: secondsFromNow(60),
  method: 'POST',
  url: 'https://models.example.com/v1/chat',
  headers: { 'content-type': 'application/json' },
  body: '{"messages":[{"content":"Grüße, 世界 \u{1F600}"}]}',
  body_size: 41,
  truncated: false,
  ...over,
});

describeOnEachEngine('the store of requests to models', (storage) => {
  const store = () => new KyselyModelRequestStore(storage().database);
  const message = () => insertMessage(storage().database);

  it('returns the requests of a message as they were stored, in the order of the calls', async () => {
    const [asked, other] = [await message(), await message()];
    const requests = [request(), request({ body: null })];
    await store().add(asked, requests);
    await store().add(other, [request()]);
    expect(await store().ofMessage(asked)).toEqual(requests);
  });

  it('stores nothing for a message that was deleted', async () => {
    const gone = newUuid();
    await store().add(gone, [request()]);
    expect(await store().ofMessage(gone)).toEqual([]);
  });

  it('removes requests with their message', async () => {
    const asked = await message();
    await store().add(asked, [request()]);
    await storage().database.deleteFrom('messages').where('uuid', '=', asked).execute();
    expect(await store().ofMessage(asked)).toEqual([]);
  });

  it('does not return what expired, and removes it, some at a time', async () => {
    const asked = await message();
    const kept = request();
    const expired = [1, 2, 3].map((second) => request({ expires_at: secondsFromNow(-second) }));
    await store().add(asked, [kept, ...expired]);
    expect(await store().ofMessage(asked)).toEqual([kept]);
    expect(await store().prune(2)).toBe(2);
    expect(await store().prune(2)).toBe(1);
    expect(await store().prune(2)).toBe(0);
    expect(await store().ofMessage(asked)).toEqual([kept]);
  });
});
