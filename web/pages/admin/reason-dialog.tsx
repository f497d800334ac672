import { type ReactNode, useState } from 'react';
import { cleanLine } from '#shared/text/clean-text.ts';
import { REASON_MAX_CHARS } from '#shared/constants.ts';
import { validateReason } from '#shared/rules.ts';
import { CountedTextarea } from '../../components/project/counted-textarea.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';

interface ReasonDialogProps {
  title: string;
  description: string;
  label?: string;
  action: string;
  busy: ReactNode;
  onClose: () => void;
  onSubmit: (reason: string) => void;
  children?: ReactNode;
}

export function ReasonDialog({
  title,
  description,
  label = 'Reason',
  action,
  busy,
  onClose,
  onSubmit,
  children,
}: ReasonDialogProps) {
  const [reason, setReason] = useState('');
  const [error, setError] = useState<string | null>(null);
  function submit(): void {
    const words = cleanLine(reason);
    const found = validateReason(words);
    if (found !== null) return setError(found);
    onSubmit(words);
  }
  return (
    <FormDialog title={title} description={description} action={action} busy={busy} onClose={onClose} onSubmit={submit}>
      <CountedTextarea
        label={label}
        rows={3}
        value={reason}
        maxChars={REASON_MAX_CHARS}
        error={error}
        onChange={(text) => {
          setReason(text);
          setError(null);
        }}
      />
      {children}
    </FormDialog>
  );
}
