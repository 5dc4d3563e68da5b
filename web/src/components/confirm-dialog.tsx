import { ParleyApiError } from '@parley/client';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from './failure/failure-alert.tsx';
import { Button } from './ui/button.tsx';
import { Dialog } from './ui/dialog.tsx';
import { Input } from './ui/input.tsx';
import { Label } from './ui/label.tsx';

interface ConfirmDialogProps {
  title: string;
  /** What will be lost. */
  text: string;
  /** Label of the button. */
  confirm: string;
  /** Text to type for confirmation, for irreversible actions. */
  name?: string;
  /** Additional options. */
  children?: ReactNode;
  action: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks for confirmation before something is deleted. Stays open, with the error, if it fails. */
export function ConfirmDialog({ title, text, confirm, name, children, action, onClose }: ConfirmDialogProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const field = useId();
  const act = useMutation({ mutationFn: action, onSuccess: onClose });
  const isSure = name === undefined || typed.trim() === name.trim();
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className="mt-2 space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (isSure && !act.isPending) act.mutate();
        }}
      >
        <p className="text-pretty text-muted-foreground">{text}</p>
        {act.isError && (
          <FailureAlert error={act.error}>
            {usersOf(act.error).length > 0 && (
              <ul className="mt-1 list-disc pl-5">
                {usersOf(act.error)
                  .slice(0, mostUsers)
                  .map(({ path, message }) => (
                    <li key={path} className="break-words">
                      {message}
                    </li>
                  ))}
                {usersOf(act.error).length > mostUsers && <li aria-hidden>…</li>}
              </ul>
            )}
          </FailureAlert>
        )}
        {children}
        {name !== undefined && (
          <div className="space-y-2">
            <Label htmlFor={field}>{t('common.confirmName', { name })}</Label>
            <Input id={field} value={typed} autoComplete="off" onChange={(event) => setTyped(event.target.value)} />
          </div>
        )}
        <div className="flex flex-wrap justify-end gap-2 pt-2">
          <Button variant="outline" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" variant="destructive" disabled={!isSure || act.isPending}>
            {confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Records that are named, at most. */
const mostUsers = 20;

/** Records that prevent the deletion. */
function usersOf(error: unknown) {
  return error instanceof ParleyApiError && error.reason === 'in_use' ? error.details : [];
}
