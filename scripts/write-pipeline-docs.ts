import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type FieldPresentation, type I18nText, isSecret, PipelineConfig } from '@parley/sdk';
import type { TObject, TSchema } from 'typebox';
import { formFields } from '../server/src/core/forms/form-fields.ts';
import { createRunners } from '../server/src/runners/index.ts';

/** The file of the test of each field, from the root, by the path of the field: `trigger.group-respond-rules.at`. */
export const fieldTests = JSON.parse(
  readFileSync(new URL('../docs/pipeline-fields.json', import.meta.url), 'utf8'),
) as Record<string, string>;

/** Where the generated page is. */
export const pipelineDocsFile = new URL('../docs/pipeline.md', import.meta.url);

type Described = TSchema &
  FieldPresentation & {
    type?: string;
    enum?: string[];
    items?: TSchema & { maxLength?: number };
    description?: string;
    default?: unknown;
    minimum?: number;
    maximum?: number;
    maxLength?: number;
    maxItems?: number;
  };

/** A field with its place. */
export interface PipelineField {
  path: string;
  schema: Described;
  /** The group is that of a runner which is not installed, so nothing reads the field. */
  isIdle: boolean;
}

interface Group {
  name: string;
  schema: TObject & Described;
  fields: PipelineField[];
}

const installedRunners = new Set(createRunners({ modelTimeoutMilliseconds: 1 }).map(({ name }) => name));

/** The groups of fields of a tab. */
function groupsOf(tabName: string, tab: TObject): Group[] {
  return properties(tab).map(([name, schema]) => {
    const isIdle = tabName === 'ai' && name !== 'runner' && !installedRunners.has(name);
    const group = schema as Group['schema'];
    const fields = properties(group).map(([field, described]) => ({
      path: `${tabName}.${name}.${field}`,
      schema: described,
      isIdle,
    }));
    return { name, schema: group, fields };
  });
}

/** Every field of the configuration of a pipeline, in the schema's order. */
export function allPipelineFields(): PipelineField[] {
  return properties(PipelineConfig).flatMap(([name, tab]) =>
    groupsOf(name, tab as TObject).flatMap(({ fields }) => fields),
  );
}

/** The page that tells what each field of a pipeline's configuration does, and links to its test. */
export function pipelineDocs(): string {
  return `# Configuration of a pipeline

<!-- Made by scripts/write-pipeline-docs.ts from sdk/src/pipeline-config and docs/pipeline-fields.json; do not edit. -->

A pipeline says which messages are answered, what may be said, who answers and how the answer is sent. Its configuration
is the field \`config\` of a [pipeline](openapi.json): four tabs of groups of fields. Whatever is left out has its default.
Names and defaults are those of the reference system. What became of a message on its way through all this is told by
[\`GET /api/v1/messages/{message_uuid}/explain\`](messages.md).

The last column links to the test that shows what the field does. Groups of runners that are not installed are stored as
they are, for clients that know them, and nothing reads them.

![The form of a pipeline in the console](images/pipeline.png)
${properties(PipelineConfig)
  .map(([name, tab]) => tabDocs(name, tab as TObject & Described))
  .join('')}`;
}

function tabDocs(name: string, tab: TObject & Described): string {
  const groups = groupsOf(name, tab).map((group) => groupDocs(name, group));
  return `\n## ${english(tab['x-label'])}: \`${name}\`\n\n${tab.description ?? ''}\n${groups.join('')}`;
}

function groupDocs(tab: string, { name, schema, fields }: Group): string {
  const types = new Map(formFields(schema).map((field) => [field.name, field.type]));
  const rows = fields.map((field) => {
    const fieldName = field.path.split('.').at(-1) ?? '';
    const type = types.get(fieldName) ?? `${field.schema.type}, not in forms`;
    const cells = [`\`${fieldName}\``, type, value(field.schema.default), limits(field.schema), meaning(field.schema)];
    return `| ${[...cells, testOf(field)].map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  });
  return `
### ${english(schema['x-label'])}: \`${tab}.${name}\`

${schema.description === undefined ? '' : `${schema.description}\n\n`}| field | type | default | values | meaning | test |
|---|---|---|---|---|---|
${rows.join('\n')}
`;
}

function meaning(field: Described): string {
  const label = english(field['x-label']);
  const when = field['x-show-if'];
  const only =
    when === undefined || when.field.startsWith('__')
      ? ''
      : ` Only when \`${when.field}\` is ${when.operator === 'eq' ? '' : 'not '}${value(when.value)}.`;
  return `${label}${field.description === undefined ? '' : `. ${field.description}`}${only}`;
}

/** What may be chosen, and how much. */
function limits(field: Described): string {
  const named = Object.entries(field['x-options'] ?? {}).map(([option, name]) => `\`${option}\` (${english(name)})`);
  if (field.enum !== undefined) return named.join(', ');
  const parts = named.length === 0 ? [] : [`such as ${named.join(', ')}`];
  if (field.minimum !== undefined && field.maximum !== undefined) parts.push(`${field.minimum} to ${field.maximum}`);
  if (field.maxItems !== undefined) parts.push(`at most ${field.maxItems}`);
  if (field.items?.maxLength !== undefined) parts.push(`each at most ${field.items.maxLength} characters`);
  if (field.maxLength !== undefined) parts.push(`at most ${field.maxLength} characters`);
  if (isSecret(field)) parts.push('secret: encrypted, masked when read');
  return parts.join('; ');
}

function testOf({ path, isIdle }: PipelineField): string {
  if (isIdle) return 'runner not installed';
  const file = fieldTests[path];
  return file === undefined ? '' : `[${basename(file)}](../${file})`;
}

function value(json: unknown): string {
  return `\`${JSON.stringify(json)}\``;
}

function english(text: I18nText | undefined): string {
  return text?.en_US ?? '';
}

function properties(schema: TObject): [string, Described][] {
  return Object.entries(schema.properties as Record<string, Described>);
}

if (import.meta.main) writeFileSync(pipelineDocsFile, pipelineDocs());
