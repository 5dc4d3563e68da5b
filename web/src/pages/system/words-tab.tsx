import type { components, Tagged } from '@parley/client';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { describedBy, FieldShell } from '../../components/forms/field-shell.tsx';
import { SaveBar } from '../../components/forms/save-bar.tsx';
import { Section } from '../../components/page.tsx';
import { Loaded } from '../../components/states/loaded.tsx';
import { Input } from '../../components/ui/input.tsx';
import { Textarea } from '../../components/ui/textarea.tsx';
import { api } from '../../lib/api.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useSaved } from '../../lib/use-saved.ts';
import { wordFaults, wordsOf } from './word-list.ts';

type Words = components['schemas']['SensitiveWords'];
type Stored = Words & { updated_at: string };

/** The list has no timestamp; its tag serves as the version. */
async function readTagged(): Promise<Tagged<Stored>> {
  const { data, etag } = await api.getTagged('/api/v1/safety/sensitive-words');
  return { data: { ...data, updated_at: etag ?? JSON.stringify(data) }, etag };
}

const read = async () => (await readTagged()).data;

/** The words of the content filter. */
export function WordsTab() {
  const { t } = useTranslation();
  const query = useQuery({ queryKey: ['sensitive-words'], queryFn: read });
  return (
    <Section title={t('systemPage.words')} text={t('words.text')}>
      <Loaded query={query}>{(stored) => <WordsForm stored={stored} />}</Loaded>
    </Section>
  );
}

const contentOf = ({ words, mask, mask_word }: Stored) => ({ text: words.join('\n'), mask, mask_word });

function WordsForm({ stored }: { stored: Stored }) {
  const { t } = useTranslation();
  const id = useId();
  const draft = useDraft({
    name: 'sensitive-words',
    stored,
    contentOf,
    read: readTagged,
    save: ({ text, mask, mask_word }, headers) =>
      api.put('/api/v1/safety/sensitive-words', { headers, body: { words: wordsOf(text), mask, mask_word } }),
    onSaved: useSaved(['sensitive-words']),
  });
  const { text, mask, mask_word } = draft.value;
  const change = (part: Partial<typeof draft.value>) => draft.change({ ...draft.value, ...part });
  const faults = wordFaults(text, draft.faults);
  const faultOf = (path: string) => draft.faults.find((fault) => fault.path === path)?.message;
  const field = (name: string, help: string, error: string | undefined) => ({
    id: `${id}-${name}`,
    'aria-invalid': error !== undefined || undefined,
    'aria-describedby': describedBy(`${id}-${name}`, { help, error }),
  });
  const wordsError = faults.length === 0 ? faultOf('words') : faults.join('\n');
  const count = wordsOf(text).length;
  return (
    <div className="space-y-5">
      <FieldShell
        id={`${id}-words`}
        label={t('words.list')}
        help={`${t('words.listHelp')} ${t('words.count', { count })}`}
        error={wordsError}
      >
        <Textarea
          {...field('words', t('words.listHelp'), wordsError)}
          className="max-h-[60dvh] min-h-48 font-mono text-sm"
          spellCheck={false}
          value={text}
          onChange={(event) => change({ text: event.target.value })}
        />
      </FieldShell>
      <div className="grid gap-5 sm:grid-cols-2">
        <FieldShell id={`${id}-mask`} label={t('words.mask')} help={t('words.maskHelp')} error={faultOf('mask')}>
          <Input
            {...field('mask', t('words.maskHelp'), faultOf('mask'))}
            maxLength={16}
            value={mask}
            onChange={(event) => change({ mask: event.target.value })}
          />
        </FieldShell>
        <FieldShell
          id={`${id}-whole`}
          label={t('words.maskWord')}
          help={t('words.maskWordHelp')}
          error={faultOf('mask_word')}
          isOptional
        >
          <Input
            {...field('whole', t('words.maskWordHelp'), faultOf('mask_word'))}
            maxLength={200}
            value={mask_word}
            onChange={(event) => change({ mask_word: event.target.value })}
          />
        </FieldShell>
      </div>
      <SaveBar draft={draft} />
    </div>
  );
}
