import { ParleyError } from '@parley/sdk';

/** What stands in a configuration until somebody fills it in. */
const placeholder = /^(your-[a-z-]+)?$/;

/**
 * Says so when a field of a runner without which its service cannot be asked is empty.
 * @param service what errors call the service
 * @throws ParleyError `provider_unauthorized` where the key is missing, `invalid_request` for any other field
 */
export function requireFields(service: string, fields: Record<string, string>): void {
  for (const [name, value] of Object.entries(fields)) {
    if (!placeholder.test(value.trim())) continue;
    if (name === 'api-key') {
      throw new ParleyError('provider_unauthorized', `The pipeline has no api-key for ${service}.`);
    }
    throw new ParleyError('invalid_request', `${service} cannot be asked: the pipeline does not say ${name}.`);
  }
}

/** The address of something at a service. @param base may end with a slash or not */
export function addressAt(base: string, path: string): string {
  return `${base.trim().replace(/\/+$/, '')}${path}`;
}
