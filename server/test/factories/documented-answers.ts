import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';

// The package is CommonJS: what `import` gives is its exports object.
const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default;

interface Operation {
  responses: Record<string, { content?: Record<string, unknown> }>;
}

interface Description {
  paths: Record<string, Record<string, Operation>>;
}

const file = join(import.meta.dirname, '..', '..', '..', 'docs', 'openapi.json');
const description = closeObjects(JSON.parse(readFileSync(file, 'utf8'))) as Description;
const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  validateSchema: false,
});
addFormats(ajv);
ajv.addSchema(description, 'description');

/** Statuses that every operation may return; the description lists only its own. */
const everywhere = ['400', '403', '404', '405', '413', '414', '415', '503'];

const templates = Object.keys(description.paths)
  .map((path) => ({
    path,
    pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`),
  }))
  // A literal segment goes before a parameter.
  .sort((left, right) => left.path.split('{').length - right.path.split('{').length);

const validators = new Map<string, ValidateFunction>();

/**
 * Compares an answer with what `docs/openapi.json` says about the operation. Fields that are not described are faults.
 * Paths and methods that are not described are not looked at.
 * @param url path and query
 * @returns the errors, empty if there are none
 */
export function documentedFaults(method: string, url: string, status: number, body: unknown): string[] {
  const path = url.split('?')[0] ?? '';
  const template = templates.find(({ pattern }) => pattern.test(path))?.path;
  const operation = template === undefined ? undefined : description.paths[template]?.[method.toLowerCase()];
  if (template === undefined || operation === undefined) return [];
  const content = operation.responses[String(status)]?.content;
  // A picture, say.
  if (content !== undefined && !('application/json' in content)) return [];
  const name = `${method} ${template} -> ${status}`;
  const pointer = pointerTo(template, method, operation, String(status));
  if (pointer === null) return [`${name} is not described`];
  let validate = validators.get(pointer);
  if (validate === undefined) {
    validate = ajv.compile({ $ref: `description#${pointer}` });
    validators.set(pointer, validate);
  }
  if (validate(body)) return [];
  return (validate.errors ?? []).map(
    (error) => `${name}: body${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
  );
}

function pointerTo(template: string, method: string, operation: Operation, status: string): string | null {
  if (operation.responses[status] !== undefined) {
    const steps = [
      'paths',
      template,
      method.toLowerCase(),
      'responses',
      status,
      'content',
      'application/json',
      'schema',
    ];
    return steps.map((step) => `/${encodeURIComponent(step.replace(/~/g, '~0').replace(/\//g, '~1'))}`).join('');
  }
  return everywhere.includes(status) ? '/components/schemas/ErrorResponse' : null;
}

/** Objects that do not say otherwise hold nothing but their described fields. */
function closeObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closeObjects);
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, child]) => [key, closeObjects(child)]));
  if (inner.type === 'object' && typeof inner.properties === 'object' && inner.additionalProperties === undefined) {
    inner.additionalProperties = false;
  }
  return inner;
}
