import { type RangeSearch, rangeSearch } from '../../components/time-range/time-range.ts';
import { matching, oneOf } from '../../lib/search-parameters.ts';

export const messageTabs = ['messages', 'conversations', 'errors', 'feedback'] as const;
export const directions = ['inbound', 'outbound'] as const;
export const sessionTypes = ['person', 'group'] as const;
export const messageStates = [
  'received',
  'processing',
  'answered',
  'stopped',
  'failed',
  'uncertain',
  'writing',
  'finished',
] as const;
export const opinions = ['like', 'dislike'] as const;

/** The view, in the URL. */
export interface MessagesSearch extends RangeSearch {
  tab?: (typeof messageTabs)[number];
  bot?: string;
  pipeline?: string;
  text?: string;
  state?: (typeof messageStates)[number];
  /** `answered`, or a reason. */
  reason?: string;
  direction?: (typeof directions)[number];
  type?: (typeof sessionTypes)[number];
  /** Id of the sender on the platform. */
  person?: string;
  /** For feedback: only likes, or only dislikes. */
  opinion?: (typeof opinions)[number];
  /** For tables, from 2. */
  page?: number;
}

/** Filters of the message list; tables have fewer. */
export const messageFilters = ['bot', 'pipeline', 'text', 'state', 'reason', 'direction', 'type', 'person'] as const;

/** Identifies the filters of the message list. */
export function filtersKey({ tab: _, page: __, opinion: ___, ...filters }: MessagesSearch): string {
  return JSON.stringify(filters);
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Parses the URL; invalid values are ignored. */
export function messagesSearch(given: Record<string, unknown>): MessagesSearch {
  const page = Number(given.page);
  return {
    ...oneOf({ tab: given.tab }, messageTabs),
    ...matching({ bot: given.bot }, uuid),
    ...matching({ pipeline: given.pipeline }, uuid),
    ...matching({ text: given.text }, /^.{1,200}$/su),
    ...oneOf({ state: given.state }, messageStates),
    ...matching({ reason: given.reason }, /^[a-z_]{1,64}$/),
    ...oneOf({ direction: given.direction }, directions),
    ...oneOf({ type: given.type }, sessionTypes),
    ...matching({ person: given.person }, /^.{1,255}$/su),
    ...oneOf({ opinion: given.opinion }, opinions),
    ...rangeSearch(given),
    ...(Number.isSafeInteger(page) && page > 1 && page <= 1_000_000 && { page }),
  };
}
