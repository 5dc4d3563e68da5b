import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { faultText } from '../../lib/error-text.ts';
import { type Failure, nextStep } from '../../lib/failure.ts';
import { showField } from '../../lib/show-field.ts';
import { CopyButton } from '../copy-button.tsx';
import { fieldOf } from './field-of.ts';

/** Records that a failure is about; each is linked. Omit the one whose page is shown. */
export interface FailurePlaces {
  provider?: string | undefined;
  bot?: string | undefined;
  pipeline?: string | undefined;
  /** Uuid of a message, for its trace. */
  message?: string | undefined;
}

interface FailureContentProps {
  failure: Failure;
  /** What failed. */
  title?: string | undefined;
  places?: FailurePlaces | undefined;
}

/** A failure: what failed and why, what to do, what the other side returned, and details for support. */
export function FailureContent({ failure, title, places = {} }: FailureContentProps) {
  const { t } = useTranslation();
  const { text, details } = failure;
  const response = responseOf(failure);
  const next = nextStep(failure, t);
  return (
    <div className="min-w-0 space-y-1.5">
      {title !== undefined && <p className="font-medium">{title}</p>}
      <p className="text-pretty break-words">{text}</p>
      {failure.reason === 'invalid_request' && details.length > 0 && <Fields details={details} />}
      {next !== null && <p className="text-pretty break-words text-foreground">{next}</p>}
      <Places places={places} />
      {response !== null && <Response response={response} />}
      <Support failure={failure} />
    </div>
  );
}

/** Invalid fields; those that are on the page can be focused. */
function Fields({ details }: { details: Failure['details'] }) {
  const { t } = useTranslation();
  return (
    <ul className="list-disc space-y-0.5 pl-5">
      {details.map((detail) => {
        const field = fieldOf(detail.path);
        const fault = faultText(detail, t);
        return (
          <li key={`${detail.path} ${detail.message}`} className="break-words">
            {field === null ? (
              `${detail.path}: ${fault}`
            ) : (
              <button type="button" className={link} onClick={() => showField(field.place)}>
                {field.label}: {fault}
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function Places({ places: { provider, bot, pipeline, message } }: { places: FailurePlaces }) {
  const { t } = useTranslation();
  if ((provider ?? bot ?? pipeline ?? message) === undefined) return null;
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1">
      {provider !== undefined && (
        <Link to="/models/providers/$uuid" params={{ uuid: provider }} className={link}>
          {t('errors.links.provider')}
        </Link>
      )}
      {bot !== undefined && (
        <Link to="/bots/$uuid" params={{ uuid: bot }} className={link}>
          {t('errors.links.bot')}
        </Link>
      )}
      {pipeline !== undefined && (
        <Link to="/pipelines/$uuid" params={{ uuid: pipeline }} className={link}>
          {t('errors.links.pipeline')}
        </Link>
      )}
      {message !== undefined && (
        <Link to="/messages/$uuid" params={{ uuid: message }} className={link}>
          {t('errors.links.message')}
        </Link>
      )}
    </p>
  );
}

const link = 'rounded py-0.5 text-left font-medium underline underline-offset-4';

/** Reasons of failures elsewhere, whose message contains what the other side said. */
const elsewhere =
  /^(?:provider|platform|identity_provider|engine|tool|unknown)_|^(?:quota|blocked|window_closed|reply_expired)$/;

function responseOf({ response, reason, message, text, hint }: Failure): Failure['response'] {
  // A named cause says more than the server's description of it.
  if (response !== null || hint !== null) return response;
  const isElsewhere = reason !== null && elsewhere.test(reason) && message !== null && message !== text;
  return isElsewhere ? { status: null, text: message } : null;
}

/** The words of the other side; they may be in any language. */
function Response({ response: { status, text } }: { response: NonNullable<Failure['response']> }) {
  const { t } = useTranslation();
  return (
    <figure>
      <figcaption className="text-xs opacity-90">
        {status === null ? t('errors.response') : t('errors.responseWithStatus', { status })}
      </figcaption>
      <blockquote className="mt-1 max-h-40 overflow-y-auto border-l-2 border-current/40 pl-2.5 font-mono text-xs break-words text-foreground">
        {text === '' ? t('errors.noText') : text}
      </blockquote>
    </figure>
  );
}

/** For an operator who looks into it. */
function Support({ failure }: { failure: Failure }) {
  const { t } = useTranslation();
  const { text, reason, message, requestId } = failure;
  const isShown = message === text || message === responseOf(failure)?.text;
  const more = isShown || message === '' ? null : message;
  if (more === null && requestId === null) return null;
  return (
    <details>
      <summary className="w-fit cursor-pointer rounded py-0.5 text-xs">{t('common.details')}</summary>
      <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 text-xs text-foreground">
        {more !== null && (
          <Detail name={t('errors.serverMessage')}>
            <span lang="en">{more}</span>
          </Detail>
        )}
        {reason !== null && (
          <Detail name={t('errors.code')}>
            <code>{reason}</code>
          </Detail>
        )}
        {requestId !== null && (
          <Detail name={t('errors.requestId')}>
            <span className="flex flex-wrap items-center gap-1">
              <code className="break-all">{requestId}</code>
              <CopyButton
                iconOnly
                text={() => requestId}
                label={t('errors.copyRequestId')}
                copiedLabel={t('common.copied')}
              />
            </span>
          </Detail>
        )}
      </dl>
    </details>
  );
}

function Detail({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt className="text-muted-foreground">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}
