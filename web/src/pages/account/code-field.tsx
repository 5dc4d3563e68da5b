import { useTranslation } from 'react-i18next';
import { TextField } from '../../components/text-field.tsx';

/** A code of an authenticator app, or a recovery code. */
export function CodeField({ appOnly = false }: { appOnly?: boolean }) {
  const { t } = useTranslation();
  return (
    <TextField
      label={t('secondFactor.code')}
      name="code"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      autoFocus
      required
      maxLength={64}
      className="font-mono"
      {...(!appOnly && { help: t('secondFactor.codeHelp') })}
    />
  );
}
