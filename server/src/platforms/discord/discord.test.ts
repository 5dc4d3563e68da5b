import { platformContract } from '@parley/sdk/testing';
import { platformHost } from '../../kit/testing/platform-host.ts';
import { createDiscord } from './index.ts';
import { startFakeDiscord } from './testing/fake-discord.ts';
import { quickTiming } from './testing/start-adapter.ts';

const noStreams = 'A stream is an ordinary message, which only its author can edit';
const noStop = 'Discord shows nothing that stops an answer';

platformContract({
  platform: createDiscord(quickTiming),
  fake: () => startFakeDiscord(),
  host: platformHost,
  impossible: {
    'two kinds of event for one message': 'A message has one kind of event',
    'redelivered over another connection': 'A session has one connection',
    'compressed bomb': 'Compression is not asked for',
    'takeover by another program is reported and not fought': 'A token may have any number of sessions',
    'token expires in use': 'The token is valid until it is reset',
    'token is refreshed once for many callers': 'The token is valid until it is reset',
    'rate limit with a date': 'Discord names seconds',
    'failure that is reported after acceptance': 'What Discord accepts is delivered',
    'stream that the platform closed, to a person': noStreams,
    'stream that the platform closed, in a group': noStreams,
    'answer that the user stopped, to a person': noStop,
    'answer that the user stopped, in a group': noStop,
  },
});
