import type { GoldenQuestion } from './golden-question.ts';
import type { RecordPage } from './record-page.ts';

/** The columns that identify a document. */
export interface NamedDocument {
  uuid: string;
  file_uuid: string;
  file_name: string;
}

/** What documents are looked for by; one that any of them names is found. */
export interface DocumentNames {
  uuids?: readonly string[];
  file_uuids?: readonly string[];
  file_names?: readonly string[];
}

export interface GoldenQuestionStore {
  /** The questions of a base, oldest first. */
  list(baseUuid: string, page?: RecordPage): Promise<GoldenQuestion[]>;
  byUuid(uuid: string): Promise<GoldenQuestion | null>;
  /**
   * Keeps all of them, or none.
   * @param maximum most questions that the base may have then
   */
  create(
    baseUuid: string,
    questions: readonly GoldenQuestion[],
    maximum: number,
  ): Promise<'created' | 'limit_reached' | 'not_found'>;
  /**
   * @param change receives the stored record, which is locked meanwhile; its errors are rethrown
   * @returns the changed record; null when the base has no such question
   */
  update(
    baseUuid: string,
    uuid: string,
    change: (stored: GoldenQuestion) => GoldenQuestion,
  ): Promise<GoldenQuestion | null>;
  /** @returns whether it was there */
  delete(baseUuid: string, uuid: string): Promise<boolean>;
  /** The documents of a base that are named; of documents with the same name all. */
  documents(baseUuid: string, names: DocumentNames): Promise<NamedDocument[]>;
}
