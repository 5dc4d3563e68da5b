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

/** Bots and pipelines for selection, with their names; deleted ones are marked. */
export function useNames() {
  const { t } = useTranslation();
  const bots: readonly Named[] | undefined = useQuery(botsQuery).data;
  const pipelines: readonly Named[] | undefined = useQuery(pipelinesQuery).data;
  return useMemo(() => {
    const nameIn = (records: readonly Named[] | undefined, uuid: string) => {
      if (records === undefined) return '…';
      return records.find((record) => record.uuid === uuid)?.name ?? t('common.gone');
    };
    return {
      bots: bots ?? [],
      pipelines: pipelines ?? [],
      botName: (uuid: string) => nameIn(bots, uuid),
      pipelineName: (uuid: string) => (uuid === '' ? t('common.none') : nameIn(pipelines, uuid)),
    };
  }, [bots, pipelines, t]);
}
