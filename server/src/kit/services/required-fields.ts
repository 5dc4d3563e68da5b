import { ParleyError } from '@parley/sdk';

/**
 * Says so when a field of a runner without which its service cannot be asked is empty.
 * @param service what errors call the service
 * @throws ParleyError `invalid_request`
 */
export function requireFields(service: string, fields: Record<string, string>): void {
  const missing = Object.keys(fields).find((name) => fields[name]?.trim() === '');
  if (missing !== undefined) {
    throw new ParleyError('invalid_request', `${service} cannot be asked: the pipeline does not say ${missing}.`);
  }
}

/** The address of something at a service. @param base may end with a slash or not */
export function addressAt(base: string, path: string): string {
  return `${base.trim().replace(/\/+$/, '')}${path}`;
}
