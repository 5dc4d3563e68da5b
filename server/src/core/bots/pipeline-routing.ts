import type { SessionType } from '@parley/sdk';
import type { PipelineRoutingRule } from './pipeline-routing-rule.ts';

/** What of a message decides which pipeline it goes through. */
export interface RoutedMessage {
  session_type: SessionType;
  session_id: string;
  sender_id: string;
  text: string;
  mentionsBot: boolean;
}

/** How much of a text is searched for keywords, UTF-16 units: rules are evaluated before a message is acknowledged. */
const searchedLength = 20_000;

/**
 * The pipeline of the first rule that holds for a message.
 * @param now milliseconds since 1970
 * @returns null when none holds
 */
export function routedPipeline(
  rules: readonly PipelineRoutingRule[],
  message: RoutedMessage,
  now: number,
): string | null {
  let folded: string | undefined;
  const text = () => {
    folded ??= fold(message.text.slice(0, searchedLength));
    return folded;
  };
  return rules.find((rule) => holds(rule, message, text, now))?.pipeline_uuid ?? null;
}

function holds(
  { persons, groups, keywords, mentioned, time }: PipelineRoutingRule,
  message: RoutedMessage,
  text: () => string,
  now: number,
): boolean {
  return (
    (persons === undefined || persons.includes(message.sender_id)) &&
    (groups === undefined || (message.session_type === 'group' && groups.includes(message.session_id))) &&
    (mentioned === undefined || mentioned === message.mentionsBot) &&
    (keywords === undefined || keywords.some((keyword) => text().includes(fold(keyword)))) &&
    (time === undefined || isWithin(time, now))
  );
}

/** Lower case alone has two forms of one Greek letter, upper case alone two of one German letter. */
function fold(text: string): string {
  return text.toLowerCase().toUpperCase();
}

function isWithin(
  { from, to, days, time_zone = 'UTC' }: NonNullable<PipelineRoutingRule['time']>,
  now: number,
): boolean {
  const local = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(time_zone);
  const time = local.toPlainTime().toString({ smallestUnit: 'minute' });
  const today = local.toPlainDate();
  if (from < to) return from <= time && time < to && isOn(today, days);
  // It started on this day, or on the day before and continues.
  return (from <= time && isOn(today, days)) || (time < to && isOn(today.subtract({ days: 1 }), days));
}

function isOn({ dayOfWeek }: Temporal.PlainDate, days: readonly number[] | undefined): boolean {
  return days === undefined || days.includes(dayOfWeek);
}
