import { useMutation, useQuery } from '@tanstack/react-query';
import { Eye, EyeOff, ShieldCheck } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { ModeratedProject, ModeratedReview } from '#shared/contract/admin.ts';
import { shortenAddress } from '#shared/text.ts';
import { api } from '../../api.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { paths } from '../../paths.ts';
import { queryClient } from '../../queries.ts';
import { toast } from '../../toast.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardTitle } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { deskQueries } from './admin-queries.ts';
import { deskCall, tellFailure } from './admin-session.ts';
import { ReasonDialog } from './reason-dialog.tsx';
import { SearchForm } from './search-form.tsx';

interface Subject {
  kind: 'project' | 'review';
  id: number;
  name: string;
  hiddenAt: string | null;
  hiddenReason: string | null;
}

function moderate({ kind, id }: Subject, hidden: boolean, reason: string) {
  const call = { params: { id }, body: { hidden, reason } };
  return deskCall((headers) =>
    kind === 'project' ? api.moderateProject({ ...call, headers }) : api.moderateReview({ ...call, headers }),
  );
}

/** Lists that show projects or reviews. */
const TOUCHED = [['/api/admin', 'moderation'], ['/api/projects'], ['/api/projects/leaderboard/all'], ['/api/reviews']];

function Row({ subject, children }: { subject: Subject; children: ReactNode }) {
  const [isAsking, setAsking] = useState(false);
  const isHidden = subject.hiddenAt !== null;
  const word = isHidden ? 'Unhide' : 'Hide';
  const { mutate, isPending } = useMutation({
    mutationFn: (reason: string) => moderate(subject, !isHidden, reason),
    onSuccess: () => {
      setAsking(false);
      const title = `${subject.kind === 'project' ? 'Project' : 'Review'} ${isHidden ? 'shown again' : 'hidden'}`;
      toast({ title, description: subject.name, variant: 'success' });
    },
    onError: (error) => tellFailure('Error', error, `Failed to ${word.toLowerCase()} the ${subject.kind}`),
    onSettled: () => {
      for (const queryKey of TOUCHED) void queryClient.invalidateQueries({ queryKey });
    },
  });
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-3 py-4 first:pt-0 last:pb-0">
      <div className="grid min-w-0 flex-1 basis-64 gap-1">
        {children}
        {subject.hiddenAt ? (
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-warn">
            <Badge tone="warn">
              <EyeOff aria-hidden size={14} />
              Hidden
            </Badge>
            <RelativeTime iso={subject.hiddenAt} />
            <span className="wrap-anywhere">{subject.hiddenReason}</span>
          </p>
        ) : null}
      </div>
      <Button
        variant="secondary"
        aria-label={`${word} ${subject.kind} ${subject.name}`}
        onClick={() => setAsking(true)}
      >
        {isHidden ? <Eye aria-hidden size={18} /> : <EyeOff aria-hidden size={18} />}
        {word}
      </Button>
      {isAsking ? (
        <ReasonDialog
          title={`${word} ${subject.kind}`}
          description={`${subject.kind === 'project' ? 'Its owner' : 'Its author'} reads your reason.`}
          action={word}
          busy={isPending ? 'Saving...' : false}
          onClose={() => setAsking(false)}
          onSubmit={mutate}
        />
      ) : null}
    </li>
  );
}

const who = (name: string) => (name.startsWith('0x') ? shortenAddress(name) : name);

function ProjectRow({ project }: { project: ModeratedProject }) {
  return (
    <Row subject={{ kind: 'project', ...project }}>
      <p>
        <Link href={paths.project(project)} className="font-semibold underline-offset-4 hover:underline">
          {project.name}
        </Link>{' '}
        <span className="text-sm text-muted">by {who(project.owner)}</span>
      </p>
    </Row>
  );
}

function ReviewRow({ review }: { review: ModeratedReview }) {
  return (
    <Row subject={{ kind: 'review', ...review, name: `of ${review.projectName} by ${who(review.author)}` }}>
      <p className="wrap-anywhere whitespace-pre-wrap">{review.content}</p>
      <p className="text-sm text-muted">
        {who(review.author)} on{' '}
        <Link href={paths.project({ id: 0, slug: review.projectSlug })} className="underline underline-offset-4">
          {review.projectName}
        </Link>
      </p>
    </Row>
  );
}

/** Hides and unhides projects and reviews, with a reason that the person concerned reads. */
export function ModerationTab() {
  const [words, setWords] = useState('');
  const { data, error, refetch, isFetching } = useQuery(deskQueries.moderation(words));
  const nothing = data?.projects.length === 0 && data.reviews.length === 0;
  return (
    <div className="grid grid-cols-1 gap-6">
      <Card aria-labelledby="moderation" className="grid grid-cols-1 gap-5">
        <CardTitle id="moderation">Moderation</CardTitle>
        <SearchForm
          label="Find projects and reviews"
          hint="By name, text or author. Without words, what is hidden is listed."
          onSearch={setWords}
        />
        {!data && error ? <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} /> : null}
        {!data && !error ? <Skeleton className="h-44 w-full" /> : null}
        {nothing ? (
          <EmptyState icon={<ShieldCheck size={28} />} title={words ? 'Nothing found' : 'Nothing is hidden'} />
        ) : null}
      </Card>
      {data && data.projects.length > 0 ? (
        <Card aria-labelledby="moderated-projects">
          <CardTitle id="moderated-projects">Projects ({data.projects.length})</CardTitle>
          <ul className="divide-y divide-line">
            {data.projects.map((project) => (
              <ProjectRow key={project.id} project={project} />
            ))}
          </ul>
        </Card>
      ) : null}
      {data && data.reviews.length > 0 ? (
        <Card aria-labelledby="moderated-reviews">
          <CardTitle id="moderated-reviews">Reviews ({data.reviews.length})</CardTitle>
          <ul className="divide-y divide-line">
            {data.reviews.map((review) => (
              <ReviewRow key={review.id} review={review} />
            ))}
          </ul>
        </Card>
      ) : null}
    </div>
  );
}
