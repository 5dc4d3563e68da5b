import { expect, it } from 'vitest';
import { claimOne } from '../../../test/stores/claim-one.ts';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { conversationKey, messageEvent } from '../../../test/stores/ledger-records.ts';
import { afterDeath } from '../../../test/stores/replicas.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyConversationStore } from '../../storage/conversations/kysely-conversation-store.ts';
import { openLedger } from '../../storage/messages/open-ledger.ts';
import type { AnsweredMessage } from './conversation-store.ts';
import { runnerMemory } from './runner-memory.ts';

describeOnEachEngine('runner memory', (storage) => {
  const store = () => new KyselyConversationStore(storage().database, storage().engine, storage().replica);
  const config = { 'app-id': 'one' };

  /** A message of a conversation that is being answered. */
  async function newConversation(): Promise<AnsweredMessage> {
    const { messages } = await openLedger(storage());
    await messages.accept(conversationKey(), messageEvent('Hello'));
    const message = await claimOne(messages, []);
    if (message === null) throw new Error('nothing was waiting');
    return message;
  }

  it('is there until it says something else', async () => {
    const conversation = await newConversation();
    const memory = () => runnerMemory(store(), conversation, 'elsewhere', config);
    expect(await memory().read()).toBeNull();
    await memory().write('there-1');
    expect(await memory().read()).toBe('there-1');
    await memory().write('there-2');
    expect(await memory().read()).toBe('there-2');
  });

  it('is hidden from other runners, configurations and conversations', async () => {
    const conversation = await newConversation();
    await runnerMemory(store(), conversation, 'elsewhere', config).write('there-1');
    expect(await runnerMemory(store(), conversation, 'other', config).read()).toBeNull();
    expect(await runnerMemory(store(), conversation, 'elsewhere', { 'app-id': 'two' }).read()).toBeNull();
    expect(
      await runnerMemory(store(), { ...conversation, conversation_uuid: newUuid() }, 'elsewhere', config).read(),
    ).toBeNull();
  });

  it.each(['taken over', 'claimed again'])('is not written for a message that was %s', async (how) => {
    const message = await newConversation();
    await runnerMemory(store(), message, 'elsewhere', config).write('there-1');
    const { messages } = await openLedger(storage());
    if (how === 'taken over') await afterDeath(storage(), messages);
    else await messages.release({ uuid: message.uuid, claim: message.claim }, null);
    const again = await claimOne(messages, []);
    if (again === null) throw new Error('nothing was waiting');
    await runnerMemory(store(), message, 'elsewhere', config).write('there-2');
    expect(await runnerMemory(store(), again, 'elsewhere', config).read()).toBe('there-1');
    await runnerMemory(store(), again, 'elsewhere', config).write('there-3');
    expect(await runnerMemory(store(), again, 'elsewhere', config).read()).toBe('there-3');
  });

  it('is not too much', async () => {
    const memory = runnerMemory(store(), await newConversation(), 'elsewhere', config);
    await memory.write('x'.repeat(10_000));
    await expect(memory.write('x'.repeat(10_001))).rejects.toMatchObject({ reason: 'too_large' });
  });
});
