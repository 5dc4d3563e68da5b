import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

interface ConfigFile {
  path: string;
  /** How the file is named in messages. */
  label: string;
  /** Whether it is a fault that the file is not there. */
  required: boolean;
}

/** The top-level keys of a YAML file. Errors are added to `faults`, and the result is empty then. */
export function readConfigFile({ path, label, required }: ConfigFile, faults: string[]): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') faults.push(`${label} cannot be read (${code})`);
    else if (required) faults.push(`${label} is not there; PARLEY_CONFIG_FILE names it`);
    return {};
  }
  // Loaded here and not at the top: most installations have no file, and the parser costs 30 ms and 10 MB.
  const { parseDocument } = createRequire(import.meta.url)('yaml') as typeof import('yaml');
  const document = parseDocument(text);
  if (document.errors.length > 0) {
    for (const { code, linePos } of document.errors) {
      // The parser's own message quotes the line, which may contain a secret.
      faults.push(`${label}: line ${linePos?.[0].line ?? 1} is not valid YAML (${code.toLowerCase()})`);
    }
    return {};
  }
  let content: unknown;
  try {
    content = document.toJS();
  } catch {
    faults.push(`${label} repeats itself through too many aliases`);
    return {};
  }
  if (content === null || content === undefined) return {};
  if (typeof content !== 'object' || Array.isArray(content)) {
    faults.push(`${label} must hold settings as "key: value" lines`);
    return {};
  }
  return content as Record<string, unknown>;
}
