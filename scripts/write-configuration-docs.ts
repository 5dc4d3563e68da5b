import { writeFileSync } from 'node:fs';
import {
  type ConfigField,
  configFields,
  describeSetting,
  environmentName,
  fileKey,
} from '../server/src/config/config.ts';

/** Where the generated page is. */
export const configurationDocsFile = new URL('../docs/configuration.md', import.meta.url);

/** The page that lists every setting, made from the schema that checks them. */
export function configurationDocs(): string {
  return `# Configuration

<!-- Made by scripts/write-configuration-docs.ts from server/src/config/config.ts; do not edit. -->

Settings come from the environment and from an optional file, \`parley.yaml\` in the working directory or wherever
\`PARLEY_CONFIG_FILE\` points. The environment wins over the file, the file over the default. An empty value counts as
not set. A variable that begins with \`PARLEY_\`, a key of the file or a value that is not known stops the start, with one
line for each fault; \`PARLEY_API_KEY\` may be set, since the [command line](command-line.md) reads it. In the environment
a list is separated by commas; in the file it is a YAML list. Relative paths start from the working directory.
\`./parley config check\` tells the faults, \`./parley config show\` what holds and where it came from.

| variable | key in the file | value | default | what it is for |
|---|---|---|---|---|
${configFields.map(row).join('\n')}

A file with two of them:

\`\`\`yaml
host: 0.0.0.0
trusted_proxies: [loopback, 10.0.0.0/8]
\`\`\`
`;
}

function row(field: ConfigField): string {
  const { expects, default: defaultValue, description } = describeSetting(field);
  const values = Array.isArray(defaultValue) ? defaultValue : [defaultValue];
  const shownDefault =
    values.map((value) => (value === null || value === '' ? 'none' : `\`${value}\``)).join(', ') || 'none';
  return `| \`${environmentName(field)}\` | \`${fileKey(field)}\` | ${expects} | ${shownDefault} | ${description} |`;
}

if (import.meta.main) writeFileSync(configurationDocsFile, configurationDocs());
