import { Link, type LinkProps } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { PasswordField } from '../../components/password-field.tsx';
import { TextField } from '../../components/text-field.tsx';
import type { FieldErrors } from './new-password.ts';

type UserFieldProps = Partial<ComponentProps<typeof TextField>>;

/** The user name: the first field of every account form. */
export function UserField(properties: UserFieldProps) {
  const { t } = useTranslation();
  return (
    <TextField
      label={t('account.user')}
      name="user"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      autoFocus
      {...properties}
    />
  );
}

interface NewPasswordFieldsProps {
  label: string;
  /** Name of the password field; its repetition is `repeat`. */
  name: 'password' | 'new_password';
  errors: FieldErrors;
}

/** A new password, twice. */
export function NewPasswordFields({ label, name, errors }: NewPasswordFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <PasswordField
        label={label}
        name={name}
        autoComplete="new-password"
        help={t('account.passwordRule')}
        error={errors[name]}
      />
      <PasswordField
        label={t('account.repeatPassword')}
        name="repeat"
        autoComplete="new-password"
        error={errors.repeat}
      />
    </>
  );
}

/** A link to another page, below a form. */
export function FormLink({ to, children }: { to: NonNullable<LinkProps['to']>; children: string }) {
  return (
    <p className="text-center text-sm">
      <Link to={to} className="rounded text-muted-foreground underline-offset-4 hover:text-foreground hover:underline">
        {children}
      </Link>
    </p>
  );
}
