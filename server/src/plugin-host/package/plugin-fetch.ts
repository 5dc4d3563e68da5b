import { ParleyError, problemError } from '@parley/sdk';
import Type, { type TSchema } from 'typebox';
import { Check, Clean } from 'typebox/value';
import {
  type CataloguePackage,
  type PluginDownloads,
  PluginRelease,
  type PluginReleaseAsset,
} from '../../core/plugins/plugin-downloads.ts';

export interface PluginFetchOptions {
  /** Reaches what the operator allows, and follows no redirect that is not asked for. */
  fetch: typeof fetch;
  /** Hosts over HTTPS, with a port if it is not 443; or origins such as `http://127.0.0.1:8080`. */
  hosts: readonly string[];
  /** Address of the catalogue; null for none. */
  catalogue: string | null;
  /** Default: that of GitHub. */
  gitHubApi?: string;
}

const maximumRedirects = 5;
/** Of a list of releases or a catalogue. */
const maximumListBytes = 5 * 1024 * 1024;
/** Between two reports of progress, milliseconds. */
const progressMs = 500;

const GitHubAsset = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  size: Type.Integer(),
  browser_download_url: Type.String(),
  content_type: Type.String(),
});
const GitHubRelease = Type.Object({
  ...PluginRelease.properties,
  name: Type.Union([Type.String(), Type.Null()]),
});
const Catalogue = Type.Object({
  plugins: Type.Array(
    Type.Object({ id: Type.String(), version: Type.String(), url: Type.String(), sha256: Type.String() }),
    { maxItems: 100_000 },
  ),
});

/** Fetches packages and lists of them over HTTP. */
export class PluginFetch implements PluginDownloads {
  readonly #options: PluginFetchOptions;
  readonly #gitHubApi: string;

  constructor(options: PluginFetchOptions) {
    this.#options = options;
    this.#gitHubApi = options.gitHubApi ?? 'https://api.github.com';
  }

  async releases(owner: string, repo: string, signal: AbortSignal): Promise<PluginRelease[]> {
    const found = await this.#json(`${this.#repository(owner, repo)}/releases`, Type.Array(GitHubRelease), signal);
    return found.map(({ name, ...release }) => ({ ...release, name: name ?? release.tag_name }));
  }

  async releaseAssets(
    owner: string,
    repo: string,
    releaseId: string,
    signal: AbortSignal,
  ): Promise<PluginReleaseAsset[]> {
    const url = `${this.#repository(owner, repo)}/releases/${encodeURIComponent(releaseId)}`;
    const { assets } = await this.#json(url, Type.Object({ assets: Type.Array(GitHubAsset) }), signal);
    return assets.map(({ browser_download_url: download_url, ...asset }) => ({ ...asset, download_url }));
  }

  async catalogue(signal: AbortSignal): Promise<CataloguePackage[]> {
    const { catalogue } = this.#options;
    if (catalogue === null) throw problemError('no_plugin_catalogue');
    const { plugins } = await this.#json(catalogue, Catalogue, signal);
    return plugins.map((plugin) => ({ ...plugin, url: URL.parse(plugin.url, catalogue)?.href ?? plugin.url }));
  }

  async *download(
    url: string,
    { signal, progress }: { signal: AbortSignal; progress: (bytes: number, total: number | null) => void },
  ): AsyncIterable<Uint8Array> {
    const response = await this.#get(url, signal);
    const length = Number(response.headers.get('content-length'));
    const total = Number.isSafeInteger(length) && length > 0 ? length : null;
    let bytes = 0;
    let reported = 0;
    // Who reads it stops at its limit. `#get` returns nothing without a body.
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength;
      if (Date.now() - reported > progressMs) {
        progress(bytes, total);
        reported = Date.now();
      }
      yield chunk;
    }
    progress(bytes, total);
  }

  requireAllowed(text: string): void {
    this.#allowed(text);
  }

  #repository(owner: string, repo: string): string {
    return `${this.#gitHubApi}/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`;
  }

  #allowed(text: string, base?: string): URL {
    const url = URL.parse(text, base);
    if (url === null) throw problemError('address_unreadable');
    if (url.username !== '' || url.password !== '') throw problemError('address_with_account');
    const { hosts } = this.#options;
    const isAllowed = hosts.includes(url.origin) || (url.protocol === 'https:' && hosts.includes(url.host));
    if (!isAllowed) throw problemError('plugin_host_refused', { host: url.host });
    return url;
  }

  async #get(text: string, signal: AbortSignal): Promise<Response> {
    let url = this.#allowed(text);
    for (let redirects = 0; ; redirects += 1) {
      const response = await this.#options
        .fetch(url, { redirect: 'manual', signal, headers: { accept: '*/*', 'user-agent': 'Parley' } })
        .catch((error: unknown) => {
          signal.throwIfAborted();
          throw error instanceof ParleyError ? error : failed(url.href, 'cannot be reached', error);
        });
      const location = response.headers.get('location');
      if (response.ok && response.body !== null) return response;
      await response.body?.cancel();
      if (response.status < 300 || response.status >= 400 || location === null) {
        throw failed(url.href, `answered with status ${response.status}`);
      }
      if (redirects === maximumRedirects) throw failed(text, `redirects more than ${maximumRedirects} times`);
      url = this.#allowed(location, url.href);
    }
  }

  async #json<Schema extends TSchema>(url: string, schema: Schema, signal: AbortSignal) {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of (await this.#get(url, signal)).body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > maximumListBytes) throw failed(url, `sends more than ${maximumListBytes} bytes`);
      chunks.push(chunk);
    }
    const value = Clean(schema, parsed(Buffer.concat(chunks).toString('utf8')));
    if (!Check(schema, value)) throw failed(url, 'answered something else than expected');
    return value;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failed(url: string, what: string, cause?: unknown): ParleyError {
  const { host = url } = URL.parse(url) ?? {};
  return new ParleyError('platform_failed', `${host} ${what}`, { cause });
}
