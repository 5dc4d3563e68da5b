import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TextField } from './text-field.tsx';

/** A password input with a button to show it. */
export function PasswordField(properties: Omit<ComponentProps<typeof TextField>, 'type' | 'end'>) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <TextField
      {...properties}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      className="pr-12"
      end={
        <button
          type="button"
          aria-label={t(shown ? 'account.hidePassword' : 'account.showPassword')}
          onClick={() => setShown(!shown)}
          className="absolute inset-y-1 right-1 grid w-9 place-items-center rounded-lg text-muted-foreground hover:text-foreground"
        >
          <Icon aria-hidden className="size-4.5" />
        </button>
      }
    />
  );
}
