import { type ErrorDetail, invalidFields } from '@parley/sdk';
import Type, { type Static } from 'typebox';

/** Most rules of a bot. */
export const maximumRoutingRules = 100;

const Ids = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 512 }), { minItems: 1, maxItems: 200, description });
const TimeOfDay = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' });

/** When messages go through another pipeline than the one that their bot is bound to. */
export const PipelineRoutingRule = Type.Object(
  {
    pipeline_uuid: Type.String({ maxLength: 255, description: 'The pipeline that messages go through.' }),
    persons: Type.Optional(Ids('Ids of users; one of them wrote the message, in a direct chat or a group.')),
    groups: Type.Optional(Ids('Ids of groups; the message was written in one of them.')),
    keywords: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
        minItems: 1,
        maxItems: 100,
        description: 'One of them is in the first 20,000 characters of the text, in capitals or not.',
      }),
    ),
    mentioned: Type.Optional(Type.Boolean({ description: 'Whether the message mentions the bot.' })),
    time: Type.Optional(
      Type.Object(
        {
          from: TimeOfDay,
          to: TimeOfDay,
          days: Type.Optional(
            Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
              minItems: 1,
              uniqueItems: true,
              description: 'Start days of the time range, 1 for Monday. Every day when omitted.',
            }),
          ),
          time_zone: Type.Optional(Type.String({ maxLength: 64, description: 'Such as `Europe/Berlin`; else UTC.' })),
        },
        {
          additionalProperties: false,
          description:
            'The message arrives from the first time on and before the second one, which is on the next day when it is ' +
            'not later: `22:00` to `06:00` is a night, `00:00` to `00:00` a day.',
        },
      ),
    ),
  },
  {
    title: 'PipelineRoutingRule',
    additionalProperties: false,
    description: 'Matches when all of its conditions match; at least one condition is required.',
  },
);
export type PipelineRoutingRule = Static<typeof PipelineRoutingRule>;

const conditions = ['persons', 'groups', 'keywords', 'mentioned', 'time'] as const;

/**
 * Prepares rules for storage. They have passed the schema.
 * @throws ParleyError `invalid_request` with the path of each error
 */
export function acceptRoutingRules(rules: readonly PipelineRoutingRule[]): PipelineRoutingRule[] {
  const faults: ErrorDetail[] = [];
  for (const [index, rule] of rules.entries()) {
    const path = routingRulePath(index);
    if (conditions.every((name) => rule[name] === undefined)) {
      faults.push({ path, message: `needs at least one of ${conditions.join(', ')}`, rule: 'condition' });
    }
    const zone = rule.time?.time_zone;
    if (zone !== undefined && !isTimeZone(zone)) {
      const message = 'is not the name of a time zone, such as Europe/Berlin';
      faults.push({ path: `${path}.time.time_zone`, message, rule: 'timeZone' });
    }
  }
  if (faults.length > 0) throw invalidFields(faults);
  return rules.map((rule) => ({ ...rule, pipeline_uuid: rule.pipeline_uuid.toLowerCase() }));
}

/** The path of a rule in a bot. */
export function routingRulePath(index: number): string {
  return `pipeline_routing_rules[${index}]`;
}

function isTimeZone(name: string): boolean {
  // An offset would be taken as well, and would be wrong for half of the year.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    // A full timestamp would bring its own zone.
    return Temporal.Now.zonedDateTimeISO(name).timeZoneId.toLowerCase() === name.toLowerCase();
  } catch {
    return false;
  }
}
