import { type QueryKey, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { cleanText } from '#shared/text/clean-text.ts';
import { APPEAL_MAX_CHARS } from '#shared/constants.ts';
import { countChars } from '#shared/text/text.ts';
import { CountedTextarea } from '../../components/project/counted-textarea.tsx';
import { errorText } from '../../lib/api-error.ts';
import { api } from '../../lib/api.ts';
import { queryClient } from '../../lib/queries.ts';
import { toast } from '../../lib/toast.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';

function validateNote(text: string): string | null {
  const words = cleanText(text);
  if (words.trim() === '') return 'Please write what we should look at';
  return countChars(words) > APPEAL_MAX_CHARS ? `Maximum ${APPEAL_MAX_CHARS} characters allowed` : null;
}

interface AppealDialogProps {
  description: string;
  projectId?: number;
  queryKey: QueryKey;
  onClose: () => void;
}

export function AppealDialog({ description, projectId, queryKey, onClose }: AppealDialogProps) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.postAppeal({ body: { text, ...(projectId === undefined ? {} : { projectId }) } }),
    onSuccess: () => {
      toast({ title: 'Appeal sent', description: "You'll find our answer here.", variant: 'success' });
      onClose();
    },
    onError: (failure) => setError(errorText(failure, 'The appeal could not be sent')),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
  function submit(): void {
    const found = validateNote(text);
    if (found === null) mutate();
    else setError(found);
  }
  return (
    <FormDialog
      title="Appeal"
      description={description}
      action="Send appeal"
      busy={isPending ? 'Sending...' : false}
      onClose={onClose}
      onSubmit={submit}
    >
      <CountedTextarea
        label="Your note"
        rows={4}
        value={text}
        maxChars={APPEAL_MAX_CHARS}
        error={error}
        onChange={(next) => {
          setText(next);
          setError(null);
        }}
      />
    </FormDialog>
  );
}
