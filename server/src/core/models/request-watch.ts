import type { SentRequest } from '@parley/sdk';
import { cutToBytes } from '../../lib/cut-text.ts';
import { hidingSecrets } from '../../lib/hiding-secrets.ts';
import { maskSign } from '../../lib/mask.ts';

/** Of the body of a request, bytes of UTF-8. */
const maximumBodyBytes = 256 * 1024;
/** A longer body is not read, characters. */
const maximumReadLength = 32 * 1024 * 1024;
const maximumUrlLength = 2000;

/** All other headers may hold a credential, whatever a provider calls them. */
const shownHeaders: ReadonlySet<string> = new Set([
  'accept',
  'anthropic-beta',
  'anthropic-version',
  'content-length',
  'content-type',
  'openai-beta',
  'user-agent',
]);
const shownParameters: ReadonlySet<string> = new Set(['alt', 'api-version', 'beta', 'version']);
/** Names of fields whose texts are credentials; extra arguments of a model may have them. */
const secretField = /(?:^|[_-])(?:api[_-]?key|secret|password|access[_-]?token|authorization)$/i;
/** Names of fields in which providers expect files as base64. */
const fileFields: ReadonlySet<string> = new Set(['bytes', 'data', 'file_data', 'image_data']);
const dataUrl = /data:([\w.+-]+\/[\w.+-]+)[^,\s"]{0,100};base64,([A-Za-z0-9+/=_-]+)/g;
const onlyBase64 = /^[A-Za-z0-9+/_-]{200,}={0,2}$/;

type Sent = Pick<SentRequest, 'method' | 'url'> & { headers: Headers; body: string | null };

/** Notes the requests that a library sends, so that the latest can be shown to an operator. */
export class RequestWatch {
  readonly #hide: (text: string) => string;
  #sent: Sent | null = null;
  /** Sends as the `fetch` that was given. */
  readonly fetch: typeof globalThis.fetch;

  /** @param secrets the keys of the provider, which may also be in texts: a provider may have repeated one */
  constructor(fetch: typeof globalThis.fetch, secrets: readonly string[]) {
    this.#hide = hidingSecrets(secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]));
    this.fetch = (input, init) => {
      const request = input instanceof Request ? input : null;
      this.#sent = {
        method: init?.method ?? request?.method ?? 'GET',
        url: request?.url ?? String(input),
        headers: new Headers(init?.headers ?? request?.headers),
        body: typeof init?.body === 'string' ? init.body : null,
      };
      return fetch(input, init);
    };
  }

  /** The latest request since the last call of this; null without. */
  take(): SentRequest | null {
    const sent = this.#sent;
    this.#sent = null;
    if (sent === null) return null;
    const body = this.#shownBody(sent.body);
    const shown = body === null ? null : cutToBytes(body, maximumBodyBytes);
    return {
      method: sent.method,
      url: this.#shownUrl(sent.url),
      headers: Object.fromEntries([...sent.headers].map(([name, value]) => [name, this.#shownHeader(name, value)])),
      body: shown,
      body_size: sent.body?.length ?? 0,
      truncated: shown !== body || (sent.body !== null && body === null),
    };
  }

  #shownBody(body: string | null): string | null {
    if (body === null || body.length > maximumReadLength) return null;
    return this.#hide(withoutFiles(body));
  }

  #shownHeader(name: string, value: string): string {
    if (shownHeaders.has(name)) return this.#hide(value);
    const scheme = name === 'authorization' ? /^(?:Basic|Bearer) /i.exec(value)?.[0] : undefined;
    return `${scheme ?? ''}${maskSign}`;
  }

  #shownUrl(address: string): string {
    const url = URL.parse(address);
    if (url === null) return maskSign;
    url.username = '';
    url.password = '';
    url.hash = '';
    for (const name of new Set(url.searchParams.keys())) {
      if (!shownParameters.has(name)) url.searchParams.set(name, 'hidden');
    }
    return this.#hide(url.href).slice(0, maximumUrlLength);
  }
}

/** A body with files and credentials of fields replaced. */
function withoutFiles(body: string): string {
  try {
    return JSON.stringify(
      JSON.parse(body, function (this: unknown, name: string, value: unknown) {
        return typeof value === 'string' ? shownText(this, name, value) : value;
      }),
    );
  } catch {
    return body.replaceAll(dataUrl, (_, type: string, base64: string) => fileNote(type, base64));
  }
}

/** @param holder the object or array of which it is a part */
function shownText(holder: unknown, name: string, text: string): string {
  if (secretField.test(name)) return maskSign;
  if ((fileFields.has(name) || Array.isArray(holder)) && onlyBase64.test(text)) return fileNote(typeIn(holder), text);
  return text.includes(';base64,')
    ? text.replaceAll(dataUrl, (_, type: string, base64: string) => fileNote(type, base64))
    : text;
}

/** The type of a file, as providers name it beside the content. */
function typeIn(holder: unknown): string {
  const { media_type, mimeType, mime_type, format } = holder as Record<string, unknown>;
  const type = media_type ?? mimeType ?? mime_type ?? format;
  return typeof type === 'string' ? type : 'file';
}

function fileNote(type: string, base64: string): string {
  return `[${type}, ${Math.floor((base64.replace(/=+$/, '').length * 3) / 4)} bytes]`;
}
