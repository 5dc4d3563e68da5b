import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** A user of the provider, as in its tokens. */
export interface ProvidedPerson {
  sub: string;
  preferred_username?: string;
  email?: string;
}

export interface TestIdentityProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The user who signs in next; null to refuse. */
  person: ProvidedPerson | null;
  /** Sends browsers back to these addresses and to no others from now on. */
  sendBackTo(redirectUris: string[]): void;
  /** Goes through the provider as a browser does. @returns the address that it sends the browser back to */
  visit(url: string): Promise<URL>;
  stop(): Promise<void>;
}

/** Redirects after which a visit is given up. */
const mostSteps = 20;

/** A real OpenID provider on loopback, which identifies every caller as {@link TestIdentityProvider.person}. */
export async function startIdentityProvider(redirectUris: string[] = []): Promise<TestIdentityProvider> {
  const server: Server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [clientId, clientSecret] = ['parley', 'a secret of this client alone'];
  const test: TestIdentityProvider = {
    issuer,
    clientId,
    clientSecret,
    person: { sub: 'ada' },
    visit,
    sendBackTo: (addresses) => {
      provider = createProvider(addresses);
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const createProvider = (addresses: string[]) =>
    new Provider(issuer, {
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: addresses,
          token_endpoint_auth_method: 'client_secret_basic',
        },
      ],
      claims: { openid: ['sub'], profile: ['preferred_username'], email: ['email'] },
      pkce: { required: () => true },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      cookies: { keys: ['a key of this test'] },
      findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...test.person, sub }) }),
      loadExistingGrant: async ({ oidc }) => {
        const grant = new oidc.provider.Grant({
          clientId: oidc.client?.clientId ?? '',
          accountId: oidc.session?.accountId ?? '',
        });
        grant.addOIDCScope('openid profile email');
        await grant.save();
        return grant;
      },
    });
  let provider = createProvider(redirectUris);
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void provider.callback()(request, response);
    const { person } = test;
    const result =
      person === null
        ? { error: 'access_denied', error_description: 'Not today' }
        : { login: { accountId: person.sub, remember: false } };
    void provider.interactionFinished(request, response, result);
  });
  return test;

  async function visit(start: string): Promise<URL> {
    const jar = new Map<string, string>();
    let url = new URL(start);
    for (let steps = 0; steps < mostSteps; steps += 1) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
      await response.body?.cancel();
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value === '') jar.delete(name);
        else jar.set(name, value);
      }
      const location = response.headers.get('location');
      if (location === null) throw new Error(`${url} was answered ${response.status} without an address`);
      url = new URL(location, url);
      if (url.origin !== issuer) return url;
    }
    throw new Error(`${url} leads nowhere`);
  }
}
