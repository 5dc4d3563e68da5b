import { ParleyError } from '@parley/sdk';

/** Default of a setting until it is filled in. */
const placeholder = /^(your-[a-z-]+)?$/;

/**
 * Checks the required settings of a runner.
 * @param service its name in errors
 * @throws ParleyError `provider_unauthorized` where the key is missing, `invalid_request` for any other field
 */
export function requireFields(service: string, fields: Record<string, string>): void {
  for (const [name, value] of Object.entries(fields)) {
    if (!placeholder.test(value.trim())) continue;
    if (name === 'api-key') {
      throw new ParleyError('provider_unauthorized', `The pipeline has no api-key for ${service}.`);
    }
    throw new ParleyError('invalid_request', `${service} cannot be called: ${name} is missing in the pipeline.`);
  }
}

/** The address of something at a service. @param base may end with a slash or not */
export function addressAt(base: string, path: string): string {
  return `${base.trim().replace(/\/+$/, '')}${path}`;
}
