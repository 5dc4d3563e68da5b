import { casesOfConnections, type SuiteRun } from '@parley/sdk/testing';

const inBothModes = {
  'mention of a role of the bot': 'There are no roles',
  'edited message becomes a notice': 'The platform sends no event for edits',
  'two kinds of event for one message': 'A message has one kind of event',
  'other kind of event comes first': 'A message has one kind of event',
  'redelivered over another connection': 'The fake keeps one connection of a bot',
  'compressed bomb': 'Neither requests nor frames are compressed',
  'failure that is reported after acceptance': 'The platform reports none',
  'answer that the user stopped, to a person': 'Answers have no button',
  'answer that the user stopped, in a group': 'Answers have no button',
  'content at a private address is refused': 'Content has keys, no addresses',
};

/** How Lark passes the suite of platforms. */
export const suite: readonly SuiteRun[] = [
  {
    mode: 'socket',
    config: { 'enable-stream-reply': true },
    impossible: {
      ...inBothModes,
      'platform asks to connect again': 'The platform closes a connection without asking',
      'session cannot be resumed': 'Connections have no sessions',
      'takeover by another program is reported and not fought': 'An app may have 50 connections',
    },
  },
  {
    mode: 'webhook',
    config: { 'enable-stream-reply': true, 'enable-webhook': true },
    impossible: {
      ...inBothModes,
      'address that the platform gives is checked': 'The adapter connects to the API only',
      ...casesOfConnections('The platform calls the bot'),
    },
  },
];
