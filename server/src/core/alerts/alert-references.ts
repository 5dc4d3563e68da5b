import type { MissingReference, StoredAlertRule } from './alert-rule.ts';

/** Tells which records exist. */
export interface ReferenceReader {
  bots: () => Promise<ReadonlySet<string>>;
  targets: () => Promise<ReadonlySet<string>>;
  existing: (of: 'pipelines' | 'knowledge_bases', uuids: readonly string[]) => Promise<ReadonlySet<string>>;
}

/** What rules refer to that was deleted, by the rule. */
export async function missingReferences(
  rules: readonly StoredAlertRule[],
  reader: ReferenceReader,
): Promise<Map<string, MissingReference[]>> {
  const wanted = (field: 'pipeline_uuid' | 'knowledge_base_uuid') =>
    rules.flatMap(({ parameters }) => parameters[field] ?? []);
  const [bots, targets, pipelines, bases] = await Promise.all([
    reader.bots(),
    reader.targets(),
    reader.existing('pipelines', wanted('pipeline_uuid')),
    reader.existing('knowledge_bases', wanted('knowledge_base_uuid')),
  ]);
  const isGone = (uuid: string | null | undefined, known: ReadonlySet<string>) => uuid != null && !known.has(uuid);
  return new Map(
    rules.map(({ uuid, parameters, targets: notified }) => {
      const missing: MissingReference[] = [];
      if (isGone(parameters.bot_uuid, bots)) missing.push('bot');
      if (isGone(parameters.pipeline_uuid, pipelines)) missing.push('pipeline');
      if (isGone(parameters.knowledge_base_uuid, bases)) missing.push('knowledge_base');
      if (notified.some((target) => !targets.has(target))) missing.push('target');
      return [uuid, missing];
    }),
  );
}
