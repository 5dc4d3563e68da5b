import { useTranslation } from 'react-i18next';
import { type ContributionKind, contributionKinds, contributionName } from './contribution-words.ts';

/** What a plugin adds, by kind. @param names by kind, as the server names them */
export function ContributionList({ names }: { names: Readonly<Record<string, readonly string[]>> }) {
  const { t } = useTranslation();
  const kinds = contributionKinds.filter((kind) => (names[kind] ?? []).length > 0);
  return (
    <dl className="divide-y rounded-2xl border bg-card text-sm">
      {kinds.map((kind) => (
        <div key={kind} className="gap-x-6 px-4 py-3 sm:grid sm:grid-cols-[11rem_1fr]">
          <dt className="font-medium">{t(`plugins.kinds.${kind}`)}</dt>
          <dd className="flex min-w-0 flex-wrap gap-x-3 gap-y-1">
            {(names[kind] ?? []).map((name) => (
              <Name key={name} kind={kind} name={name} />
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Names of identifiers are set as code. */
function Name({ kind, name }: { kind: ContributionKind; name: string }) {
  const { t } = useTranslation();
  if (kind === 'listeners') return <span>{contributionName(kind, name, t)}</span>;
  return <code className="font-mono text-[0.9em] break-all">{name}</code>;
}
