import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../lib/api.ts';

const botsQuery = {
  queryKey: ['bots', 'names'],
  queryFn: async () => {
    const { bots } = await api.get('/api/v1/platform/bots');
    return bots.map(({ uuid, name }) => ({ uuid, name }));
  },
};

const pipelinesQuery = {
  queryKey: ['pipelines', 'names'],
  queryFn: async () => {
    const { pipelines } = await api.get('/api/v1/pipelines');
    return pipelines.map(({ uuid, name }) => ({ uuid, name }));
  },
};

export interface Named {
  uuid: string;
  name: string;
}

/** Bots for selection, with their names; deleted ones are marked. */
export function useBotNames() {
  const bots = useQuery(botsQuery).data;
  return { bots: bots ?? [], botName: useNameIn(bots) };
}

/** Pipelines for selection, with their names; deleted ones are marked. */
export function usePipelineNames() {
  const pipelines = useQuery(pipelinesQuery).data;
  const nameIn = useNameIn(pipelines);
  const { t } = useTranslation();
  return {
    pipelines: pipelines ?? [],
    pipelineName: (uuid: string) => (uuid === '' ? t('common.none') : nameIn(uuid)),
  };
}

function useNameIn(records: readonly Named[] | undefined) {
  const { t } = useTranslation();
  const names = useMemo(() => new Map(records?.map(({ uuid, name }) => [uuid, name])), [records]);
  return (uuid: string) => (records === undefined ? '…' : (names.get(uuid) ?? t('common.gone')));
}
