import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { conversationKey, messageEvent } from '../../../test/stores/ledger-records.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyConversationStore } from '../../storage/conversations/kysely-conversation-store.ts';
import { openLedger } from '../../storage/messages/open-ledger.ts';
import { runnerMemory } from './runner-memory.ts';

describeOnEachEngine('runner memory', (storage) => {
  const store = () => new KyselyConversationStore(storage().database, storage().engine);
  const config = { 'app-id': 'one' };

  async function newConversation(): Promise<string> {
    const messages = await openLedger(storage());
    return (await messages.messages.accept(conversationKey(), messageEvent('Hello'))).conversation_uuid;
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
    expect(await runnerMemory(store(), newUuid(), 'elsewhere', config).read()).toBeNull();
  });

  it('is not too much', async () => {
    const memory = runnerMemory(store(), await newConversation(), 'elsewhere', config);
    await memory.write('x'.repeat(10_000));
    await expect(memory.write('x'.repeat(10_001))).rejects.toMatchObject({ reason: 'too_large' });
  });
});
