import { useMutation } from '@tanstack/react-query';
import { Eye, EyeOff, ShieldCheck } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { ModeratedProject, ModeratedReply, ModeratedReview } from '#shared/contract/admin.ts';
import type { ReportSubject } from '#shared/report-kinds.ts';
import { EmptyState } from '../../../components/states/empty-state.tsx';
import { ErrorState } from '../../../components/states/error-state.tsx';
import { ShowMore, TotalCount } from '../../../components/states/show-more.tsx';
import { RelativeTime } from '../../../components/values/relative-time.tsx';
import { paths } from '../../../lib/paths.ts';
import { toast } from '../../../lib/toast.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card, CardTitle } from '../../../ui/card.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import type { ListPage, ListSource } from '../../../lib/fetch-page.ts';
import { useList } from '../../../lib/use-list.ts';
import { adminLists } from '../admin-queries.ts';
import type { CsvRow } from '../table/csv.ts';
import { CsvButton } from '../table/csv-button.tsx';
import { showFailure } from '../admin-session.ts';
import { ReasonDialog } from '../reason-dialog.tsx';
import { moderate, refreshModerated, SUBJECTS, who } from './moderate.ts';
import { NameReviews } from './name-reviews.tsx';
import { ProjectCoin } from './project-coin.tsx';
import { ProjectVersions } from './project-versions.tsx';
import { ReportsQueue } from './reports-queue.tsx';
import { SearchForm } from '../table/search-form.tsx';

interface Subject {
  kind: ReportSubject;
  id: number;
  name: string;
  hiddenAt: string | null;
  hiddenReason: string | null;
}

function Row({ subject, children }: { subject: Subject; children: ReactNode }) {
  const [isAsking, setAsking] = useState(false);
  const isHidden = subject.hiddenAt !== null;
  const word = isHidden ? 'Unhide' : 'Hide';
  const { mutate, isPending } = useMutation({
    mutationFn: (reason: string) => moderate(subject.kind, subject.id, { hidden: !isHidden, reason }),
    onSuccess: () => {
      setAsking(false);
      const title = `${SUBJECTS[subject.kind].name} ${isHidden ? 'shown again' : 'hidden'}`;
      toast({ title, description: subject.name, variant: 'success' });
    },
    onError: (error) => showFailure('Error', error, `Failed to ${word.toLowerCase()} the ${subject.kind}`),
    onSettled: refreshModerated,
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
          description={`${SUBJECTS[subject.kind].author} can read your reason.`}
          action={word}
          busy={isPending ? 'Saving...' : false}
          onClose={() => setAsking(false)}
          onSubmit={mutate}
        />
      ) : null}
    </li>
  );
}

function ProjectRow({ project }: { project: ModeratedProject }) {
  return (
    <Row subject={{ kind: 'project', ...project }}>
      <p>
        <Link href={paths.project(project)} className="font-semibold underline-offset-4 hover:underline">
          {project.name}
        </Link>{' '}
        <span className="text-sm text-muted">by {who(project.owner)}</span>
      </p>
      <div className="flex flex-wrap">
        <ProjectVersions project={project} />
        <ProjectCoin project={project} />
      </div>
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

function ReplyRow({ reply }: { reply: ModeratedReply }) {
  return (
    <Row subject={{ kind: 'reply', ...reply, name: `of ${reply.projectName}` }}>
      <p className="wrap-anywhere whitespace-pre-wrap">{reply.content}</p>
      <p className="text-sm text-muted">
        {who(reply.owner)} of{' '}
        <Link href={paths.project({ id: 0, slug: reply.projectSlug })} className="underline underline-offset-4">
          {reply.projectName}
        </Link>
      </p>
    </Row>
  );
}

const MARKS = ['hiddenAt', 'hiddenReason'];
const PROJECT_COLUMNS = ['id', 'slug', 'name', 'owner', ...MARKS];
const REVIEW_COLUMNS = ['id', 'projectSlug', 'projectName', 'author', 'content', ...MARKS];
const REPLY_COLUMNS = ['id', 'projectSlug', 'projectName', 'owner', 'content', ...MARKS];

interface FoundProps<T> {
  name: 'Projects' | 'Reviews' | 'Replies';
  source: ListSource<T>;
  columns: readonly string[];
  list: ReturnType<typeof useList<T, ListPage<T>>>;
  children: (row: T) => ReactNode;
}

/** One of the lists; nothing while it is empty, which the search says for all. */
function Found<T extends CsvRow>({ name, source, columns, list, children }: FoundProps<T>) {
  const { rows, more } = list;
  if (!rows || rows.length === 0) return null;
  const id = `moderated-${name.toLowerCase()}`;
  return (
    <Card aria-labelledby={id} className="grid grid-cols-1 gap-4">
      <CardTitle id={id} aside={<TotalCount total={more.total} />}>
        {name}
      </CardTitle>
      <ul className="divide-y divide-line">{rows.map(children)}</ul>
      <ShowMore more={more} noun={name.toLowerCase()} />
      <CsvButton name={`Moderation ${name.toLowerCase()}`} columns={columns} source={source} />
    </Card>
  );
}

/** Reports; hides and unhides projects, reviews and replies, with a reason that the user concerned reads. */
export function ModerationTab() {
  const [words, setWords] = useState('');
  const projectSource = adminLists.moderatedProjects(words);
  const reviewSource = adminLists.moderatedReviews(words);
  const projects = useList(projectSource, { noun: 'projects', keepPrevious: true });
  const reviews = useList(reviewSource, { noun: 'reviews', keepPrevious: true });
  const replySource = adminLists.moderatedReplies(words);
  const replies = useList(replySource, { noun: 'replies', keepPrevious: true });
  const lists = [projects, reviews, replies];
  const failed = lists.filter(({ error }) => error);
  const isLoading = lists.some(({ rows }) => !rows);
  return (
    <div className="grid grid-cols-1 gap-6">
      <NameReviews />
      <ReportsQueue />
      <Card aria-labelledby="moderation" className="grid grid-cols-1 gap-5">
        <CardTitle id="moderation">Moderation</CardTitle>
        <SearchForm
          label="Find projects, reviews and replies"
          hint="By name, text, or author. An empty search lists what is hidden."
          onSearch={setWords}
        />
        {failed[0] ? (
          <ErrorState
            error={failed[0].error}
            onRetry={() => failed.forEach(({ retry }) => retry())}
            retrying={failed.some(({ isRetrying }) => isRetrying)}
          />
        ) : null}
        {isLoading && !failed[0] ? <Skeleton className="h-44 w-full" /> : null}
        {lists.every(({ rows }) => rows?.length === 0) ? (
          <EmptyState icon={<ShieldCheck size={28} />} title={words ? 'Nothing found' : 'Nothing is hidden'} />
        ) : null}
      </Card>
      <Found name="Projects" source={projectSource} columns={PROJECT_COLUMNS} list={projects}>
        {(project) => <ProjectRow key={project.id} project={project} />}
      </Found>
      <Found name="Reviews" source={reviewSource} columns={REVIEW_COLUMNS} list={reviews}>
        {(review) => <ReviewRow key={review.id} review={review} />}
      </Found>
      <Found name="Replies" source={replySource} columns={REPLY_COLUMNS} list={replies}>
        {(reply) => <ReplyRow key={reply.id} reply={reply} />}
      </Found>
    </div>
  );
}
