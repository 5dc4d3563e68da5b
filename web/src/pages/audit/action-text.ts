import i18next, { type TFunction } from 'i18next';
import type { english } from '../../locales/en/index.ts';

type Kind = keyof typeof english.audit.kinds;
type Verb = keyof typeof english.audit.verbs;

/** A record kind in the user's language; unchanged without a translation. */
export function kindText(kind: string, t: TFunction): string {
  return i18next.exists(`audit.kinds.${kind}`) ? t(`audit.kinds.${kind as Kind}`) : kind;
}

/** `bot.update` as text. */
export function actionText(action: string, t: TFunction): string {
  const [kind = '', verb = ''] = action.split('.');
  const done = i18next.exists(`audit.verbs.${verb}`) ? t(`audit.verbs.${verb as Verb}`) : verb;
  return t('audit.action', { kind: kindText(kind, t), verb: done });
}
