import { type ErrorDetail, invalidFields } from '@parley/sdk';
import { Clone, Default } from 'typebox/value';
import { checkConfig } from '../forms/check-config.ts';
import { isVariableName } from './command-rules.ts';
import { type McpMode, type McpTarget, mcpArguments } from './mcp-server.ts';

/** Valid names of HTTP headers; values must not contain control characters. */
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** The command is found and has a home folder by them. */
const ownVariables = new Set(['PATH', 'HOME']);

/** They belong to the connection, and the protocol sets some of them itself. */
const takenHeaders = new Set([
  'accept',
  'connection',
  'content-length',
  'content-type',
  'host',
  'last-event-id',
  'mcp-protocol-version',
  'mcp-session-id',
  'transfer-encoding',
  'upgrade',
]);

/**
 * The arguments of a server, complete with defaults.
 * @throws ParleyError `invalid_request` with the path of each fault
 */
export function readArguments(mode: McpMode, given: Record<string, unknown>): McpTarget {
  const schema = mcpArguments[mode];
  const completed = Default(schema, Clone(given)) as Record<string, unknown>;
  checkConfig(schema, completed, 'extra_args');
  const target = { mode, ...completed } as McpTarget;
  const faults = target.mode === 'stdio' ? commandFaults(target) : addressFaults(target);
  if (faults.length > 0) throw invalidFields(faults.slice(0, 20));
  return target;
}

/** The arguments of a server as stored in its record. */
export function argumentsOf({ mode: _, ...extra_args }: McpTarget): Record<string, unknown> {
  return extra_args;
}

function commandFaults({ command, args, env }: Extract<McpTarget, { mode: 'stdio' }>): ErrorDetail[] {
  const faults: ErrorDetail[] = [];
  const texts: [string, string][] = [
    ['command', command],
    ...args.map((argument, index): [string, string] => [`args[${index}]`, argument]),
    ...Object.entries(env).map(([name, value]): [string, string] => [`env.${name}`, value]),
  ];
  for (const [path, text] of texts) {
    if (text.includes('\0')) {
      faults.push({ path: `extra_args.${path}`, message: 'must not hold a null character', rule: 'characters' });
    }
  }
  for (const name of Object.keys(env)) {
    const path = `extra_args.env.${name}`;
    if (!isVariableName(name)) faults.push({ path, message: 'is not the name of a variable', rule: 'variableName' });
    else if (ownVariables.has(name)) faults.push({ path, message: 'is set by the service', rule: 'reserved' });
  }
  return faults;
}

function addressFaults({ url: text, headers }: Extract<McpTarget, { url: string }>): ErrorDetail[] {
  const faults: ErrorDetail[] = [];
  const url = /^https?:\/\/[^\s\p{Cc}]+$/iu.test(text) ? URL.parse(text) : null;
  if (url === null || url.username !== '' || url.password !== '') {
    const message = 'must be an http:// or https:// address without account name and password';
    faults.push({ path: 'extra_args.url', message, rule: 'address' });
  }
  for (const [name, value] of Object.entries(headers)) {
    const path = `extra_args.headers.${name}`;
    if (!headerName.test(name)) faults.push({ path, message: 'is not the name of a header', rule: 'headerName' });
    else if (takenHeaders.has(name.toLowerCase()))
      faults.push({ path, message: 'is set by the protocol', rule: 'reserved' });
    // The masked value is checked again when the secret is used.
    else if (!/^[\t\x20-\x7e\x80-\xff…]*$/.test(value)) {
      faults.push({ path, message: 'is not the value of a header', rule: 'headerValue' });
    }
  }
  return faults;
}
