import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { CLAIM_ANSWER_DAYS, REASON_MAX_CHARS } from '#shared/constants.ts';
import { validateReason } from '#shared/rules.ts';
import { cleanLine } from '#shared/text/clean-text.ts';
import { CountedTextarea } from '../../components/project/counted-textarea.tsx';
import { errorText } from '../../lib/api-error.ts';
import { api } from '../../lib/api.ts';
import { queries, queryClient } from '../../lib/queries.ts';
import { useSessionUser } from '../../lib/session.ts';
import { toast } from '../../lib/toast.ts';
import { Button } from '../../ui/button.tsx';
import type { ProjectView } from './project-view.ts';

/** The lister answers the claim of another wallet (R72). */
export function AnswerClaim({ project }: { project: ProjectView }) {
  const [answer, setAnswer] = useState('');
  const [error, setError] = useState<string | null>(null);
  const isOwn = useSessionUser()?.walletAddress === project.submittedBy;
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.answerClaim({ params: { id: String(project.id) }, body: { answer } }),
    onSuccess: () => {
      toast({ title: 'Answer sent', description: 'A moderator reads it and decides.', variant: 'success' });
      void queryClient.invalidateQueries({ queryKey: queries.project(project.slug).queryKey });
    },
    onError: (failure) => setError(errorText(failure, 'The answer could not be sent')),
  });
  const { claim } = project.listing;
  if (!isOwn || !claim || claim.isAnswered) return null;
  function submit(): void {
    const found = validateReason(cleanLine(answer));
    setError(found);
    if (found === null) mutate();
  }
  return (
    <form
      noValidate
      className="grid max-w-lg gap-3 rounded-xl bg-raised p-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <p className="font-semibold text-text">
        A wallet that holds the coin of this listing claims it. Your orders wait until a moderator has decided.
      </p>
      <CountedTextarea
        label="Your answer"
        hint={`You have ${CLAIM_ANSWER_DAYS} days. Moderators read it; nobody else does.`}
        rows={3}
        value={answer}
        maxChars={REASON_MAX_CHARS}
        error={error}
        onChange={(next) => {
          setAnswer(next);
          setError(null);
        }}
      />
      <Button type="submit" className="justify-self-start" busy={isPending ? 'Sending...' : false}>
        Send answer
      </Button>
    </form>
  );
}
