import Type from 'typebox';

interface TextOptions {
  /** The rule, as the end of the sentence "must be …". */
  expects: string;
  description: string;
  /** True for what must never be printed. */
  secret?: boolean;
}

/** A setting that is a text. */
export function text(options: TextOptions, check: (value: string) => boolean, defaultValue: string) {
  return Type.Refine(Type.String({ ...annotations(options), default: defaultValue }), check);
}

/** A text that may be missing. */
export function optionalText(options: TextOptions, check: (value: string) => boolean) {
  return Type.Union([Type.Null(), Type.Refine(Type.String(), check)], { ...annotations(options), default: null });
}

/** A list of texts. */
export function textList(options: TextOptions, check: (value: string) => boolean, defaultValue: string[] = []) {
  return Type.Array(Type.Refine(Type.String(), check), { ...annotations(options), default: defaultValue });
}

/** A whole number. */
export function integer(minimum: number, maximum: number, defaultValue: number, description: string) {
  const expects = `a whole number from ${minimum} to ${maximum}`;
  return Type.Integer({ minimum, maximum, default: defaultValue, description, 'x-expects': expects });
}

/** What is documented of a setting. */
export function annotations({ expects, description, secret = false }: TextOptions) {
  return { description, 'x-expects': expects, 'x-secret': secret };
}
