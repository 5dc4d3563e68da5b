/** A unit: a value in the base unit of its kind is `value * factor + offset`. */
interface Unit {
  kind: 'length' | 'mass' | 'temperature';
  factor: number;
  offset?: number;
}

const units: Readonly<Record<string, Unit>> = {
  mm: { kind: 'length', factor: 0.001 },
  cm: { kind: 'length', factor: 0.01 },
  m: { kind: 'length', factor: 1 },
  km: { kind: 'length', factor: 1000 },
  in: { kind: 'length', factor: 0.0254 },
  ft: { kind: 'length', factor: 0.3048 },
  mi: { kind: 'length', factor: 1609.344 },
  g: { kind: 'mass', factor: 0.001 },
  kg: { kind: 'mass', factor: 1 },
  oz: { kind: 'mass', factor: 0.028349523125 },
  lb: { kind: 'mass', factor: 0.45359237 },
  c: { kind: 'temperature', factor: 1, offset: 273.15 },
  f: { kind: 'temperature', factor: 5 / 9, offset: 459.67 * (5 / 9) },
  k: { kind: 'temperature', factor: 1 },
};

export const unitNames = Object.keys(units);

/** @throws Error with a message for the user */
export function convert(value: number, from: string, to: string, digits: number): string {
  const [source, target] = [unitOf(from), unitOf(to)];
  if (source.kind !== target.kind) throw new Error(`${from} is a ${source.kind} and ${to} a ${target.kind}.`);
  const base = value * source.factor + (source.offset ?? 0);
  const result = (base - (target.offset ?? 0)) / target.factor;
  return `${value} ${from} = ${Number(result.toPrecision(digits))} ${to}`;
}

function unitOf(name: string): Unit {
  const unit = Object.hasOwn(units, name) ? units[name] : undefined;
  if (unit === undefined) throw new Error(`There is no unit ${name}. Units are ${unitNames.join(', ')}.`);
  return unit;
}
