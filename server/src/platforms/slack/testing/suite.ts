import { casesOfConnections, type SuiteRun } from '@parley/sdk/testing';

const noSigning = 'Frames of socket mode are not signed: the address of the connection is for one use';
const noAddress = 'Socket mode has no address';

/** What Slack has no counterpart for. */
const impossible = {
  quote: 'Answers are in threads, and messages do not quote',
  'quote of a message of the bot': 'Answers are in threads, and messages do not quote',
  'quote of a message that is gone': 'Answers are in threads, and messages do not quote',
  'mention of a role of the bot': 'Events name user groups, not who is in them',
  'message nested a thousand times': 'Messages do not hold others',
  'compressed bomb': 'Slack does not compress requests',
  'session cannot be resumed': 'Connections have no sessions',
  'takeover by another program is reported and not fought': 'Several programs may be connected',
  'two bots in one process': 'The fake has one app',
  'token expires in use': 'Bot tokens do not expire',
  'token is refreshed once for many callers': 'Bot tokens do not expire',
  'no secret is shown in a failure': 'Bot tokens do not expire',
  'failure that is reported after acceptance': 'Slack reports none',
  'typing is shown': 'Only threads have an indicator',
  'stream that the platform closed, to a person': 'Edits have no stream',
  'stream that the platform closed, in a group': 'Edits have no stream',
  'answer that the user stopped, to a person': 'Edits have no button',
  'answer that the user stopped, in a group': 'Edits have no button',
  'address that the platform gives is checked': 'The host of the suite has one address',
};

const inSocketMode = {
  requests: noAddress,
  'wrong signature': noSigning,
  'missing signature': noSigning,
  'signature of another length': noSigning,
  'signature of another bot': noSigning,
  'old request': noSigning,
  'request from the future': noSigning,
  'replayed request': noSigning,
  'request replayed after a restart': noSigning,
  'address is verified': noAddress,
  'wrong verification of the address': noAddress,
  'address is verified before the start': noAddress,
  'address is verified after a failed start': noAddress,
};

const withoutConnection = casesOfConnections('Slack calls the bot');

/** How Slack passes the suite of platforms: requests to the webhook, or socket mode. */
export const suite: readonly (SuiteRun & { mode: 'webhook' | 'socket' })[] = [
  { mode: 'webhook', config: { 'enable-stream-reply': true }, impossible: { ...impossible, ...withoutConnection } },
  { mode: 'socket', config: { 'enable-stream-reply': true }, impossible: { ...impossible, ...inSocketMode } },
];
