import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { ParleyError, problemError } from '@parley/sdk';
import { present } from '../../../lib/clock.ts';
import { type Authenticator, type RequiredAccess, refusalOf } from '../../accounts/authenticator.ts';
import type { PluginService } from '../plugin-service.ts';
import { type PageSources, shownPage } from './shown-page.ts';

/** Who may look at a page: it may show and change all that its plugin stores, of any user. Keys have no page in front of them. */
export const pageAccess = { credential: 'user', scope: 'admin', role: 'admin' } as const satisfies RequiredAccess;

export interface PageFramesOptions extends PageSources {
  plugins: Pick<PluginService, 'get' | 'file'>;
  authenticator: Pick<Authenticator, 'bySession'>;
  /** Of the signatures. */
  key: Buffer;
}

/** What a token stands for. */
interface Frame {
  /** Uuid of the session of the viewer. */
  session: string;
  /** Milliseconds since 1970, whole seconds. */
  expiresAt: number;
  /** See {@link markOf}. */
  mark: Buffer;
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

/*
 * A token is the base64url form of: version (1 byte), session (16), expiry in seconds (6), mark of the page (32), HMAC-SHA-256 of
 * these (32). Every replica can read it.
 */
const version = 1;
const contentLength = 55;
const tokenShape = /^[A-Za-z0-9_-]{116}$/;
/** How long the files of a frame can be loaded, milliseconds. */
const lifetimeMs = 60 * 60_000;

/**
 * Gives the files of pages to frames, which send no credential: the token in their address stands for one page, of one
 * version of the plugin, shown to one session.
 */
export class PageFrames {
  readonly #options: PageFramesOptions;

  constructor(options: PageFramesOptions) {
    this.#options = options;
  }

  /**
   * @param session of the viewer
   * @throws as {@link shownPage}
   */
  open(plugin: string, page: string, session: string): OpenedFrame {
    const shown = shownPage(this.#options, plugin, page);
    const expiresAt = Math.ceil((present() + lifetimeMs) / 1000) * 1000;
    const mark = markOf(shown.plugin.installed.digest, plugin, page);
    return {
      token: this.#signed({ session, expiresAt, mark }),
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
    const frame = this.#read(token);
    const page = frame === null ? null : await this.#pageOf(frame);
    if (page === null) throw problemError('plugin_file_not_found');
    // Manifests have no paths that lead out of a folder, and only what they list is read.
    return this.#options.plugins.file(page.plugin, folderOf(page.path) + path);
  }

  /** The plugin and the HTML file of a frame; null when it has ended. */
  async #pageOf({ session, expiresAt, mark }: Frame): Promise<{ plugin: string; path: string } | null> {
    if (expiresAt <= present()) return null;
    if (refusalOf(await this.#options.authenticator.bySession(session), pageAccess) !== null) return null;
    for (const { id, manifest } of this.#options.active.list()) {
      for (const { name } of manifest.contributes.pages ?? []) {
        const found = this.#shown(id, name, mark);
        if (found !== null) return found;
      }
    }
    return null;
  }

  #shown(plugin: string, page: string, mark: Buffer): { plugin: string; path: string } | null {
    try {
      const shown = shownPage(this.#options, plugin, page);
      const isMeant = markOf(shown.plugin.installed.digest, plugin, page).equals(mark);
      return isMeant ? { plugin, path: shown.path } : null;
    } catch (error) {
      if (error instanceof ParleyError) return null;
      throw error;
    }
  }

  #signed({ session, expiresAt, mark }: Frame): string {
    const content = Buffer.alloc(contentLength);
    content.writeUInt8(version, 0);
    content.write(session.replaceAll('-', ''), 1, 'hex');
    content.writeUIntBE(expiresAt / 1000, 17, 6);
    mark.copy(content, 23);
    return Buffer.concat([content, this.#signature(content)]).toString('base64url');
  }

  /** Null for a token that was not signed here; it may have expired. */
  #read(token: string): Frame | null {
    if (!tokenShape.test(token)) return null;
    const bytes = Buffer.from(token, 'base64url');
    const content = bytes.subarray(0, contentLength);
    if (!timingSafeEqual(bytes.subarray(contentLength), this.#signature(content))) return null;
    if (content.readUInt8(0) !== version) return null;
    const hex = content.toString('hex', 1, 17);
    return {
      session: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
      expiresAt: content.readUIntBE(17, 6) * 1000,
      mark: content.subarray(23),
    };
  }

  #signature(content: Uint8Array): Buffer {
    return createHmac('sha256', this.#options.key).update(content).digest();
  }
}

/** Stands for a page of one version of a plugin. */
function markOf(digest: string, plugin: string, page: string): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([digest, plugin, page]))
    .digest();
}

/** With the slash at its end. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
