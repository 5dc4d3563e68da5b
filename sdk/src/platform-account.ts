import type { I18nText } from './i18n-text.ts';

/** The public face of a bot's account on its platform. */
export interface AccountProfile {
  /** Handle or display name, as the platform writes it. */
  name: string;
  /** A web page that opens a chat with the bot: `https`. */
  url?: string;
}

/** The bot's account on its platform. */
export interface PlatformAccount {
  /** Its own id there, as {@link PlatformAdapter.accountId} tells it; empty in a test that cannot ask for it. */
  id: string;
  /** Display name; null if none. */
  name: string | null;
}

/** The account that a bot is, or was, connected with. */
export interface BotAccount {
  /** As {@link PlatformAdapter.accountId}. */
  id: string;
  profile: AccountProfile | null;
}

/** A statement of a connection test about the configuration or the account. */
export interface TestFinding {
  level: 'error' | 'warning';
  /** The field of the configuration that it is about. */
  field?: string;
  /** What is wrong, and what to do. */
  text: I18nText;
}

/** Result of a connection test. */
export interface PlatformTest extends PlatformAccount {
  /** Such as missing permissions. Default: none. */
  findings?: readonly TestFinding[];
}
