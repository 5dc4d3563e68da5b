import type { I18nText } from './i18n-text.ts';
import type { PlatformAccount } from './platform-account.ts';

/** The offer to sign in. */
export interface LoginDescription {
  label: I18nText;
  description: I18nText;
}

/** State of a sign-in. */
export type LoginStep =
  /** A link to open, or to scan as a QR code. */
  | { state: 'waiting'; url: string; expires_at: string }
  /** Scanned, not yet confirmed. */
  | { state: 'confirming' }
  /** Fields of the configuration, with secrets. */
  | { state: 'done'; config: Record<string, unknown>; account: PlatformAccount | null }
  | { state: 'expired' }
  | { state: 'refused'; message: string };
