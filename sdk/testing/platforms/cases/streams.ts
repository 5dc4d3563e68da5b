import { expect } from 'vitest';
import type { MessageStream, OutgoingMessage } from '../../../src/platform.ts';
import type { StreamCapability } from '../../../src/platform-capabilities.ts';
import type { FakeChat } from '../fake-platform.ts';
import { failureOf, plain, type Question, RecordedProgress, readFailure } from '../outgoing.ts';
import { picture } from '../picture.ts';
import { casesOf, type PlatformCase } from '../platform-case.ts';
import type { PlatformFacts } from '../platform-facts.ts';
import type { Stage } from '../stage.ts';
import { compact, isWhole, textOfLength } from '../text-samples.ts';

/** An answer that is streamed into a chat. */
interface Streaming {
  stage: Stage;
  chat: FakeChat;
  question: Question;
  message: OutgoingMessage;
  progress: RecordedProgress;
  stream: MessageStream;
}

type Needs = (stream: StreamCapability, facts: PlatformFacts) => boolean;

const names = { person: 'to a person', group: 'in a group', thread: 'in a thread' };
type Place = keyof typeof names;

/** The same case for each type of session that has streams, and for threads where they have others. */
function streamed(name: string, run: (streaming: Streaming) => Promise<void>, needs: Needs = () => true) {
  return (['person', 'group', 'thread'] as const).map((place): Omit<PlatformCase, 'family'> => {
    return {
      name: `${name}, ${names[place]}`,
      needs: (facts) => {
        const stream = streamIn(place, facts);
        return stream !== undefined && needs(stream, facts);
      },
      run: async (stage) => run(await begin(stage, place === 'thread' ? stage.thread() : stage.fake[place]())),
    };
  });
}

function streamIn(place: Place, { capabilities }: PlatformFacts): StreamCapability | undefined {
  return place === 'thread' ? capabilities.thread_streams : capabilities.streams[place];
}

async function begin(stage: Stage, chat: FakeChat): Promise<Streaming> {
  await stage.start();
  const question = await stage.ask({ chat });
  const message = await stage.outgoing('', { question });
  const progress = new RecordedProgress();
  return { stage, chat, question, message, progress, stream: await stage.stream(message, progress) };
}

/** Shows the first text. */
async function shows({ stage, chat, stream }: Streaming, text: string): Promise<void> {
  await stream.update(plain(text));
  await stage.until(() => stage.texts(chat).includes(text), 'the first text is shown');
}

/** The text of all messages of the chat together, in the end. */
const together = ({ stage, chat }: Streaming) => compact(stage.texts(chat).join(''));

async function expectComplete(streaming: Streaming, text: string): Promise<void> {
  const { stage, chat } = streaming;
  const isComplete = () => together(streaming) === compact(text) && stage.shown(chat).every((one) => !one.isUnfinished);
  await stage.until(isComplete, 'the answer is complete').catch(() => undefined);
  expect(together(streaming)).toBe(compact(text));
  for (const shown of stage.shown(chat)) {
    expect(isWhole(shown.text)).toBe(true);
    expect(shown.isUnfinished, 'looks unfinished').toBe(false);
  }
}

const isEdited: Needs = ({ mode }) => mode === 'replace' || mode === 'append';

/** Completes the answer as the service does: after a refusal it is a message of its own. */
async function finishes({ stage, stream, question }: Streaming, text: string): Promise<'streamed' | 'sent again'> {
  try {
    await stream.finish(plain(text));
    return 'streamed';
  } catch (error) {
    expect(readFailure(error).kind).toBe('refused');
    await stream.abandon?.('platform_failed').catch(() => undefined);
    await stage.send(text, { question });
    return 'sent again';
  }
}

export const streamCases = casesOf('streams', [
  ...streamed('first text is shown and the last is complete', async (streaming) => {
    await shows(streaming, 'One');
    await streaming.stream.update(plain('One two'));
    await streaming.stream.finish(plain('One two three'));
    await expectComplete(streaming, 'One two three');
    expect(streaming.stage.shown(streaming.chat)).toHaveLength(1);
  }),
  ...streamed('answer that is complete at once', async (streaming) => {
    await streaming.stream.finish(plain('All of it'));
    await expectComplete(streaming, 'All of it');
  }),
  ...streamed(
    'answer that ends with a picture',
    async (streaming) => {
      const { stage, chat, stream } = streaming;
      await shows(streaming, 'One');
      await stream.finish([...plain('One two'), { type: 'Image', base64: picture.toString('base64') }]);
      await stage.until(() => stage.shown(chat).some(({ media }) => media.length > 0), 'the picture is shown');
      await expectComplete(streaming, 'One two');
      const [media] = stage.shown(chat).flatMap((shown) => shown.media);
      expect(Buffer.from(media?.content ?? []).equals(picture)).toBe(true);
    },
    (_, { capabilities }) => capabilities.elements.includes('Image'),
  ),
  ...streamed('text that only grows', async (streaming) => {
    const { stream, stage, chat } = streaming;
    await shows(streaming, 'One');
    for (const text of ['One two', 'One two three', 'One two three four']) await stream.update(plain(text));
    await stream.finish(plain('One two three four five'));
    await expectComplete(streaming, 'One two three four five');
    for (const { history } of stage.shown(chat)) {
      for (const [index, { text }] of history.entries()) {
        expect((history[index + 1]?.text ?? text).startsWith(text), 'a text continues the one before').toBe(true);
      }
    }
  }),
  ...streamed('answer beyond the limit of a streamed message', async (streaming) => {
    const { text_limit } = streaming.stage.capabilities;
    const { most = 500, most_in_edit = most, unit = 'utf16' } = text_limit ?? {};
    const text = textOfLength(most_in_edit + 50, unit);
    await shows(streaming, text.slice(0, 10));
    await streaming.stream.update(plain(text));
    await streaming.stream.finish(plain(text));
    await expectComplete(streaming, text);
  }),
  ...streamed(
    'rate limit on an edit does not end the answer',
    async (streaming) => {
      await shows(streaming, 'One');
      streaming.stage.fake.limit({ route: 'edit', after: 0, pause: { seconds: 1 }, times: 1 });
      const failure = await streaming.stream.update(plain('One two')).then(() => null, readFailure);
      if (failure !== null) expect(failure.kind).not.toBe('refused');
      await streaming.stage.repeat(() => streaming.stream.finish(plain('One two three')));
      await expectComplete(streaming, 'One two three');
    },
    isEdited,
  ),
  ...streamed(
    'refused edits end with the whole answer in a message',
    async (streaming) => {
      const { stage, chat } = streaming;
      await shows(streaming, 'One');
      stage.fake.fail('edit', 'refused', 5);
      await streaming.stream.update(plain('One two')).catch(() => undefined);
      await finishes(streaming, 'One two three');
      const complete = stage.texts(chat).filter((text) => text === 'One two three');
      expect(complete).toHaveLength(1);
    },
    isEdited,
  ),
  ...streamed(
    'longest duration is over while no text comes',
    async (streaming) => {
      const { stage, chat } = streaming;
      await shows(streaming, 'One');
      await stage.until(() => stage.shown(chat).every(({ isUnfinished }) => !isUnfinished), 'the message is closed');
      expect(stage.texts(chat)).toEqual(['One']);
      await streaming.stream.update(plain('One two'));
      await streaming.stream.finish(plain('One two three'));
      await expectComplete(streaming, 'One two three');
    },
    ({ duration_ms }) => duration_ms !== undefined,
  ),
  ...streamed('stream that the platform closed', async (streaming) => {
    await shows(streaming, 'One');
    streaming.stage.fake.closeStream();
    await streaming.stream.update(plain('One two')).catch(() => undefined);
    if ((await finishes(streaming, 'One two three')) === 'streamed') await expectComplete(streaming, 'One two three');
    else expect(streaming.stage.texts(streaming.chat).at(-1)).toBe('One two three');
  }),
  ...streamed('answer that the user stopped', async (streaming) => {
    const { stage, chat, stream } = streaming;
    await shows(streaming, 'One');
    await stage.fake.stopAnswer(stage.shown(chat)[0]?.id ?? '');
    const going = async () => {
      await stream.update(plain('One two'));
      await stream.finish(plain('One two three'));
    };
    const failure = await failureOf(going());
    expect(failure).toMatchObject({ kind: 'refused', reason: 'cancelled' });
    expect(stage.texts(chat)).toEqual(['One']);
    expect(stage.shown(chat)[0]?.isUnfinished).toBe(false);
  }),
  ...streamed('abandoned answer stays readable', async (streaming) => {
    const { stage, chat, stream } = streaming;
    await shows(streaming, 'One');
    await stream.abandon?.('internal');
    await stage.until(() => stage.shown(chat).every(({ isUnfinished }) => !isUnfinished), 'the message is ended');
    expect(stage.texts(chat)).toEqual(['One']);
  }),
  ...streamed('same message is completed after a crash', async (streaming) => {
    const { stage, message, progress, chat } = streaming;
    await shows(streaming, 'The start');
    await stage.crash();
    const next = new RecordedProgress(progress.handle, true);
    const stream = await stage.stream(message, next);
    await stream.update(plain('Again'));
    await stream.finish(plain('Again, to the end'));
    await expectComplete({ ...streaming, stream }, 'Again, to the end');
    expect(stage.shown(chat)).toHaveLength(1);
  }),
  ...streamed('same message is completed by a send after a crash', async (streaming) => {
    const { stage, message, progress, chat } = streaming;
    await shows(streaming, 'The start');
    await stage.crash();
    const whole = { ...message, message_chain: plain('The whole') };
    await stage.adapter.send(whole, new RecordedProgress(progress.handle, true));
    await expectComplete(streaming, 'The whole');
    expect(stage.shown(chat)).toHaveLength(1);
  }),
  ...streamed('stop with an answer that is not complete', async (streaming) => {
    await shows(streaming, 'One');
    await streaming.stage.stop();
  }),
  ...streamed(
    'platform polls after the end and for what is unknown',
    async (streaming) => {
      const { stage } = streaming;
      await shows(streaming, 'One');
      await streaming.stream.finish(plain('One two'));
      await expectComplete(streaming, 'One two');
      expect([null, 'One two']).toContain((await stage.fake.pollStream())?.text ?? null);
      const unknown = await stage.fake.pollStream('unknown');
      expect(unknown === null || unknown.isFinished).toBe(true);
      await stage.ask({ text: 'Still there' });
    },
    ({ mode }) => mode === 'pull',
  ),
]);
