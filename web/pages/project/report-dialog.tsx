import { isolated } from '#shared/text/isolated.ts';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { cleanText } from '#shared/text/clean-text.ts';
import {
  OWNERSHIP_REASON,
  REPORT_MAX_CHARS,
  REPORT_REASON_LABELS,
  REPORT_REASONS,
  type ReportReason,
} from '#shared/people/report-kinds.ts';
import { countChars } from '#shared/text/text.ts';
import { CountedTextarea } from '../../components/project/counted-textarea.tsx';
import { errorText } from '../../lib/api-error.ts';
import { api } from '../../lib/api.ts';
import { connectToReport, type Reported } from './report-asked.ts';
import { toast } from '../../lib/toast.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';

interface Errors {
  reason?: string;
  text?: string;
}

function validate(reason: ReportReason | null, text: string): Errors {
  const words = cleanText(text);
  if (reason === null) return { reason: 'Choose a reason' };
  if (reason === OWNERSHIP_REASON && words === '') return { text: 'Say which coin or package is yours' };
  if (reason === 'other' && words === '') return { text: 'Say in a few words what is wrong' };
  return countChars(words) > REPORT_MAX_CHARS ? { text: `Maximum ${REPORT_MAX_CHARS} characters allowed` } : {};
}

interface ReasonsProps {
  value: ReportReason | null;
  error: string | undefined;
  onChange: (reason: ReportReason) => void;
}

function Reasons({ value, error, onChange }: ReasonsProps) {
  const id = useId();
  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined} className="grid gap-1">
      <legend className="pb-1 font-semibold">What is wrong?</legend>
      {REPORT_REASONS.filter((reason) => reason !== OWNERSHIP_REASON).map((reason) => (
        <label
          key={reason}
          className="flex min-h-11 cursor-pointer items-center gap-3 rounded-md px-3 transition-colors hover:bg-raised has-checked:bg-accent-soft"
        >
          <input
            type="radio"
            name={id}
            checked={value === reason}
            onChange={() => onChange(reason)}
            className="size-5 accent-accent"
          />
          {REPORT_REASON_LABELS[reason]}
        </label>
      ))}
      {error ? (
        <p id={`${id}-error`} role="alert" className="text-sm font-semibold text-text">
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}

interface ReportDialogProps {
  reported: Reported;
  isSignedIn: boolean;
  onClose: () => void;
}

export function ReportDialog({ reported, isSignedIn, onClose }: ReportDialogProps) {
  const { subject, subjectId, name, isMine = false } = reported;
  const [reason, setReason] = useState<ReportReason | null>(isMine ? OWNERSHIP_REASON : null);
  const [text, setText] = useState('');
  const [errors, setErrors] = useState<Errors>({});
  const { mutate, isPending } = useMutation({
    mutationFn: (why: ReportReason) => api.postReport({ body: { subject, subjectId, reason: why, text } }),
    onSuccess: () => {
      toast({
        title: isMine ? 'Sent to a moderator' : 'Report sent',
        description: 'A moderator will look at it. You will get a notification.',
        variant: 'success',
      });
      onClose();
    },
    onError: (error) => setErrors({ text: errorText(error, 'The report could not be sent') }),
  });
  const action = isMine ? 'Send to a moderator' : 'Send report';
  function submit(): void {
    if (!isSignedIn) return connectToReport(reported);
    const found = validate(reason, text);
    setErrors(found);
    if (reason !== null && !found.reason && !found.text) mutate(reason);
  }
  return (
    <FormDialog
      title={isMine ? `Is ${isolated(name)} yours?` : `Report ${isolated(name)}`}
      description={
        isMine
          ? 'Say which coin or package is yours. A moderator sets it, and then the wallet that holds it claims the listing.'
          : 'Moderators read your report; nobody else does.'
      }
      action={isSignedIn ? action : 'Connect Wallet'}
      busy={isPending ? 'Sending...' : false}
      onClose={onClose}
      onSubmit={submit}
    >
      {isMine ? null : (
        <Reasons
          value={reason}
          error={errors.reason}
          onChange={(next) => {
            setReason(next);
            setErrors({});
          }}
        />
      )}
      {isSignedIn ? (
        <CountedTextarea
          label={
            isMine ? 'Your coin or package, and a post of your X account that names it' : 'Tell us more (optional)'
          }
          rows={3}
          value={text}
          maxChars={REPORT_MAX_CHARS}
          error={errors.text ?? null}
          onChange={(next) => {
            setText(next);
            setErrors({});
          }}
        />
      ) : null}
    </FormDialog>
  );
}
