import { ParleyError, problemError } from '@parley/sdk';
import { fingerprint, randomToken } from '../../../lib/token.ts';
import {
  type Authenticator,
  type Principal,
  principalName,
  type RequiredAccess,
  refusalOf,
} from '../../accounts/authenticator.ts';
import type { PluginService } from '../plugin-service.ts';
import { type PageSources, shownPage } from './shown-page.ts';

/** Who looks at a page. */
export interface PageViewer {
  principal: Principal;
  /** What a viewer must be allowed to do, for as long as the page is looked at. */
  required: RequiredAccess;
}

export interface PageFramesOptions extends PageSources {
  plugins: Pick<PluginService, 'get' | 'file'>;
  authenticator: Pick<Authenticator, 'current'>;
  /** Milliseconds since 1970. */
  now?: () => number;
}

interface OpenFrame extends PageViewer {
  plugin: string;
  page: string;
  /** Of the version that the frame was opened with. */
  digest: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** A frame that a page may be loaded into. */
export interface OpenedFrame {
  /** Its files are found under it: anyone who has it can read them, and nothing else. */
  token: string;
  /** Of the HTML file, relative to its folder. */
  file: string;
  /** ISO 8601 UTC. */
  expires_at: string;
}

const tokenBits = 256;
/** How long the files of a frame can be loaded, milliseconds. */
const lifetimeMs = 60 * 60_000;
/** Most frames of a caller; the oldest gives way. */
const mostFrames = 32;

/**
 * Gives the files of pages to frames, which send no credential: the token in their address stands for one page, of one
 * version of the plugin, shown to one session.
 */
export class PageFrames {
  readonly #options: PageFramesOptions;
  readonly #now: () => number;
  /** By the fingerprint of the token, oldest first. */
  readonly #frames = new Map<string, OpenFrame>();

  constructor(options: PageFramesOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** @throws as {@link shownPage} */
  open(plugin: string, page: string, viewer: PageViewer): OpenedFrame {
    const shown = shownPage(this.#options, plugin, page);
    this.#removeOld(principalName(viewer.principal));
    const token = randomToken(tokenBits);
    const expiresAt = this.#now() + lifetimeMs;
    const { digest } = shown.plugin.installed;
    this.#frames.set(fingerprint(token), { ...viewer, plugin, page, digest, expiresAt });
    return {
      token,
      file: shown.path.slice(folderOf(shown.path).length),
      expires_at: new Date(expiresAt).toISOString(),
    };
  }

  /**
   * @param path relative to the folder of the page
   * @throws ParleyError `not_found` when there is no such file, and when the token is unknown or has ended: with the
   *   sign-in of its viewer, with the version of the plugin, or when the plugin may not run; `plugin_files_changed`
   */
  async file(token: string, path: string): Promise<Buffer> {
    const key = fingerprint(token);
    const frame = this.#frames.get(key);
    const page = frame === undefined ? null : await this.#pageOf(frame);
    if (frame === undefined || page === null) {
      this.#frames.delete(key);
      throw problemError('plugin_file_not_found');
    }
    // Manifests have no paths that lead out of a folder, and only what they list is read.
    return this.#options.plugins.file(frame.plugin, folderOf(page) + path);
  }

  /** The HTML file of a frame; null when it has ended. */
  async #pageOf({ plugin, page, digest, expiresAt, principal, required }: OpenFrame): Promise<string | null> {
    if (expiresAt <= this.#now()) return null;
    if (refusalOf(await this.#options.authenticator.current(principal), required) !== null) return null;
    try {
      const shown = shownPage(this.#options, plugin, page);
      return shown.plugin.installed.digest === digest ? shown.path : null;
    } catch (error) {
      if (error instanceof ParleyError) return null;
      throw error;
    }
  }

  #removeOld(viewer: string): void {
    const own: string[] = [];
    for (const [key, { principal, expiresAt }] of this.#frames) {
      if (expiresAt <= this.#now()) this.#frames.delete(key);
      else if (principalName(principal) === viewer) own.push(key);
    }
    for (const key of own.slice(0, Math.max(0, own.length - mostFrames + 1))) this.#frames.delete(key);
  }
}

/** With the slash at its end. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
