import type { SuiteRun } from '@parley/sdk/testing';

const noThreads = 'There are no threads';
const usersOnly = 'Robots receive messages of users only';
const noTime = 'The platform names no time';
const noButton = 'The template of the card has no button';

const inBothModes = {
  'text in a thread': noThreads,
  'text to a thread': noThreads,
  'answer to a question in a thread': noThreads,
  'messages of the bot itself are ignored': usersOnly,
  'messages of other bots are ignored': usersOnly,
  'mention of a role of the bot': 'There are no roles',
  'mention of everyone': 'It is not delivered to robots',
  'edited message becomes a notice': 'The platform sends no event for edits',
  'recalled message becomes a notice': 'The platform sends no event for recalled messages',
  'new group becomes a notice': 'The platform sends no event to the robot',
  'two kinds of event for one message': 'A message has one kind of event',
  'other kind of event comes first': 'A message has one kind of event',
  'compressed bomb': 'Frames are not compressed',
  'session cannot be resumed': 'Connections have no sessions',
  'takeover by another program is reported and not fought': 'Several programs may be connected',
  'rate limit with seconds': noTime,
  'rate limit with a date': noTime,
  'failure that is reported after acceptance': 'The platform reports none',
  'answer that the user stopped, to a person': noButton,
  'answer that the user stopped, in a group': noButton,
};

/** How DingTalk passes the suite of platforms: answers with the session webhook, and after its end. */
export const suite: readonly (SuiteRun & { mode: 'session' | 'api' })[] = [
  {
    mode: 'session',
    config: { 'enable-stream-reply': true },
    impossible: {
      ...inBothModes,
      'token is refreshed once for many callers': 'Answers with the session webhook need no token',
    },
  },
  {
    mode: 'api',
    config: { 'enable-stream-reply': true },
    impossible: {
      ...inBothModes,
      'mention of a user notifies': 'Only messages with the session webhook mention users',
      'time windows': 'Messages of this mode come without a session webhook',
    },
  },
];
