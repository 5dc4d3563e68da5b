import type { TFunction } from 'i18next';

/** The name of the bot or pipeline of a record. The server returns the id as the name of a deleted one. */
export function nameOrGone(name: string, id: string, t: TFunction): string {
  if (name === '') return t('common.none');
  return name === id ? t('common.gone') : name;
}
