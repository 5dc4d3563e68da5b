import type { TFunction } from 'i18next';
import type { FormField } from '../../components/forms/form-field.ts';

/** What is sent to the provider with each request. */
export function extraArgumentsField(t: TFunction): FormField {
  return {
    name: 'extra_args',
    label: { en_US: t('models.extraArguments') },
    description: { en_US: t('models.extraArgumentsHelp') },
    type: 'json',
    required: false,
  };
}
