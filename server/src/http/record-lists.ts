import { Readable } from 'node:stream';
import { invalidFields, ParleyError } from '@parley/sdk';
import type { FastifyRequest } from 'fastify';
import Type, { type TObject, type TProperties, type TSchema } from 'typebox';
import type { ListedRecords, NamedRecord, RecordListing } from '../core/records/record-listing.ts';
import type { Access } from './access.ts';
import { answers, Problem, success } from './envelope.ts';
import { type ErrorBody, errorAnswer } from './error-mapping.ts';
import type { TypedServer } from './routes/route-plugin.ts';

/*
 * What lists of records have in common: search, filters, order and pages as parameters of their GET; changes of many
 * records in one request; export as a file.
 */

const search = Type.Optional(
  Type.String({ minLength: 1, maxLength: 200, description: 'Part of a name; capitals do not matter.' }),
);
/** Ids in a query, at most. */
const mostIds = 100;
const ids = Type.Optional(
  Type.String({
    pattern: `^[0-9A-Za-z-]{1,36}(,[0-9A-Za-z-]{1,36}){0,${mostIds - 1}}$`,
    description: `Only records with these ids, separated by commas; at most ${mostIds}.`,
  }),
);

/** The parameters of a list. Without any of them, it answers all records. */
export function listParameters<Filters extends TProperties>(orders: readonly string[], filters: Filters) {
  return {
    ...selectionParameters(filters),
    ...orderParameters(orders),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Default: all.' })),
    offset: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'Matches before the first one.' }),
    ),
  };
}

function selectionParameters<Filters extends TProperties>(filters: Filters) {
  return { search, ids, ...filters };
}

function orderParameters(orders: readonly string[]) {
  return {
    sort_by: Type.Optional(Type.Enum([...orders], { description: 'Default: the order without parameters.' })),
    sort_order: Type.Optional(Type.Enum(['ASC', 'DESC'], { description: 'Default: ascending.' })),
  };
}

/** Of an answer with a list. */
export const total = Type.Optional(
  Type.Integer({ minimum: 0, description: 'Matches on all pages; only if a parameter of the list is given.' }),
);

interface ListQuery {
  search?: string;
  ids?: string;
  sort_by?: string;
  sort_order?: string;
  limit?: number;
  offset?: number;
}

/**
 * What a query wants; null when it has none of the parameters of a list.
 * @param filters of the list; parameters that it does not know are ignored
 */
export function listingOf<Query extends ListQuery, Filters extends TProperties>(
  query: Query,
  filters: Filters,
  idOf: (text: string) => string | number = lowerCase,
): (RecordListing & Pick<Query, keyof Filters & keyof Query>) | null {
  const wanted: Record<string, unknown> = {};
  for (const name of ['search', 'sort_by', 'limit', 'offset', ...Object.keys(filters)]) {
    const value = (query as Record<string, unknown>)[name];
    if (value !== undefined) wanted[name] = value;
  }
  if (query.ids !== undefined) wanted.ids = query.ids.split(',').map(idOf);
  if (Object.keys(wanted).length === 0) return null;
  return { ...wanted, descending: query.sort_order === 'DESC' } as RecordListing &
    Pick<Query, keyof Filters & keyof Query>;
}

/** An id that is a number; 0, which none has, for any other text. */
export function numberId(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

function lowerCase(text: string): string {
  return text.toLowerCase();
}

/** What the routes of one kind of records need for changes of many of them. */
export interface ManyRecords<Filter extends object, Action extends string, Id extends string | number> {
  /** Of the list. */
  url: string;
  access: Exclude<Access, 'open'>;
  /** Plural, for the API description. */
  name: string;
  /** Parameters of the path, when it has some. */
  params?: TObject;
  /** Its schema, and its name in requests. */
  id: TSchema;
  idOf?: (text: string) => Id;
  /** Schemas of the filters of the list. */
  filters: TProperties;
  /** Answers 503 once the service stops: the request ends between two records. */
  isServing: () => boolean;
  targets: (filter: RecordListing & Filter, request: FastifyRequest) => Promise<NamedRecord<Id>[]>;
  /** How each record is changed; resolves with whether it was. */
  actions: Record<
    Action,
    { audit: `${string}.${string}`; change: (id: Id, request: FastifyRequest) => Promise<boolean> }
  >;
}

/** Records that are changed at the same time: connecting a bot may take seconds. */
const atOnce = 8;
/** How long a request goes on with further records, milliseconds: proxies end requests that take long. */
const patience = 5000;
/** Why a record could not be changed. */
type Failure = Pick<ErrorBody, 'reason' | 'problem'> & { message: string };

/** Records that a request can name. */
const mostNamed = 1000;

/**
 * `POST <list>/bulk`: makes the same change to the records that are named, or to all that match a filter. A request that
 * would take too long ends with the id to go on after.
 */
export function bulkRoute<Filter extends object, Action extends string, Id extends string | number>(
  server: TypedServer,
  { url, access, name, params, id, filters, isServing, targets, actions }: ManyRecords<Filter, Action, Id>,
): void {
  const Body = Type.Object(
    {
      action: Type.Enum(Object.keys(actions)),
      ids: Type.Optional(Type.Array(id, { minItems: 1, maxItems: mostNamed, description: 'The records to change.' })),
      matching: Type.Optional(
        Type.Object(
          { search, ...filters },
          {
            additionalProperties: false,
            description: 'Instead of `ids`: all records that the list has for these filters.',
          },
        ),
      ),
      after: Type.Optional(Type.Union([id], { description: 'With `matching`: `next` of the previous answer.' })),
    },
    { additionalProperties: false },
  );
  const Answer = Type.Object({
    matched: Type.Integer({ minimum: 0, description: 'Records that this request was about.' }),
    changed: Type.Array(id, { description: 'Those that were changed. The others were as wanted, or failed.' }),
    failures: Type.Array(
      Type.Object({
        id,
        name: Type.String(),
        reason: Type.String(),
        message: Type.String(),
        problem: Type.Optional(Problem),
      }),
      { description: 'Those that could not be changed, and why.' },
    ),
    next: Type.Union([id, Type.Null()], { description: 'There are more: `after` of the next request.' }),
  });
  server.post(
    `${url}/bulk`,
    {
      config: { access, audit: 'each' },
      schema: {
        summary: `Change many ${name} in one request`,
        description:
          'Each record is changed as by its own route, with an entry of its own in the audit log; one that fails does not stop the others.',
        ...(params === undefined ? {} : { params }),
        body: Body,
        response: answers(Answer, 400, 401, 403, ...(params === undefined ? [] : [404])),
      },
    },
    async (request) => {
      const body = request.body as {
        action: Action;
        ids?: Id[];
        matching?: RecordListing & Filter;
        after?: Id;
      };
      const { audit, change } = actions[body.action];
      const wanted = await wantedRecords(body, (filter) => targets(filter, request));
      const done: Id[] = [];
      const failures: (NamedRecord<Id> & Failure)[] = [];
      const start = Date.now();
      let count = 0;
      while (count < wanted.length && isServing() && Date.now() - start < patience) {
        const some = wanted.slice(count, count + atOnce);
        await Promise.all(
          some.map(async (record) => {
            try {
              const isChanged = await request.recordChange(audit, String(record.id), () => change(record.id, request));
              if (isChanged) done.push(record.id);
            } catch (error) {
              const { reason, msg, problem } = errorAnswer(error, request.id).body;
              failures.push({ ...record, reason, message: msg, ...(problem === undefined ? {} : { problem }) });
            }
          }),
        );
        count += some.length;
      }
      const last = wanted[count - 1];
      // The service stops: nothing was done, so that the same request may be sent again.
      if (last === undefined && wanted.length > 0) throw new ParleyError('not_ready', 'The server is stopping');
      const next = last !== undefined && count < wanted.length ? last.id : null;
      return success({ matched: count, changed: done, failures, next }) as never;
    },
  );
}

/** For a change that fails where there is nothing to change. */
export async function changed(work: Promise<unknown>): Promise<true> {
  await work;
  return true;
}

async function wantedRecords<Id extends string | number, Filter extends object>(
  { ids: named, matching, after }: { ids?: Id[]; matching?: RecordListing & Filter; after?: Id },
  targets: (filter: RecordListing & Filter) => Promise<NamedRecord<Id>[]>,
): Promise<NamedRecord<Id>[]> {
  if ((named === undefined) === (matching === undefined)) {
    throw invalidFields([{ path: 'ids', message: 'either ids or matching is required' }]);
  }
  if (named === undefined) {
    const all = await targets(matching as RecordListing & Filter);
    return after === undefined ? all : all.filter(({ id }) => id > after);
  }
  const given = [...new Set(named.map((id) => (typeof id === 'string' ? (id.toLowerCase() as Id) : id)))].sort(byId);
  const known = new Map((await targets({ ids: given } as RecordListing & Filter)).map((record) => [record.id, record]));
  const wanted = given.map((id) => known.get(id) ?? { id, name: '' });
  return after === undefined ? wanted : wanted.filter(({ id }) => id > after);
}

function byId<Id extends string | number>(left: Id, right: Id): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** What is exported of a record: names of columns, and what they contain. Never secrets, not even masked. */
export type ExportColumns<Shown> = Record<string, (record: Shown) => string | number | boolean | null>;

interface ExportedRecords<Filter extends object, Shown>
  extends Pick<ManyRecords<Filter, never, string | number>, 'url' | 'access' | 'name' | 'params' | 'filters' | 'idOf'> {
  /** Of the file, without its extension. */
  file: string;
  orders: readonly string[];
  page: (listing: RecordListing & Filter, request: FastifyRequest) => Promise<ListedRecords<Shown>>;
  columns: ExportColumns<Shown>;
}

/** Records that are read for an export at once. */
const exportedAtOnce = 200;
const types = {
  csv: { contentType: 'text/csv; charset=utf-8', extension: 'csv' },
  json: { contentType: 'application/x-ndjson; charset=utf-8', extension: 'ndjson' },
} as const;
/** Lets spreadsheets detect the encoding. */
const byteOrderMark = '\uFEFF';

/** `GET <list>/export`: all matches as a table, in a file. */
export function exportRoute<Filter extends object, Shown>(
  server: TypedServer,
  { url, access, name, params, filters, idOf, file, orders, page, columns }: ExportedRecords<Filter, Shown>,
): void {
  const text = { schema: Type.Unsafe<never>({ type: 'string', format: 'binary' }) };
  const error = Type.Ref('ErrorResponse');
  const missing = params === undefined ? {} : { 404: error };
  server.get(
    `${url}/export`,
    {
      config: { access },
      // HEAD would read all records.
      exposeHeadRoute: false,
      schema: {
        summary: `Export ${name} as a table`,
        description: 'All matches of the filters of the list. It does not contain configurations and secrets.',
        ...(params === undefined ? {} : { params }),
        querystring: Type.Object({
          ...selectionParameters(filters),
          ...orderParameters(orders),
          format: Type.Enum(['csv', 'json'], { default: 'csv' }),
        }),
        response: {
          200: {
            description: 'CSV with a header line, in UTF-8 with a byte order mark; or JSON, one record per line.',
            content: { 'text/csv': text, 'application/x-ndjson': text },
          },
          400: error,
          401: error,
          403: error,
          ...missing,
        },
      },
    },
    async (request, reply) => {
      const { format, ...query } = request.query as ListQuery & { format: 'csv' | 'json' };
      const listing: object = { ...listingOf(query, filters, idOf) };
      const read = (offset: number) =>
        page({ ...listing, limit: exportedAtOnce, offset } as RecordListing & Filter, request);
      // Immediate errors are answered as errors, not as a file that ends early.
      const first = await read(0);
      const write = format === 'csv' ? await csvWriter(columns) : linesOf(columns);
      async function* parts() {
        if (format === 'csv') yield `${byteOrderMark}${Object.keys(columns).join(',')}\n`;
        for (let offset = 0, { records } = first; ; { records } = await read(offset)) {
          yield write(records);
          offset += records.length;
          if (records.length < exportedAtOnce) break;
        }
      }
      return reply
        .header('content-disposition', `attachment; filename="${file}.${types[format].extension}"`)
        .type(types[format].contentType)
        .send(Readable.from(parts(), { objectMode: false, highWaterMark: 65_536 }) as never);
    },
  );
}

/** Escapes cells that a spreadsheet would treat as formulas. */
async function csvWriter<Shown>(columns: ExportColumns<Shown>) {
  const { stringify } = await import('csv-stringify/sync');
  return (records: readonly Shown[]) =>
    stringify(
      records.map((record) => Object.values(columns).map((read) => read(record))),
      { record_delimiter: '\n', escape_formulas: true, quoted_match: /[\r\n]/, cast: { boolean: String } },
    );
}

function linesOf<Shown>(columns: ExportColumns<Shown>) {
  return (records: readonly Shown[]) =>
    records
      .map((record) => {
        const fields = Object.entries(columns).map(([column, read]) => [column, read(record)]);
        return `${JSON.stringify(Object.fromEntries(fields))}\n`;
      })
      .join('');
}
