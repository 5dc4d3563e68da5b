import type { SuiteRun } from '@parley/sdk/testing';

const noKinds = 'A message has one kind of event';
const noStreams = 'A stream is an ordinary message, which only its author can edit';
const noStop = 'Discord shows nothing that stops an answer';
const lasting = 'The token is valid until it is reset';

/** How Discord passes the suite of platforms. */
export const suite: readonly SuiteRun[] = [
  {
    config: {},
    impossible: {
      'two kinds of event for one message': noKinds,
      'other kind of event comes first': noKinds,
      'redelivered over another connection': 'A session has one connection',
      'compressed bomb': 'Compression is not asked for',
      'takeover by another program is reported and not fought': 'A token may have any number of sessions',
      'token expires in use': lasting,
      'token is refreshed once for many callers': lasting,
      'rate limit with a date': 'Discord names seconds',
      'failure that is reported after acceptance': 'What Discord accepts is delivered',
      'stream that the platform closed, to a person': noStreams,
      'stream that the platform closed, in a group': noStreams,
      'answer that the user stopped, to a person': noStop,
      'answer that the user stopped, in a group': noStop,
    },
  },
];
