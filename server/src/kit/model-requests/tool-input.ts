/** Arguments of a tool call as a model wrote them. */
export interface ToolInput {
  /** What the text says; the text itself if it is not valid JSON. */
  value: unknown;
  isValid: boolean;
}

/** Whether a text may name a prototype, also with characters written as escapes. */
const suspicious = /__proto__|constructor|\\u/;

/** Reads the arguments of a tool call. Some models write nothing for none. */
export function parseToolInput(text: string, isKnownTool: boolean): ToolInput {
  if (isKnownTool && text.trim() === '') return { value: {}, isValid: true };
  try {
    return { value: JSON.parse(text, suspicious.test(text) ? refusePrototype : undefined), isValid: isKnownTool };
  } catch {
    return { value: text, isValid: false };
  }
}

/** Keeps a tool from changing prototypes when it copies its arguments. */
function refusePrototype(key: string, value: unknown): unknown {
  if (key === '__proto__' || (key === 'constructor' && hasPrototype(value))) {
    throw new SyntaxError(`The field ${key} is not allowed`);
  }
  return value;
}

function hasPrototype(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');
}
