/*
 * Causes of failures that can be named, each with what to do. Codes are stable: programs may branch on them.
 * `{{names}}` are replaced by parameters of the hint.
 */
export const hints = {
  base_url_version: 'The base URL lacks its version. Try {{url}}.',
  base_url_path: 'The base URL contains the path of a request. Use {{url}}.',
  not_an_api: 'A web page was returned instead of an API response. Check the base URL.',
  redirected: 'Redirects are not followed. Use {{url}} as the base URL if this is the provider.',
  key_missing: 'The provider requires an API key, and none is stored. Add one.',
  key_rejected: 'The API key may be mistyped, expired or revoked. Create a new one at the provider.',
  key_of_other_provider:
    'The API key looks like a key of {{provider}}. Use a key of this provider, or the base URL of {{provider}}.',
  key_permissions: 'The API key has no permission for this. Check its permissions, project and region at the provider.',
  unknown_model: 'Check the model ID, or select a model from the list of the provider.',
  rate_limit: 'Too many requests in a short time. Wait, or add another API key or a fallback model.',
  quota_used_up: 'The account has no credit or quota left. Check the billing page of the provider.',
  provider_problem: 'The provider has a problem. Try again later, and check the status page of the provider.',
  no_response: 'Try again. Check that the server is running and not overloaded.',
  broken_connection: 'Try again. A proxy between this server and the provider may end long responses.',
  unknown_host: 'The host name does not exist. Check the address for typing errors.',
  connection_refused:
    'No server listens on this host and port. Check the address, and that the server is running. In a container, localhost is the container itself.',
  host_unreachable: 'This server has no network route to the address. Check its network, firewall and DNS.',
  certificate:
    'The TLS certificate is not trusted. Check the address, or add the certificate authority with NODE_EXTRA_CA_CERTS.',
  no_tls: 'The server does not use TLS on this port. Use http:// instead of https://.',
} as const;

export type HintCode = keyof typeof hints;

/** A cause that can be named, with the parameters of its text. */
export interface Hint {
  code: HintCode;
  parameters: Readonly<Record<string, string>>;
}

/** A hint from elsewhere, checked. Null if it is none. */
export function hintFrom(value: unknown): Hint | null {
  if (typeof value !== 'object' || value === null) return null;
  const { code, parameters } = value as { code?: unknown; parameters?: unknown };
  if (typeof code !== 'string' || !Object.hasOwn(hints, code)) return null;
  const given = typeof parameters === 'object' && parameters !== null ? Object.entries(parameters) : [];
  return {
    code: code as HintCode,
    parameters: Object.fromEntries(given.filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
  };
}
