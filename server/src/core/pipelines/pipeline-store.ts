import type { Pipeline, PipelineListing, StoredPipeline } from './pipeline.ts';

export interface PipelineStore {
  list(listing: PipelineListing): Promise<Pipeline[]>;
  byUuid(uuid: string): Promise<Pipeline | null>;
  /** With the sealed secrets. */
  storedByUuid(uuid: string): Promise<StoredPipeline | null>;
  default(): Promise<StoredPipeline | null>;
  create(pipeline: StoredPipeline): Promise<void>;
  updateConfig(uuid: string, config: Pipeline['config'], updatedAt: string): Promise<void>;
}
