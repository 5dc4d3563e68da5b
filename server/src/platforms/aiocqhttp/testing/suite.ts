import type { SuiteRun } from '@parley/sdk/testing';

const [noAcknowledgement, verifiesClients, lastingToken] = [
  'Clients send each event once and wait for no acknowledgement',
  'The client connects to the bot, which verifies it',
  'The token is part of the configuration and does not expire',
];
const noOther = 'There is no such thing on QQ';

/** What QQ and its clients have no counterpart for. */
const impossible = {
  'text in a thread': noOther,
  'text to a thread': noOther,
  'answer to a question in a thread': noOther,
  'mention of a role of the bot': noOther,
  'edited message becomes a notice': noOther,
  'messages of other bots are ignored': 'Events do not tell whether an account is a bot',
  'two kinds of event for one message': 'A message is one event',
  'other kind of event comes first': 'A message is one event',
  'stored before acknowledged': noAcknowledgement,
  'crash after it was stored and before it was acknowledged': noAcknowledgement,
  'old request': 'Connections are verified by a token, and events are not signed',
  'request from the future': 'Connections are verified by a token, and events are not signed',
  'replayed request': 'Connections are verified by a token, and events are not signed',
  'request replayed after a restart': 'Connections are verified by a token, and events are not signed',
  'compressed bomb': 'Frames are not compressed',
  'platform asks to connect again': 'The protocol has no such frame',
  'session cannot be resumed': 'Connections have no sessions',
  'takeover by another program is reported and not fought': 'Several programs may be connected',
  'two bots in one process': 'A client has one account; connecting.test.ts has two clients',
  'token expires in use': lastingToken,
  'token is refreshed once for many callers': lastingToken,
  'no secret is shown in a failure': `${lastingToken}; connecting.test.ts looks for it in logs`,
  'rate limit with seconds': 'Clients name no time',
  'rate limit with a date': 'Clients name no time',
  'address that the platform gives is checked': 'Clients give none to connect to',
  'failure that is reported after acceptance': 'Clients report none',
};

const inReverse = {
  'lasting refusal ends the attempts': verifiesClients,
  'attempts have pauses': 'The client makes the attempts',
  'wrong credentials at the start': verifiesClients,
  'platform cannot be reached at the start': 'The bot has started when it listens',
  'credentials are revoked in use': verifiesClients,
  'connection test names the account': 'Nobody can be asked before the client connects',
  'connection test of wrong credentials': verifiesClients,
};

const inForward = {
  'redelivered over another connection': 'The bot has one connection',
  'wrong signature': 'The client verifies the bot',
  'missing signature': 'The client verifies the bot',
  'signature of another length': 'The client verifies the bot',
  'signature of another bot': 'The client verifies the bot',
};

/** How OneBot passes the suite of platforms: clients connect to the bot, or the bot to them. */
export const suite: readonly (SuiteRun & { mode: 'reverse' | 'forward' })[] = [
  { mode: 'reverse', config: { connection: 'reverse' }, impossible: { ...impossible, ...inReverse } },
  { mode: 'forward', config: { connection: 'forward' }, impossible: { ...impossible, ...inForward } },
];
