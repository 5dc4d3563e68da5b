import { type ErrorDetail, invalidFields, type ParleyError, problemError } from '@parley/sdk';
import { now } from '../../lib/clock.ts';
import { storableText } from '../../lib/storable-text.ts';
import { isUuid, newUuid } from '../../lib/uuid.ts';
import { type ExpectedTags, recordTag, requireTag, type Tagged } from '../records/record-tag.ts';
import type { ExpectedPassage, GoldenQuestion } from './golden-question.ts';
import type {
  ChangedGoldenQuestion,
  GivenExpectedPassage,
  GoldenQuestionView,
  NewGoldenQuestion,
  NewGoldenQuestions,
} from './golden-question-request.ts';
import type { GoldenQuestionStore, NamedDocument } from './golden-question-store.ts';
import type { KnowledgeBaseService } from './knowledge-base-service.ts';
import type { RecordPage } from './record-page.ts';

/** Most questions of one base; all run in every evaluation. */
const maximumQuestions = 1000;

/** Questions with known answers, to evaluate knowledge bases. */
export class GoldenQuestionService {
  readonly #store: GoldenQuestionStore;
  readonly #bases: Pick<KnowledgeBaseService, 'get'>;

  constructor(store: GoldenQuestionStore, bases: Pick<KnowledgeBaseService, 'get'>) {
    this.#store = store;
    this.#bases = bases;
  }

  /** @throws ParleyError `not_found` when there is no such base */
  async list(baseUuid: string, page: RecordPage = {}): Promise<GoldenQuestionView[]> {
    const { uuid } = await this.#bases.get(baseUuid);
    return this.#shown(uuid, await this.#store.list(uuid, page));
  }

  /** @throws ParleyError `not_found` */
  async get(baseUuid: string, uuid: string): Promise<GoldenQuestionView> {
    return (await this.tagged(baseUuid, uuid)).record;
  }

  async tagged(baseUuid: string, uuid: string): Promise<Tagged<GoldenQuestionView>> {
    const base = await this.#bases.get(baseUuid);
    return this.#tagged(base.uuid, await this.#stored(base.uuid, uuid));
  }

  /**
   * Writes one or several, all or none.
   * @throws ParleyError `not_found`, `invalid_request` also for a document that is not there, `limit_reached`
   */
  async create(baseUuid: string, request: NewGoldenQuestions): Promise<GoldenQuestionView[]> {
    const { uuid: base } = await this.#bases.get(baseUuid);
    const { given, at } = questionsOf(request);
    const expected = await this.#resolve(
      base,
      given.map((question) => question.expected),
      (index) => `${at(index)}expected`,
    );
    const timestamp = now();
    const questions = given.map(
      ({ question }, index): GoldenQuestion => ({
        uuid: newUuid(),
        knowledge_base_uuid: base,
        question: storableText(question),
        expected: expected[index] as ExpectedPassage[],
        created_at: timestamp,
        updated_at: timestamp,
      }),
    );
    const outcome = await this.#store.create(base, questions, maximumQuestions);
    // Deleted meanwhile.
    if (outcome === 'not_found') throw problemError('knowledge_base_not_found');
    if (outcome === 'limit_reached') {
      throw problemError('too_many_golden_questions', { maximum: String(maximumQuestions) });
    }
    return this.#shown(base, questions);
  }

  /** @throws ParleyError `not_found`, `invalid_request`, `record_changed` */
  async update(
    baseUuid: string,
    uuid: string,
    request: ChangedGoldenQuestion,
    expectedTags: ExpectedTags = null,
  ): Promise<Tagged<GoldenQuestionView>> {
    const { uuid: base } = await this.#bases.get(baseUuid);
    const known = await this.#stored(base, uuid);
    const [expected] =
      request.expected === undefined
        ? []
        : await this.#resolve(base, [request.expected], () => 'expected', known.expected);
    const question = await this.#store.update(base, known.uuid, (stored) => {
      requireTag(expectedTags, () => tagOf(stored));
      return {
        ...stored,
        question: storableText(request.question ?? stored.question),
        expected: expected ?? stored.expected,
        updated_at: now(),
      };
    });
    if (question === null) throw questionNotFound();
    return this.#tagged(base, question);
  }

  /** @throws ParleyError `not_found` */
  async delete(baseUuid: string, uuid: string): Promise<void> {
    const base = await this.#bases.get(baseUuid);
    if (!isUuid(uuid) || !(await this.#store.delete(base.uuid, uuid.toLowerCase()))) throw questionNotFound();
  }

  async #stored(baseUuid: string, uuid: string): Promise<GoldenQuestion> {
    const question = isUuid(uuid) ? await this.#store.byUuid(uuid.toLowerCase()) : null;
    if (question?.knowledge_base_uuid !== baseUuid) throw questionNotFound();
    return question;
  }

  async #tagged(baseUuid: string, question: GoldenQuestion): Promise<Tagged<GoldenQuestionView>> {
    const [shown] = await this.#shown(baseUuid, [question]);
    return { record: shown as GoldenQuestionView, tag: () => tagOf(question) };
  }

  async #shown(baseUuid: string, questions: readonly GoldenQuestion[]): Promise<GoldenQuestionView[]> {
    const uuids = questions.flatMap(({ expected }) => expected.map(({ document_uuid }) => document_uuid));
    const documents = await this.#store.documents(baseUuid, { uuids });
    const names = new Map(documents.map(({ uuid, file_name }) => [uuid, file_name]));
    return questions.map(({ expected, ...question }) => ({
      ...question,
      expected: expected.map(({ document_uuid, quote, grade }) => ({
        document_uuid,
        file_name: names.get(document_uuid) ?? null,
        quote,
        grade,
      })),
    }));
  }

  /**
   * Finds the named documents.
   * @param at the path of a list in the request
   * @param stored the stored list; its documents may be named although they are gone, so that a list can be written
   * back unchanged
   */
  async #resolve(
    baseUuid: string,
    lists: readonly (readonly GivenExpectedPassage[])[],
    at: (index: number) => string,
    stored: readonly ExpectedPassage[] = [],
  ): Promise<ExpectedPassage[][]> {
    const all = lists.flat();
    const documents = await this.#store.documents(baseUuid, {
      uuids: all.flatMap(({ document_uuid = '' }) => (isUuid(document_uuid) ? [document_uuid.toLowerCase()] : [])),
      file_uuids: all.flatMap(({ file_id = '' }) => (isUuid(file_id) ? [file_id.toLowerCase()] : [])),
      file_names: all.flatMap(({ file_name }) => (file_name ? [storableText(file_name)] : [])),
    });
    const details: ErrorDetail[] = [];
    const resolved = lists.map((list, index) =>
      list.map((given, position): ExpectedPassage => {
        const found = documentOf(given, documents, stored);
        if ('message' in found) {
          const { field, ...fault } = found;
          details.push({ ...fault, path: `${at(index)}[${position}].${field}` });
          return { document_uuid: '', quote: null, grade: 1 };
        }
        const quote = given.quote?.trim() ? storableText(given.quote) : null;
        return { document_uuid: found.uuid, quote, grade: given.grade ?? 1 };
      }),
    );
    if (details.length > 0) throw invalidFields(details.slice(0, mostDetails));
    return resolved;
  }
}

/** Most errors reported for one request. */
const mostDetails = 20;

type Named = { uuid: string } | { field: string; message: string; rule: string };

function documentOf(
  { document_uuid, file_id, file_name }: GivenExpectedPassage,
  documents: readonly NamedDocument[],
  stored: readonly ExpectedPassage[],
): Named {
  if (document_uuid !== undefined) {
    const uuid = document_uuid.toLowerCase();
    const isThere = documents.some((document) => document.uuid === uuid);
    if (isThere || stored.some((passage) => passage.document_uuid === uuid)) return { uuid };
    return { field: 'document_uuid', message: 'is no document of this knowledge base', rule: 'missing' };
  }
  if (file_id !== undefined) {
    const uuid = file_id.toLowerCase();
    const document = documents.find(({ file_uuid }) => file_uuid === uuid);
    return (
      document ?? { field: 'file_id', message: 'is no file of a document of this knowledge base', rule: 'missing' }
    );
  }
  const name = storableText(file_name ?? '');
  const [document, other] = documents.filter((candidate) => candidate.file_name === name);
  if (document === undefined) {
    return name === ''
      ? { field: 'document_uuid', message: 'is required, or file_id or file_name', rule: 'required' }
      : { field: 'file_name', message: 'no document has this name', rule: 'missing' };
  }
  if (other === undefined) return document;
  const message = 'several documents have this name; name the one by its document_uuid';
  return { field: 'file_name', message, rule: 'ambiguous' };
}

/** The questions of a request in either form, with their paths. */
function questionsOf(request: NewGoldenQuestions): { given: NewGoldenQuestion[]; at: (index: number) => string } {
  const { question, expected, questions } = request;
  if (questions !== undefined) {
    if (question !== undefined || expected !== undefined) {
      throw invalidFields([{ path: 'questions', message: 'cannot be given together with question and expected' }]);
    }
    return { given: questions, at: (index) => `questions[${index}].` };
  }
  const missing = Object.entries({ question, expected }).filter(([, value]) => value === undefined);
  if (question === undefined || expected === undefined) {
    throw invalidFields(missing.map(([path]) => ({ path, message: 'is required', rule: 'required' })));
  }
  return { given: [{ question, expected }], at: () => '' };
}

function tagOf(question: GoldenQuestion): string {
  return recordTag(question, []);
}

function questionNotFound(): ParleyError {
  return problemError('golden_question_not_found');
}
