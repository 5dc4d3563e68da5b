import type { MessageChain } from '@parley/sdk';
import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { conversationKey, messageEvent } from '../../../test/stores/ledger-records.ts';
import { answerOf, ledgerSteps, noRecord } from '../../../test/stores/ledger-steps.ts';
import { runningLedger } from '../../../test/stores/threaded-ledger.ts';
import type { FilePurpose } from '../../core/files/file.ts';
import { now } from '../../lib/clock.ts';
import { randomToken } from '../../lib/token.ts';
import { newUuid } from '../../lib/uuid.ts';
import { KyselyFileStore } from '../files/kysely-file-store.ts';

describeOnEachEngine('the files of messages', (storage) => {
  const { ledger, claimed } = ledgerSteps(storage);
  const files = () => new KyselyFileStore(storage().database);
  const upload = async (purpose: FilePurpose = 'unsent') => {
    const access_key = randomToken(192);
    const file = { uuid: newUuid(), name: 'a.pdf', size: 1, sha256: 'a', media_type: 'application/pdf', purpose };
    await files().create({ ...file, access_key, created_at: now() });
    return access_key;
  };
  const purposeOf = async (key: string) => (await files().byAccessKey(key))?.purpose;
  const chainWith = (...keys: string[]): MessageChain =>
    keys.map((path) => ({ type: 'File', path, name: 'a.pdf', size: 1 }));
  const accept = (chain: MessageChain, id: string = newUuid()) =>
    ledger().messages.accept(conversationKey(), messageEvent('', { message_chain: chain, platform_message_id: id }));

  it('are kept from when a message with them is stored', async () => {
    const [sent, quoted, unsent, discarded] = [
      await upload(),
      await upload(),
      await upload(),
      await upload('discarded'),
    ];
    const quote = { type: 'Quote', origin: chainWith(quoted) } as MessageChain[number];
    await accept([...chainWith(sent, discarded), quote]);
    expect(await Promise.all([sent, quoted, unsent, discarded].map(purposeOf))).toEqual([
      'media',
      'media',
      'unsent',
      'discarded',
    ]);
    expect(await files().discardUnsent('9999', 10)).toBe(1);
    expect(await purposeOf(unsent)).toBe('discarded');
    await claimed();
  });

  it('are those of messages that are sent, and of answers, as well', async () => {
    const [pushed, answered, streamed] = [await upload(), await upload(), await upload()];
    await ledger().deliveries.createOutgoing(conversationKey(), chainWith(pushed), '');
    for (const [key, isStarted] of [
      [answered, false],
      [streamed, true],
    ] as const) {
      await accept([{ type: 'Plain', text: 'Where is it?' }]);
      const question = await claimed();
      if (isStarted) await ledger().deliveries.beginAnswer(question);
      const answer = answerOf('here', { pieces: [[{ type: 'Plain', text: 'here' }], chainWith(key)] });
      await ledger().deliveries.finishAnswer(question, answer, noRecord);
      await ledger().messages.settle(question, answer.outcome, { answer: null, merged: [], record: null });
    }
    expect(await Promise.all([pushed, answered, streamed].map(purposeOf))).toEqual(['media', 'media', 'media']);
  });

  it('are not those of a message that was not stored', async () => {
    const key = await upload();
    const uuid = null as unknown as string;
    await expect(
      ledger().messages.accept(
        conversationKey({ bot_uuid: uuid }),
        messageEvent('', { message_chain: chainWith(key) }),
      ),
    ).rejects.toThrow();
    expect(await purposeOf(key)).toBe('unsent');
  });

  it('are either kept or discarded while messages arrive and unsent files are discarded', async () => {
    const keys: string[] = [];
    for (let index = 0; index < 40; index += 1) keys.push(await upload());
    const { messages } = await runningLedger(storage(), { webhookWaitMs: 0, mayTellWebhooks: () => false });
    const arrivals = keys.map((key, index) =>
      messages.accept(
        conversationKey({ session_id: `person ${index % 5}` }),
        messageEvent('', { message_chain: chainWith(key), platform_message_id: newUuid() }),
      ),
    );
    const discards = keys.map(() => files().discardUnsent('9999', 1));
    const [receipts, counts] = await Promise.all([Promise.all(arrivals), Promise.all(discards)]);
    expect(receipts.every(({ outcome }) => outcome === 'accepted')).toBe(true);
    const purposes = await Promise.all(keys.map(purposeOf));
    const discarded = purposes.filter((purpose) => purpose === 'discarded').length;
    expect(purposes.filter((purpose) => purpose === 'media').length).toBe(keys.length - discarded);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(discarded);
  });
});
