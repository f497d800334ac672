import { isolated } from '#shared/text/isolated.ts';
import { Name } from '../../components/values/name.tsx';
import { Reply as ReplyIcon, Trash2 } from 'lucide-react';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Review } from '#shared/contract/reviews.ts';
import { OnDemand } from '../../components/states/on-demand.tsx';
import { RelativeTime } from '../../components/values/relative-time.tsx';
import { api } from '../../lib/api.ts';
import { loadable } from '../../lib/loadable.tsx';
import { toast } from '../../lib/toast.ts';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { showReply } from './show-reply.ts';
import type { ProjectView } from './project-view.ts';
import { ReportButton } from './report.tsx';
import { toastError } from '../../lib/toast-error.ts';

const editor = loadable(async () => (await import('./reply-editor.tsx')).ReplyEditor);

interface ReplyProps {
  project: ProjectView;
  review: Review;
}

function ReplyText({ project, review: { reply }, children }: ReplyProps & { children?: ReactNode }) {
  if (!reply) return null;
  return (
    <div className="mt-3 rounded-lg border-s-4 border-line-strong bg-raised px-4 py-3">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="font-semibold wrap-anywhere">
          Reply from <Name>{project.name}</Name>
        </span>
        <RelativeTime iso={reply.createdAt} className="text-sm text-faint" />
      </p>
      <p dir="auto" className="mt-1 wrap-anywhere whitespace-pre-line">
        {reply.content}
      </p>
      {children}
    </div>
  );
}

export function Reply(props: ReplyProps) {
  const { project, review } = props;
  return (
    <ReplyText {...props}>
      <ReportButton
        subject="reply"
        subjectId={review.id}
        projectId={project.id}
        name={`the reply from ${isolated(project.name)}`}
      />
    </ReplyText>
  );
}

function useTakeBack({ project, review }: ReplyProps) {
  return useMutation({
    mutationFn: () => api.deleteReply({ params: { id: String(review.id) } }),
    onSuccess: () => {
      showReply(project.id, review.id, null);
      toast({ title: 'Reply deleted', variant: 'success' });
    },
    onError: (error) => toastError('The reply was not deleted', error, 'The reply could not be deleted'),
  });
}

export function OwnReply(props: ReplyProps) {
  const { project, review } = props;
  const [isWriting, setWriting] = useState(false);
  const takeBack = useTakeBack(props);
  if (isWriting) {
    return (
      <OnDemand name="The reply" onRetry={editor.retry} loading={<Skeleton className="mt-3 h-40 w-full" />}>
        <editor.Part project={project} review={review} onDone={() => setWriting(false)} />
      </OnDemand>
    );
  }
  const open = (word: string, className?: string) => (
    <Button variant="secondary" className={className} onClick={() => setWriting(true)}>
      <ReplyIcon aria-hidden size={18} />
      {word}
    </Button>
  );
  if (!review.reply) return open('Reply from the project', 'mt-3 block w-fit');
  return (
    <ReplyText {...props}>
      <p className="mt-3 flex flex-wrap gap-3">
        {open('Edit reply')}
        <Button variant="ghost" busy={takeBack.isPending ? 'Deleting...' : false} onClick={() => takeBack.mutate()}>
          <Trash2 aria-hidden size={18} />
          Delete reply
        </Button>
      </p>
    </ReplyText>
  );
}
