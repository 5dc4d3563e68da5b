import type { SuiteRun } from '@parley/sdk/testing';

const impossible = {
  'several files in one message': 'Each file of an album is a message of its own',
  'mention of a role of the bot': 'There are no roles',
  'mention of everyone': 'There is no such mention',
  'recalled message becomes a notice': 'Bots are not told of deleted messages',
  'unknown kind is kept and logged once': 'It cannot be told from the many service messages, which no user wrote',
  'two kinds of event for one message': 'A message is one update',
  'other kind of event comes first': 'A message is one update',
  'address that the platform gives is checked': 'It gives none',
  'redelivered over another connection': 'Updates have one way',
  'old request': 'Requests have no timestamp',
  'request from the future': 'Requests have no timestamp',
  'replayed request': 'Requests have no timestamp or nonce; a repeated message is known by its id',
  'request replayed after a restart': 'Requests have no timestamp or nonce',
  'platform asks to connect again': 'There is no such request',
  'session cannot be resumed': 'There are no sessions',
  'token expires in use': 'Tokens do not expire',
  'token is refreshed once for many callers': 'Tokens do not expire',
  'rate limit with a date': 'Rate limits name seconds',
  'failure that is reported after acceptance': 'Failures are in the response',
  'answer that the user stopped, to a person': 'Users cannot stop an answer',
  'answer that the user stopped, in a group': 'Users cannot stop an answer',
  'picture from an address': 'Telegram fetches it, and is given the address',
  'picture from a private address is refused': 'Telegram fetches addresses, and reaches public ones only',
  'content at a private address is refused': 'Files are fetched by id',
};

const polled = 'The adapter polls; nothing calls it';

const withoutRequests = {
  'wrong signature': polled,
  'missing signature': polled,
  'signature of another length': polled,
  'signature of another bot': polled,
  'event that is too large': polled,
  'compressed bomb': polled,
};

/** How Telegram passes the suite of platforms. */
export const suite: readonly SuiteRun[] = [
  { mode: 'polling', config: {}, impossible: { ...impossible, ...withoutRequests } },
  {
    mode: 'webhook',
    config: { 'enable-webhook': true },
    impossible: {
      ...impossible,
      'takeover by another program is reported and not fought': 'The address is set again when it was changed',
    },
  },
];
