import { Address, Secret } from '@parley/sdk';
import Type from 'typebox';
import { Check } from 'typebox/value';
import { expect, it } from 'vitest';
import { FormField, FormTab, formFields, formTabs } from './form-fields.ts';

const schema = Type.Object({
  bot_token: Secret({ default: '', 'x-label': { en_US: 'Token', zh_Hans: '令牌' }, description: 'From the console.' }),
  'enable-webhook': Type.Boolean({
    default: false,
    'x-help': { en_US: 'Help', zh_Hans: '帮助' },
    description: 'Other',
  }),
  address: Address({ 'x-options': { 'https://a.example': { en_US: 'A' }, 'https://b.example': { en_US: 'B' } } }),
  mode: Type.Enum(['drop', 'passive'], { 'x-options': { drop: { en_US: 'Drop', zh_Hans: '丢弃' } } }),
  kind: Type.String({ 'x-form': 'select', 'x-options': { z: { en_US: 'Z' }, a: { en_US: 'A' } } }),
  port: Type.Optional(Type.Integer({ default: 1 })),
  ratio: Type.Number({ 'x-optional': true }),
  seconds: Type.Number({ 'x-form': 'number' }),
  list: Type.Array(Type.String(), { default: [] }),
  more: Type.Object({}),
  message: Type.String({
    'x-form': 'text',
    'x-show-if': { field: 'mode', operator: 'neq', value: 'drop' },
  }),
  internal: Type.String({ 'x-hidden': true }),
});

it('draws each field from its schema, in order', () => {
  const fields = formFields(schema);
  expect(fields).toEqual([
    {
      name: 'bot_token',
      label: { en_US: 'Token', zh_Hans: '令牌' },
      description: { en_US: 'From the console.' },
      type: 'string',
      required: true,
      default: '',
      secret: true,
    },
    {
      name: 'enable-webhook',
      label: { en_US: 'Enable webhook' },
      description: { en_US: 'Help', zh_Hans: '帮助' },
      type: 'boolean',
      required: true,
      default: false,
    },
    {
      name: 'address',
      label: { en_US: 'Address' },
      type: 'string',
      required: true,
      options: [
        { name: 'https://a.example', label: { en_US: 'A' } },
        { name: 'https://b.example', label: { en_US: 'B' } },
      ],
    },
    {
      name: 'mode',
      label: { en_US: 'Mode' },
      type: 'select',
      required: true,
      options: [
        { name: 'drop', label: { en_US: 'Drop', zh_Hans: '丢弃' } },
        { name: 'passive', label: { en_US: 'passive' } },
      ],
    },
    {
      name: 'kind',
      label: { en_US: 'Kind' },
      type: 'select',
      required: true,
      options: [
        { name: 'z', label: { en_US: 'Z' } },
        { name: 'a', label: { en_US: 'A' } },
      ],
    },
    { name: 'port', label: { en_US: 'Port' }, type: 'integer', required: false, default: 1 },
    { name: 'ratio', label: { en_US: 'Ratio' }, type: 'float', required: false },
    { name: 'seconds', label: { en_US: 'Seconds' }, type: 'number', required: true },
    { name: 'list', label: { en_US: 'List' }, type: 'array[string]', required: true, default: [] },
    { name: 'more', label: { en_US: 'More' }, type: 'json', required: true },
    {
      name: 'message',
      label: { en_US: 'Message' },
      type: 'text',
      required: true,
      show_if: { field: 'mode', operator: 'neq', value: 'drop' },
    },
  ]);
  expect(fields.every((field) => Check(FormField, field))).toBe(true);
});

it('draws an object of objects of fields as tabs with groups', () => {
  const group = Type.Object({ at: Type.Boolean() }, { 'x-label': { en_US: 'Group' }, description: 'Which.' });
  const tabs = formTabs(Type.Object({ 'first-tab': Type.Object({ rules: group, empty: Type.Object({}) }) }));
  expect(tabs).toEqual([
    {
      name: 'first-tab',
      label: { en_US: 'First tab' },
      stages: [
        {
          name: 'rules',
          label: { en_US: 'Group' },
          description: { en_US: 'Which.' },
          config: [{ name: 'at', label: { en_US: 'At' }, type: 'boolean', required: true }],
        },
        { name: 'empty', label: { en_US: 'Empty' }, config: [] },
      ],
    },
  ]);
  expect(tabs.every((tab) => Check(FormTab, tab))).toBe(true);
});

it('tells which fields few need, and keeps their place', () => {
  const schema = Type.Object({ first: Type.String({ 'x-advanced': true }), second: Type.String() });
  expect(formFields(schema).map(({ name, advanced }) => [name, advanced])).toEqual([
    ['first', true],
    ['second', undefined],
  ]);
});

it('shows the value for a new record where it differs from the default of stored ones', () => {
  const schema = Type.Object({ strict: Type.Boolean({ default: false, 'x-initial': true }) });
  expect(formFields(schema)).toMatchObject([{ name: 'strict', default: true }]);
});
