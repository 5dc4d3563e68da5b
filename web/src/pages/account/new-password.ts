import { ParleyApiError } from '@parley/client';
import type { TFunction } from 'i18next';

/** The server's rule; asked here first so that nobody waits for an answer to learn it. */
const minimumPasswordLength = 8;

/** Errors by the name of the field they belong to. */
export type FieldErrors = Partial<Record<string, string>>;

/** Checks what every form with a new password asks: all filled in, long enough, typed twice alike. */
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

/** The faults the server found in the fields of a form; those of anything else belong above the form. */
export function fieldErrorsOf(error: unknown, fields: string[]): FieldErrors {
  if (!(error instanceof ParleyApiError)) return {};
  const known = error.details.filter((detail) => fields.includes(detail.path));
  return Object.fromEntries(known.map((detail) => [detail.path, detail.message]));
}

/** The fields of a submitted form as texts. */
export function formFields(form: HTMLFormElement): Record<string, string> {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
}

/** Takes the reader to the first field that needs another look; false when there is none. */
export function focusFirst(form: HTMLFormElement, errors: FieldErrors): boolean {
  const field = [...form.elements].find((element) => Object.hasOwn(errors, element.getAttribute('name') ?? ''));
  if (field instanceof HTMLElement) field.focus();
  return field !== undefined;
}
