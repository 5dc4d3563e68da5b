import { describe, expect, it } from 'vitest';
import { platformCase, platformCases } from '../../../../sdk/testing/platforms/cases/index.ts';
import { type Defect, defects } from '../../../../sdk/testing/platforms/invented/config.ts';
import { startFakeInvented } from '../../../../sdk/testing/platforms/invented/fake/index.ts';
import { createInventedPlatform } from '../../../../sdk/testing/platforms/invented/index.ts';
import { isNotOfThisPlatform, runPlatformCase } from '../../../../sdk/testing/platforms/run-case.ts';
import { inventedTiming } from './invented-timing.ts';
import { platformHost } from './platform-host.ts';

type Mode = 'webhook' | 'websocket';

/** The case that finds each defect. */
const findings: Record<Defect, [name: string, mode?: Mode]> = {
  'acknowledges before storing': ['stored before acknowledged'],
  'accepts a missing signature': ['missing signature'],
  'compares a prefix of the signature': ['signature of another length'],
  'no time window': ['old request'],
  'no replay guard': ['replayed request'],
  'takes requests only after a start': ['request is taken without a start'],
  'takes requests after a stop': ['nothing is taken after a stop without a start'],
  'receives its own messages': ['messages of the bot itself are ignored'],
  'new id for a redelivery': ['redelivered'],
  'id of the event': ['two kinds of event for one message'],
  'sends again after a lost response': ['response lost when the connection breaks'],
  'rate limit is a refusal': ['rate limit without a time'],
  'ignores the time of a rate limit': ['rate limit with seconds'],
  'repeats a refused send': ['permanent refusal is not repeated'],
  'splits by UTF-16 units': ['text one unit beyond the limit'],
  'cuts characters': ['characters outside of the basic plane stay whole'],
  'edits beyond the limit': ['answer beyond the limit of a streamed message, in a group'],
  'edits a closed stream': ['stream that the platform closed, in a group'],
  'leaves an abandoned message unfinished': ['abandoned answer stays readable, in a group'],
  'ignores the handle': ['same message is completed after a crash, in a group'],
  'context without uses': ['uses of a context are spent'],
  'context without expiry': ['context is expired'],
  'uses the global fetch': ['no connection beside the clients of the context'],
  'leaves a timer': ['nothing is left after a stop'],
  'leaves a socket': ['nothing is left after a stop', 'websocket'],
  'connects again after a refusal': ['lasting refusal ends the attempts', 'websocket'],
  'no watchdog': ['connection that fell silent is replaced', 'websocket'],
  'a token for each caller': ['token is refreshed once for many callers'],
  'logs the secret': ['no secret is shown in a failure'],
  'fetches private addresses': ['content at a private address is refused'],
  'texts notify': ['mentions in a text notify no one'],
  'loses threads': ['answer to a question in a thread'],
  'drops unknown kinds': ['unknown kind is kept and logged once'],
  'fetches before storing': ['image is fetched after it was stored'],
  'ignores late failures': ['failure that is reported after acceptance'],
  'session is not resumed': ['session cannot be resumed', 'websocket'],
  'ends with the rate limit of an edit': ['rate limit on an edit does not end the answer, in a group'],
  'gives a slow sign-in up': ['platform wants to be asked more slowly'],
  'follows addresses without a check': ['address that the platform gives is checked', 'websocket'],
  'makes a call that does not exist': ['starts and stops, once or twice'],
};

/** The limit of a stream must not hide that it was left open. */
const timing = { ...inventedTiming, stream: 10_000 };

const run = (name: string, mode: Mode, defect?: Defect) =>
  runPlatformCase(platformCase(name), {
    platform: createInventedPlatform({ timing, ...(defect === undefined ? {} : { defect }) }),
    config: () => ({ transport: mode }),
    fake: () => startFakeInvented(mode),
    host: platformHost,
    // A case that must fail fails soon.
    patienceMs: defect === undefined ? undefined : 300,
  });

describe.concurrent('a defect of an adapter', () => {
  it.each(defects)('is found: %s', async (defect) => {
    const [name, mode = 'webhook'] = findings[defect];
    await run(name, mode);
    const failure = await run(name, mode, defect).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(isNotOfThisPlatform(failure)).toBe(false);
  });
});

it('each case has a name of its own', () => {
  const names = platformCases.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
