import { ParleyApiError } from '@parley/client';
import i18next, { type TFunction } from 'i18next';
import { faultText } from '../../lib/error-text.ts';

/** The rule of the server, also checked here for immediate feedback. */
const minimumPasswordLength = 8;

/** Errors by field name. */
export type FieldErrors = Partial<Record<string, string>>;

/** Validates forms with a new password: all fields filled in, long enough, repeated correctly. */
export function newPasswordErrors(fields: Record<string, string>, passwordName: string, t: TFunction): FieldErrors {
  const errors: FieldErrors = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value === '') errors[name] = t('account.required');
  }
  const password = fields[passwordName] ?? '';
  if (password !== '' && [...password].length < minimumPasswordLength)
    errors[passwordName] = t('account.passwordTooShort');
  if (errors[passwordName] === undefined && fields.repeat !== '' && fields.repeat !== password) {
    errors.repeat = t('account.passwordsDiffer');
  }
  return errors;
}

/** Errors of the server for fields of a form; others are shown above the form. */
export function fieldErrorsOf(error: unknown, fields: string[]): FieldErrors {
  if (!(error instanceof ParleyApiError)) return {};
  const known = error.details.filter((detail) => fields.includes(detail.path));
  return Object.fromEntries(known.map((detail) => [detail.path, faultText(detail, i18next.t)]));
}

/** The fields of a submitted form as strings. */
export function formFields(form: HTMLFormElement): Record<string, string> {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
}

/** Focuses the first invalid field; false if there is none. */
export function focusFirst(form: HTMLFormElement, errors: FieldErrors): boolean {
  const field = [...form.elements].find((element) => Object.hasOwn(errors, element.getAttribute('name') ?? ''));
  if (field instanceof HTMLElement) field.focus();
  return field !== undefined;
}
