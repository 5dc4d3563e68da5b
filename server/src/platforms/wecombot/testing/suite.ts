import { casesOfConnections, type SuiteRun } from '@parley/sdk/testing';

const noThreads = 'There are no threads';
const noKinds = 'A message has one kind of event';
const onlyMentions = 'In groups, only messages that mention the bot arrive';
const noTokens = 'There are no access tokens';
const noStop = 'Answers have no button';
const noTime = 'The error names no time';
const untested = 'Connecting with the secret would end the connection of the bot';

const inBothModes = {
  'text in a thread': noThreads,
  'text to a thread': noThreads,
  'answer to a question in a thread': noThreads,
  'voice is fetched after it was stored': 'Voice messages arrive as what was said',
  'quote of a message of the bot': 'A quote has content, and neither id nor author',
  'messages of the bot itself are ignored': 'Only messages of users arrive',
  'messages of other bots are ignored': 'Only messages of users arrive',
  'name of the bot in a text is no mention': onlyMentions,
  'mention of a role of the bot': onlyMentions,
  'mention of everyone': onlyMentions,
  'mention of another user': onlyMentions,
  'edited message becomes a notice': 'The platform sends no event for edits',
  'recalled message becomes a notice': 'The platform sends no event for recalled messages',
  'two kinds of event for one message': noKinds,
  'other kind of event comes first': noKinds,
  'redelivered over another connection': 'A bot has one connection',
  'token expires in use': noTokens,
  'token is refreshed once for many callers': noTokens,
  'connection test of wrong credentials': untested,
  'failure that is reported after acceptance': 'The platform reports none',
  'rate limit with seconds': noTime,
  'rate limit with a date': noTime,
  'answer that the user stopped, to a person': noStop,
  'answer that the user stopped, in a group': noStop,
  'address that the platform gives is checked': 'The platform gives none to connect to',
};

const notSigned = 'Frames are not signed: the bot connects with its secret';
const noAddress = 'A long connection has no address';
const noAcknowledgement = 'The platform sends a message once and waits for no acknowledgement';
const nothingAtStart = 'By webhook, nothing is called at the start';

/** How the AI bot of WeCom passes the suite of platforms. */
export const suite: readonly (SuiteRun & { mode: 'socket' | 'webhook' })[] = [
  {
    mode: 'socket',
    config: {},
    impossible: {
      ...inBothModes,
      'stored before acknowledged': noAcknowledgement,
      'crash after it was stored and before it was acknowledged': noAcknowledgement,
      'wrong signature': notSigned,
      'missing signature': notSigned,
      'signature of another length': notSigned,
      'signature of another bot': notSigned,
      'old request': notSigned,
      'request from the future': notSigned,
      'replayed request': notSigned,
      'request replayed after a restart': notSigned,
      'compressed bomb': 'Frames are not compressed',
      'address is verified': noAddress,
      'wrong verification of the address': noAddress,
      'address is verified before the start': noAddress,
      'address is verified after a failed start': noAddress,
      'platform asks to connect again': 'The platform closes a connection without asking',
      'session cannot be resumed': 'Connections have no sessions',
    },
  },
  {
    mode: 'webhook',
    config: { 'enable-webhook': true },
    impossible: {
      ...inBothModes,
      ...casesOfConnections('The platform calls the bot'),
      'stop while it connects': nothingAtStart,
      'wrong credentials at the start': nothingAtStart,
      'platform cannot be reached at the start': nothingAtStart,
      'credentials are revoked in use': nothingAtStart,
      'parts stay in order when one fails': 'Two messages may answer a question',
      'chat that does not exist': 'By webhook, there are no unsolicited messages',
      'platform is reached through the proxy only': 'By webhook, answers are in responses to the platform',
      'typing is shown': 'It keeps the stream of the answer open, without a call',
    },
  },
];
