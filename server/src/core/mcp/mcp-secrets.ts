import { isDeepStrictEqual } from 'node:util';
import { type ErrorDetail, ParleyError } from '@parley/sdk';
import { isMasked, mask } from '../../lib/mask.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { McpTarget } from './mcp-server.ts';

/** Names and values of the environment, or of the headers. */
type Values = Record<string, string>;

/**
 * Replaces masks by the stored secrets.
 * @param target with values that may be masked
 * @param stored the previous target in clear; null when there is none
 * @throws ParleyError `secret_required` when a masked value does not match the stored one, or the secret would be sent
 * elsewhere
 */
export function unmask(target: McpTarget, stored: McpTarget | null): McpTarget {
  const staysThere = stored !== null && isSamePlace(target, stored);
  const known = stored === null ? {} : secretsOf(stored);
  const faults: ErrorDetail[] = [];
  const values = Object.entries(secretsOf(target)).map(([name, value]): [string, string] => {
    if (!isMasked(value)) return [name, value];
    const secret = Object.hasOwn(known, name) ? known[name] : undefined;
    const path = `extra_args.${fieldOf(target)}.${name}`;
    if (secret === undefined || mask(secret) !== value) faults.push({ path, message: 'is masked', rule: 'secret' });
    else if (!staysThere) {
      faults.push({ path, message: 'is masked, and would be sent to another server', rule: 'secret' });
    }
    return [name, secret ?? value];
  });
  const [first] = faults;
  if (first !== undefined) {
    const message = `${first.path}: ${first.message}; send the full secret`;
    throw new ParleyError('secret_required', message, { details: faults.slice(0, 20) });
  }
  return withSecrets(target, Object.fromEntries(values));
}

/** A target with masked secrets, which is stored in clear and shown. */
export function masked(target: McpTarget): McpTarget {
  const values = Object.entries(secretsOf(target)).map(([name, value]) => [name, mask(value)] as const);
  return withSecrets(target, Object.fromEntries(values));
}

/** The values of the environment or of the headers: any of them may be secret. */
export function secretsOf(target: McpTarget): Values {
  return target.mode === 'stdio' ? target.env : target.headers;
}

/** @returns the secrets to store with the masked arguments; null when there are none */
export function sealTarget(box: SecretBox, target: McpTarget, uuid: string): string | null {
  const secrets = secretsOf(target);
  return Object.keys(secrets).length === 0 ? null : box.seal(JSON.stringify(secrets), secretContext(uuid));
}

/** Puts the secrets back that {@link sealTarget} sealed. @throws Error when they were sealed for another record */
export function openTarget(box: SecretBox, target: McpTarget, sealed: string | null, uuid: string): McpTarget {
  if (sealed === null) return target;
  return withSecrets(target, JSON.parse(box.open(sealed, secretContext(uuid))) as Values);
}

function withSecrets(target: McpTarget, values: Values): McpTarget {
  return target.mode === 'stdio' ? { ...target, env: values } : { ...target, headers: values };
}

function fieldOf({ mode }: McpTarget): string {
  return mode === 'stdio' ? 'env' : 'headers';
}

/** Whether two targets are the same server, as far as can be determined. */
export function isSamePlace(left: McpTarget, right: McpTarget): boolean {
  return isDeepStrictEqual(placeOf(left), placeOf(right));
}

/** The recipient of the secrets. The arguments belong to it: with others, many a command runs another program. */
function placeOf(target: McpTarget): readonly string[] {
  return target.mode === 'stdio'
    ? [target.mode, target.command, ...target.args]
    : [target.mode, URL.parse(target.url)?.origin ?? target.url];
}

function secretContext(uuid: string): string {
  return `mcp-server/${uuid}`;
}
