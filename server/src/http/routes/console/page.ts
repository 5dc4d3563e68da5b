import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ownSources } from '../../own-sources.ts';
import { consoleSecurityPolicy } from '../../security-headers.ts';
import { pluginPagesPath } from '../plugins/page-headers.ts';
import type { RouteOptions } from '../route-services.ts';

const notBuilt = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Parley</title>
<p>The console is not built. <code>npm start</code> builds it; the API works without it.</p></html>`;

type ConsolePageOptions = Pick<RouteOptions, 'consoleDirectory' | 'basePath' | 'publicUrl'>;

/** The page of the console, which is the same under every path. */
export class ConsolePage {
  readonly #html: string;
  readonly #options: ConsolePageOptions;

  constructor(options: ConsolePageOptions) {
    const { consoleDirectory, basePath } = options;
    this.#options = options;
    this.#html = consoleDirectory === null ? notBuilt : htmlOf(consoleDirectory, basePath);
  }

  send(reply: FastifyReply): FastifyReply {
    const { basePath, publicUrl } = this.#options;
    const frames = ownSources(reply.request, publicUrl, `${basePath}${pluginPagesPath}/`);
    return reply
      .header('content-security-policy', consoleSecurityPolicy(frames))
      .type('text/html; charset=utf-8')
      .serializer(String)
      .send(this.#html);
  }
}

/**
 * Whether a browser asks for a page. Browsers name XHTML with what they accept; programs that name HTML, as some of Java
 * do, name no XHTML.
 */
export function isNavigation({ method, headers }: FastifyRequest): boolean {
  const { accept = '', upgrade } = headers;
  return (
    method === 'GET' &&
    upgrade === undefined &&
    /\btext\/html\b/.test(accept) &&
    /\bapplication\/xhtml\+xml\b/.test(accept)
  );
}

/** Parameters of the page of a bot. What platforms ask under its path has others. */
const botParameters: ReadonlySet<string> = new Set(['tab', 'level', 'session', 'adapter']);

/** Whether a browser asks for the page of a bot, whose path platforms call as well. */
export function isBotPage(request: FastifyRequest): boolean {
  return isNavigation(request) && Object.keys(request.query as object).every((name) => botParameters.has(name));
}

/** With links relative to the base path. */
function htmlOf(directory: string, basePath: string): string {
  return readFileSync(join(directory, 'index.html'), 'utf8').replace(
    /<base href="\/"\s*\/?>/,
    `<base href="${basePath}/">`,
  );
}
