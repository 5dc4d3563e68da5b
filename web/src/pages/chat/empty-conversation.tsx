import { useTranslation } from 'react-i18next';
import { Logo } from '../../components/logo.tsx';

const suggestions = ['introduce', 'table', 'plan'] as const;

/** Example messages for an empty conversation. */
export function EmptyConversation({ onChoose }: { onChoose: (text: string) => void }) {
  const { t } = useTranslation();
  return (
    <div className="m-auto w-full max-w-xl py-10 text-center">
      <Logo className="mx-auto mb-6 size-14 drop-shadow-md" />
      <h2 className="text-2xl font-semibold tracking-tight">{t('chat.emptyTitle')}</h2>
      <p className="mt-2 text-muted-foreground">{t('chat.emptyText')}</p>
      <div className="mt-8 flex flex-col gap-2.5 sm:flex-row sm:flex-wrap sm:justify-center">
        {suggestions.map((suggestion) => (
          <button
            key={suggestion}
            type="button"
            onClick={() => onChoose(t(`chat.suggestions.${suggestion}`))}
            className="rounded-2xl border bg-card px-4 py-3 text-left text-sm transition-colors hover:border-ring hover:bg-muted sm:rounded-full sm:py-2.5"
          >
            {t(`chat.suggestions.${suggestion}`)}
          </button>
        ))}
      </div>
    </div>
  );
}
