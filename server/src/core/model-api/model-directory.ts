import { ParleyError } from '@parley/sdk';
import { isUuid } from '../../lib/uuid.ts';
import type { Pipeline } from '../pipelines/pipeline.ts';
import type { PipelineService } from '../pipelines/pipeline-service.ts';

/** A pipeline as programs know it. */
export interface ListedModel {
  /** Its name where no other has the same, else its uuid. */
  id: string;
  uuid: string;
  /** Seconds since 1970. */
  created: number;
}

/** The pipelines as models, identified by their uuid or a unique name. */
export class ModelDirectory {
  readonly #pipelines: Pick<PipelineService, 'list' | 'get'>;

  constructor(pipelines: Pick<PipelineService, 'list' | 'get'>) {
    this.#pipelines = pipelines;
  }

  /** Oldest first. */
  async list(): Promise<ListedModel[]> {
    const pipelines = await this.#pipelines.list({ sortBy: 'created_at', descending: false });
    const counts = new Map<string, number>();
    for (const { name } of pipelines) counts.set(name, (counts.get(name) ?? 0) + 1);
    return pipelines.map((pipeline) => listed(pipeline, counts.get(pipeline.name) === 1));
  }

  /** @throws ParleyError `not_found` */
  async find(model: string): Promise<ListedModel> {
    const models = await this.list();
    const known = isUuid(model) ? models.find(({ uuid }) => uuid === model.toLowerCase()) : undefined;
    const found = known ?? models.find(({ id }) => id === model);
    if (found !== undefined) return found;
    const message = `The model \`${model}\` does not exist, or several pipelines have the name; see the list of models`;
    throw new ParleyError('not_found', message, { details: [{ path: 'model', message: 'does not exist' }] });
  }
}

/** A name that looks like a uuid could be taken for another pipeline's. */
function listed({ uuid, name, created_at }: Pipeline, isUnique: boolean): ListedModel {
  const isName = isUnique && name !== '' && !isUuid(name);
  return { id: isName ? name : uuid, uuid, created: Math.floor(Date.parse(created_at) / 1000) };
}
