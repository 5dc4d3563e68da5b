/** A property of iCalendar (RFC 5545): `DTSTART;TZID=Europe/Paris:20260301T100000`. */
interface Property {
  name: string;
  parameters: string;
  value: string;
}

export interface CalendarEvent {
  summary: string;
  /** As it is read: `2026-03-01 10:00 (Europe/Paris) to 2026-03-01 11:00 (Europe/Paris)`. */
  time: string;
  location: string;
  description: string;
}

export interface Calendar {
  name: string | null;
  events: CalendarEvent[];
}

/** @throws Error when it is no calendar */
export function readCalendar(text: string): Calendar {
  // A line that begins with a space goes on with the one before.
  const lines = text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/);
  const properties = lines.flatMap((line) => propertyOf(line) ?? []);
  const [first] = properties;
  if (first?.name !== 'BEGIN' || first.value !== 'VCALENDAR') throw new Error('The file is no calendar.');
  const events: CalendarEvent[] = [];
  let event: Map<string, Property> | null = null;
  /** Parts of an event, such as alarms, have properties of the same names. */
  let depth = 0;
  for (const property of properties) {
    const { name, value } = property;
    if (name === 'BEGIN' && value === 'VEVENT') event = new Map();
    else if (name === 'BEGIN') depth += 1;
    else if (name === 'END' && value === 'VEVENT' && event !== null) {
      events.push(eventOf(event));
      event = null;
    } else if (name === 'END') depth -= 1;
    else if (depth === 1 && event !== null && !event.has(name)) event.set(name, property);
  }
  const title = properties.find(({ name }) => name === 'X-WR-CALNAME');
  return { name: title === undefined ? null : plain(title.value), events };
}

function propertyOf(line: string): Property | null {
  const [, name = '', parameters = '', value = ''] =
    /^([A-Za-z0-9-]+)((?:;[^:"]*(?:"[^"]*"[^:"]*)*)?):(.*)$/.exec(line) ?? [];
  return name === '' ? null : { name: name.toUpperCase(), parameters, value };
}

function eventOf(properties: ReadonlyMap<string, Property>): CalendarEvent {
  const textOf = (name: string) => plain(properties.get(name)?.value ?? '');
  const [start, end] = ['DTSTART', 'DTEND'].map((name) => shownTime(properties.get(name)));
  return {
    summary: textOf('SUMMARY') || 'Event',
    time: [start, end].filter((time) => time !== '').join(' to '),
    location: textOf('LOCATION'),
    description: textOf('DESCRIPTION'),
  };
}

function shownTime(property: Property | undefined): string {
  const found = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})\d{2}(Z?))?$/.exec(property?.value ?? '');
  if (found === null) return '';
  const [, year, month, day, hour, minute, utc] = found;
  const date = `${year}-${month}-${day}`;
  if (hour === undefined) return date;
  const zone = utc === 'Z' ? 'UTC' : /;TZID=([^;]+)/.exec(property?.parameters ?? '')?.[1];
  return `${date} ${hour}:${minute}${zone === undefined ? '' : ` (${zone})`}`;
}

/** Without the escapes of iCalendar. */
function plain(value: string): string {
  return value
    .replace(/\\([nN,;\\])/g, (_, escaped: string) => (escaped.toLowerCase() === 'n' ? '\n' : escaped))
    .trim();
}
