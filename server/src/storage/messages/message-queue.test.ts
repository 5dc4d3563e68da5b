import { expect, it } from 'vitest';
import { claimOne } from '../../../test/stores/claim-one.ts';
import { describeOnEachEngine } from '../../../test/stores/each-engine.ts';
import { conversationKey, messageEvent } from '../../../test/stores/ledger-records.ts';
import { answerOf, ledgerSteps, noRecord, times } from '../../../test/stores/ledger-steps.ts';

const [firstBot, secondBot] = ['00000000-0000-7000-8000-00000000b001', '00000000-0000-7000-8000-00000000b002'];

/** A time so near that a test can wait for it, ISO 8601 UTC. */
const soon = () => new Date(Date.now() + 150).toISOString();
const later = () => new Date(Date.now() + 3_600_000).toISOString();

describeOnEachEngine('the queue of conversations', (storage) => {
  const { ledger, accept, claimed, conversationOf, end, messageRows } = ledgerSteps(storage);
  const acceptFor = (bot_uuid: string, text: string) =>
    ledger().messages.accept(conversationKey({ bot_uuid, session_id: text }), messageEvent(text));
  /** Takes messages and ends them at once, until there are no more. */
  const drain = async () => {
    const texts: string[] = [];
    for (
      let message = await claimOne(ledger().messages, []);
      message !== null;
      message = await claimOne(ledger().messages, [])
    ) {
      texts.push(message.text);
      await end(message);
    }
    return texts;
  };
  const claimedSoon = async () => {
    for (;;) {
      const message = await claimOne(ledger().messages, []);
      if (message !== null) return message;
      const due = await ledger().messages.nextDue(60_000.25); // it may have become due since the claim
      if (due === null) throw new Error('nothing will be due');
      await new Promise((resolve) => setTimeout(resolve, Math.max(1, due - Date.now())));
    }
  };

  it('hands out the oldest message first, one at a time per conversation, others in parallel', async () => {
    for (const text of ['a1', 'b1', 'a2', 'b2']) await accept(text, text[0]);
    const [first, second] = [await claimed(), await claimed()];
    expect([first.text, second.text]).toEqual(['a1', 'b1']);
    expect(await claimOne(ledger().messages, [])).toBeNull();
    await end(second);
    expect((await claimed()).text).toBe('b2');
    expect(await claimOne(ledger().messages, [])).toBeNull();
    await end(first, { state: 'stopped', reason: 'no_pipeline' });
    expect((await claimed()).text).toBe('a2');
  });

  it('hands out as many messages together as are asked for, the oldest of each conversation, in order', async () => {
    for (const text of ['a1', 'b1', 'a2', 'c1', 'd1', 'b2']) await accept(text, text[0]);
    await acceptFor(secondBot, 'held');
    const first = await ledger().messages.claim({ except: [secondBot] }, 3);
    expect(first.map(({ text }) => text)).toEqual(['a1', 'b1', 'c1']);
    expect(first.map(({ state, attempts }) => [state, attempts])).toEqual(Array(3).fill(['processing', 1]));
    const second = await ledger().messages.claim({ except: [secondBot] }, 3);
    expect(second.map(({ text }) => text)).toEqual(['d1']);
    expect(await ledger().messages.claim({ except: [secondBot] }, 3)).toEqual([]);
    for (const message of [...first, ...second]) await end(message);
    const rest = await ledger().messages.claim({ except: [] }, 10);
    expect(rest.map(({ text }) => text).sort()).toEqual(['a2', 'b2', 'held']);
  });

  it('takes the next conversations for those whose messages are gone', async () => {
    for (const text of ['a1', 'b1', 'c1', 'd1']) await accept(text, text[0]);
    for (const session of ['a', 'c']) {
      const { uuid } = await conversationOf(session);
      await storage().database.deleteFrom('messages').where('conversation_uuid', '=', uuid).execute();
    }
    expect((await ledger().messages.claim({ except: [] }, 2)).map(({ text }) => text)).toEqual(['b1', 'd1']);
    expect(await ledger().messages.claim({ except: [] }, 2)).toEqual([]);
  });

  it('takes each conversation in turn before the next message of one that has many', async () => {
    for (let index = 0; index < 5; index += 1) await accept(`busy ${index}`, 'busy');
    await accept('ada', 'ada');
    await accept('bob', 'bob');
    expect(await drain()).toEqual(['busy 0', 'ada', 'bob', 'busy 1', 'busy 2', 'busy 3', 'busy 4']);
  });

  it('hands a message to one of many concurrent callers, and never two of one conversation', async () => {
    for (const session of ['ada', 'bob', 'eve']) {
      for (let index = 0; index < 5; index += 1) await accept(`${session} ${index}`, session);
    }
    const messages = (await times(30, () => claimOne(ledger().messages, []))).filter((message) => message !== null);
    expect(messages.map(({ text }) => text).sort()).toEqual(['ada 0', 'bob 0', 'eve 0']);
  });

  it('keeps the order and loses nothing while messages come, are taken and end all at once', async () => {
    const people = ['ada', 'bob', 'eve', 'ian'];
    const done: string[] = [];
    const under = new Set<string>();
    let open = true;
    const work = async () => {
      while (open || done.length < 80) {
        const message = await claimOne(ledger().messages, []);
        if (message === null) {
          await new Promise((resolve) => setImmediate(resolve));
          continue;
        }
        expect(under.has(message.session_id)).toBe(false);
        under.add(message.session_id);
        await ledger().deliveries.finishAnswer(message, answerOf('Hi'), noRecord);
        under.delete(message.session_id);
        if (message.attempts === 1 && message.text.endsWith('5')) await ledger().messages.release(message, null);
        else {
          done.push(message.text);
          await end(message);
        }
      }
    };
    const workers = times(6, work);
    for (let index = 0; index < 20; index += 1) {
      await Promise.all(people.map((person) => accept(`${person} ${String(index).padStart(2, '0')}`, person)));
    }
    open = false;
    await workers;
    for (const person of people) {
      const own = done.filter((text) => text.startsWith(person));
      expect(own).toEqual(Array.from({ length: 20 }, (_, index) => `${person} ${String(index).padStart(2, '0')}`));
    }
    expect(await claimOne(ledger().messages, [])).toBeNull();
  });

  it('leaves messages of held bots where they are', async () => {
    await acceptFor(firstBot, 'held');
    await acceptFor(secondBot, 'other');
    await acceptFor(firstBot, 'held, too');
    expect((await claimOne(ledger().messages, [firstBot]))?.text).toBe('other');
    expect(await claimOne(ledger().messages, [firstBot])).toBeNull();
    expect(await claimOne(ledger().messages, [secondBot, firstBot])).toBeNull();
    expect((await claimOne(ledger().messages, [secondBot]))?.text).toBe('held');
    expect((await claimed()).text).toBe('held, too');
  });

  it('takes the one that has been due longest, whichever of the connected bots it is of', async () => {
    const bots = ['b3', 'b1', 'b4', 'b2', 'b5'];
    for (const bot of bots) await acceptFor(bot, bot);
    for (const bot of bots) await acceptFor(bot, `${bot} again`);
    const held = ['b4', 'b1', 'unknown'];
    const texts: string[] = [];
    for (
      let message = await claimOne(ledger().messages, held);
      message !== null;
      message = await claimOne(ledger().messages, held)
    ) {
      texts.push(message.text);
    }
    expect(texts).toEqual(['b3', 'b2', 'b5', 'b3 again', 'b2 again', 'b5 again']);
  });

  it('counts the attempts of a message', async () => {
    await accept('one');
    for (const attempts of [1, 2, 3]) {
      const message = await claimed();
      expect(message).toMatchObject({ text: 'one', attempts, state: 'processing' });
      await ledger().messages.release(message, null);
    }
  });

  it('takes a released message up again, before those that came later', async () => {
    await accept('one');
    await accept('two');
    await ledger().messages.release(await claimed(), null);
    expect((await claimed()).text).toBe('one');
  });

  it('lets a message wait until a time, and with it those after it, but no other conversations', async () => {
    await accept('one');
    await accept('two');
    const until = later();
    await ledger().messages.release(await claimed(), { until, reason: 'rate_limited' });
    await accept('three');
    await accept('other', 'bob');
    expect((await messageRows())[0]).toMatchObject({ state: 'received', reason: 'rate_limited' });
    expect(await drain()).toEqual(['other']);
    const due = (await ledger().messages.nextDue()) ?? 0;
    expect(Math.abs(due - Date.parse(until))).toBeLessThan(1000);
  });

  it('continues in order when the time has come', async () => {
    await accept('one');
    await accept('two');
    await ledger().messages.release(await claimed(), { until: soon(), reason: 'aggregating' });
    expect(await claimOne(ledger().messages, [])).toBeNull();
    const message = await claimedSoon();
    expect(message).toMatchObject({ text: 'one', reason: null, attempts: 2 });
    await end(message);
    expect(await drain()).toEqual(['two']);
    expect(await ledger().messages.nextDue()).toBeNull();
  });

  it('does not wait for a time in the past', async () => {
    await accept('one');
    await ledger().messages.release(await claimed(), {
      until: '2020-01-01T00:00:00.000Z',
      reason: 'aggregating',
    });
    expect(await ledger().messages.nextDue()).toBeNull();
    expect((await claimed()).text).toBe('one');
  });

  it('rejects an invalid time', async () => {
    await accept('one');
    const message = await claimed();
    await expect(ledger().messages.release(message, { until: 'soon', reason: 'aggregating' })).rejects.toThrow(
      'until soon',
    );
    expect((await messageRows())[0]).toMatchObject({ state: 'processing' });
  });

  it('returns when the next of several is due, and nothing while none waits for a time', async () => {
    expect(await ledger().messages.nextDue()).toBeNull();
    const timestamps = { ada: later(), bob: new Date(Date.now() + 60_000).toISOString() };
    for (const [person, until] of Object.entries(timestamps)) {
      await accept('wait', person);
      await ledger().messages.release(await claimed(), { until, reason: 'rate_limited' });
    }
    await accept('now', 'eve');
    const due = (await ledger().messages.nextDue()) ?? 0;
    expect(Math.abs(due - Date.parse(timestamps.bob))).toBeLessThan(1000);
  });

  it('neither puts back nor settles again a settled message', async () => {
    await accept('one');
    const message = await claimed();
    await end(message);
    await ledger().messages.release(message, null);
    await end(message, { state: 'failed', reason: 'internal' });
    expect(await claimOne(ledger().messages, [])).toBeNull();
    expect((await messageRows())[0]).toMatchObject({ state: 'answered', reason: 'answered' });
  });

  it('does not let the end of one message end the turn of the next', async () => {
    await accept('one');
    await accept('two');
    const first = await claimed();
    await end(first);
    const second = await claimed();
    await end(first, { state: 'failed', reason: 'internal' });
    await ledger().messages.release(first, null);
    expect(await claimOne(ledger().messages, [])).toBeNull();
    await end(second);
    expect((await messageRows()).map(({ state }) => state)).toEqual(['answered', 'answered']);
  });

  it('lists the messages that wait after one, in order', async () => {
    for (const text of ['one', 'two', 'three', 'four']) await accept(text);
    const message = await claimed();
    await accept('other', 'bob');
    const texts = async (limit: number) =>
      (await ledger().messages.waitingBehind(message, limit)).map(({ text }) => text);
    expect(await texts(10)).toEqual(['two', 'three', 'four']);
    expect(await texts(2)).toEqual(['two', 'three']);
    await ledger().messages.stopWaiting(message.conversation_uuid, 3, 'cancelled');
    expect(await texts(10)).toEqual(['three', 'four']);
  });

  it('ends merged messages with the one before them, and only such as wait in its conversation', async () => {
    for (const text of ['one', 'two', 'three']) await accept(text);
    const other = await accept('other', 'bob');
    const message = await claimed();
    const [second] = await ledger().messages.waitingBehind(message, 1);
    await end(message, { state: 'stopped', reason: 'ignored' }, [second?.uuid ?? '', other.uuid, message.uuid, 'gone']);
    const rows = (await messageRows()).map(({ text, state, reason, merged_into, finished_at }) => ({
      text,
      state,
      reason,
      merged_into,
      isFinished: finished_at !== null,
    }));
    expect(rows).toEqual([
      { text: 'one', state: 'stopped', reason: 'ignored', merged_into: null, isFinished: true },
      { text: 'two', state: 'stopped', reason: 'merged', merged_into: message.uuid, isFinished: true },
      { text: 'three', state: 'received', reason: null, merged_into: null, isFinished: false },
      { text: 'other', state: 'received', reason: null, merged_into: null, isFinished: false },
    ]);
    expect((await drain()).sort()).toEqual(['other', 'three']);
  });

  it('stops the messages that wait before a place, while one of the conversation is processed', async () => {
    for (const text of ['one', 'two', 'three', 'four']) await accept(text);
    await accept('other', 'bob');
    const message = await claimed();
    const stopped = await ledger().messages.stopWaiting(message.conversation_uuid, 4, 'reset');
    const waited = (await messageRows()).filter(({ text }) => text === 'two' || text === 'three');
    const named = waited.map(({ uuid, bot_uuid }) => ({ uuid, bot_uuid }));
    expect(stopped).toHaveLength(2);
    expect(stopped).toEqual(expect.arrayContaining(named));
    expect(await ledger().messages.stopWaiting(message.conversation_uuid, 4, 'reset')).toHaveLength(0);
    const rows = (await messageRows()).map(({ text, state, reason }) => `${text} ${state} ${reason}`);
    expect(rows).toEqual([
      'one processing null',
      'two stopped reset',
      'three stopped reset',
      'four received null',
      'other received null',
    ]);
    await end(message);
    expect((await drain()).sort()).toEqual(['four', 'other']);
  });

  it('does not let a conversation wait for stopped messages', async () => {
    await accept('one');
    await accept('two');
    const message = await claimed();
    await ledger().messages.release(message, { until: later(), reason: 'rate_limited' });
    expect(await ledger().messages.stopWaiting(message.conversation_uuid, 2, 'cancelled')).toHaveLength(1);
    expect(await drain()).toEqual(['two']);
  });

  it('has nothing to do for a conversation of which everything was stopped', async () => {
    await accept('one');
    const message = await claimed();
    await ledger().messages.release(message, null);
    expect(await ledger().messages.stopWaiting(message.conversation_uuid, 100, 'cancelled')).toHaveLength(1);
    expect(await claimOne(ledger().messages, [])).toBeNull();
    await accept('two');
    expect(await drain()).toEqual(['two']);
    expect(await ledger().messages.stopWaiting('unknown', 100, 'cancelled')).toHaveLength(0);
  });

  it('stores for more conversations at once than there are connections', async () => {
    const receipts = await times(60, (index) => accept('first', `person ${index}`));
    expect(receipts.map(({ outcome, sequence }) => `${outcome} ${sequence}`)).toEqual(Array(60).fill('accepted 1'));
  });

  it('stops and claims at the same time without waiting for each other', async () => {
    await times(20, (index) => accept(`message ${index}`, `person ${index}`));
    const conversations = await storage().database.selectFrom('conversations').select('uuid').execute();
    const [stopped, messages] = await Promise.all([
      Promise.all(conversations.map(({ uuid }) => ledger().messages.stopWaiting(uuid, 100, 'cancelled'))),
      times(20, () => claimOne(ledger().messages, [])),
    ]);
    const ended = stopped.flat().length;
    const taken = messages.filter((message) => message !== null);
    expect(ended + taken.length + (await drain()).length).toBe(20);
  });
});
