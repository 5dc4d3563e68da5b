import { type ErrorDetail, invalidFields } from '@parley/sdk';
import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { highestPrice, longestModelName, type SetModelPrice } from './model-price.ts';

const mostErrors = 100;
const tokensOfPrice = 1_000_000;

/** A price list as it was found: prices by name of the model. */
export interface PriceFile {
  prices: ReadonlyMap<string, SetModelPrice>;
  /** Models without a price per token, such as those of images. */
  skipped: number;
}

interface Entry {
  /** Place in the file, for errors. */
  path: string;
  name: unknown;
  input: unknown;
  output: unknown;
}

/**
 * Reads a price list: JSON as `GET /api/v1/provider/model-prices` returns it, JSON of models with
 * `input_cost_per_token` and `output_cost_per_token`, or CSV with the columns `model_name`, `input_price` and
 * `output_price`. Of two prices of a model, the later one counts.
 * @see https://docs.litellm.ai/docs/completion/token_usage for the second one
 * @throws ParleyError `invalid_request` with each invalid entry, at most 100
 */
export function readPriceFile(text: string): PriceFile {
  const isJson = /^\s*[[{]/.test(text);
  const entries = isJson ? jsonEntries(text) : csvEntries(text);
  const prices = new Map<string, SetModelPrice>();
  const faults: ErrorDetail[] = [];
  let skipped = 0;
  for (const { path, name, input, output } of entries) {
    const model_name = typeof name === 'string' ? name.trim().toLowerCase() : '';
    if (isNothing(input) && isNothing(output)) {
      skipped += 1;
      continue;
    }
    const price = { input_price: priceOf(input), output_price: priceOf(output) };
    if (model_name === '' || model_name.length > longestModelName) {
      faults.push({ path, message: `needs a model name of 1 to ${longestModelName} characters`, rule: 'required' });
    } else if (!isPrice(price.input_price) || !isPrice(price.output_price)) {
      const message = `needs prices from 0 to ${highestPrice}`;
      faults.push({ path, message, rule: 'price', limit: highestPrice });
    } else prices.set(model_name, price);
    if (faults.length === mostErrors) break;
  }
  if (faults.length > 0) throw invalidFields(faults);
  if (prices.size === 0) throw unreadable('contains no prices');
  return { prices, skipped };
}

function jsonEntries(text: string): Entry[] {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw unreadable('is not valid JSON');
  }
  const { data, model_prices = (data as { model_prices?: unknown } | undefined)?.model_prices } = content as {
    data?: unknown;
    model_prices?: unknown;
  };
  const list = Array.isArray(content) ? content : model_prices;
  if (Array.isArray(list)) {
    return list.map((one: Record<string, unknown> | null, index) => ({
      path: `file[${index}]`,
      name: one?.model_name,
      input: one?.input_price,
      output: one?.output_price,
    }));
  }
  return Object.entries(content as Record<string, Record<string, unknown> | null>)
    .filter(([name]) => name !== 'sample_spec')
    .map(([name, one]) => ({
      path: `file.${name.slice(0, 100)}`,
      name,
      input: perToken(one?.input_cost_per_token),
      output: perToken(one?.output_cost_per_token),
    }));
}

function perToken(price: unknown): unknown {
  // Products such as 0.00000015 * 1,000,000 are a little off.
  return typeof price === 'number' ? Number((price * tokensOfPrice).toPrecision(12)) : price;
}

function csvEntries(text: string): Entry[] {
  try {
    const rows = parse(text, {
      bom: true,
      columns: (names: string[]) => names.map((name) => name.trim().toLowerCase()),
      delimiter: [',', ';', '\t'],
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      max_record_size: 10_000,
    }) as Record<string, string>[];
    const columns = Object.keys(rows[0] ?? {});
    const missing = ['model_name', 'input_price', 'output_price'].filter((name) => !columns.includes(name));
    if (missing.length > 0) throw unreadable(`has no column ${missing.join(', ')}`);
    return rows.map((row, index) => ({
      // The first line has the names.
      path: `file[${index}]`,
      name: row.model_name,
      input: row.input_price,
      output: row.output_price,
    }));
  } catch (error) {
    if (error instanceof CsvError) throw unreadable('is neither CSV nor JSON');
    throw error;
  }
}

function isNothing(price: unknown): boolean {
  return price === undefined || price === null || price === '';
}

/** A price that is not given is 0: embedding models write nothing. */
function priceOf(price: unknown): number {
  if (isNothing(price)) return 0;
  if (typeof price === 'number') return price;
  return typeof price === 'string' && /^(\d+\.?\d*|\.\d+)$/.test(price) ? Number(price) : Number.NaN;
}

function isPrice(price: number): boolean {
  return price >= 0 && price <= highestPrice;
}

function unreadable(message: string) {
  return invalidFields([{ path: 'file', message, rule: 'priceFile' }]);
}
