import { isolated } from '#shared/text/isolated.ts';
import { Name } from '../../../components/values/name.tsx';
import { Eye, EyeOff, ShieldCheck } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { ModeratedProject, ModeratedReply, ModeratedReview } from '#shared/contract/admin.ts';
import type { ReportSubject } from '#shared/people/report-kinds.ts';
import { EmptyState } from '../../../components/states/empty-state.tsx';
import { ErrorState } from '../../../components/states/error-state.tsx';
import { ShowMore, TotalCount } from '../../../components/states/show-more.tsx';
import { RelativeTime } from '../../../components/values/relative-time.tsx';
import type { ListPage, ListSource } from '../../../lib/fetch-page.ts';
import { paths } from '../../../lib/paths.ts';
import { useList } from '../../../lib/use-list.ts';
import { Card, CardTitle } from '../../../ui/card.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { Act } from '../act.tsx';
import { adminLists, TOUCHED } from '../admin-queries.ts';
import { MarkedNames } from './marked-names.tsx';
import { ProjectCoin } from '../listings/project-coin.tsx';
import { ProjectVersions } from '../listings/project-versions.tsx';
import { HiddenBadge, nameText, ProjectLink, Row } from '../row.tsx';
import type { CsvRow } from '../table/csv.ts';
import { CsvButton } from '../table/csv-button.tsx';
import { SearchForm } from '../table/search-form.tsx';
import { ReportsQueue } from './reports-queue.tsx';
import { moderate, SUBJECTS } from './subjects.ts';

interface Subject {
  kind: ReportSubject;
  id: number;
  name: string;
  hiddenAt: string | null;
  hiddenReason: string | null;
}

function HideAct({ subject }: { subject: Subject }) {
  const { kind, name, hiddenAt } = subject;
  const isHidden = hiddenAt !== null;
  const word = isHidden ? 'Unhide' : 'Hide';
  return (
    <Act
      word={word}
      label={`${word} ${kind} ${name}`}
      Icon={isHidden ? Eye : EyeOff}
      ask={{ title: `${word} ${kind}`, description: `${SUBJECTS[kind].author} can read your reason.`, action: word }}
      call={(headers, reason) => moderate(headers, subject, { hidden: !isHidden, reason })}
      done={{ title: `${SUBJECTS[kind].name} ${isHidden ? 'shown again' : 'hidden'}`, description: name }}
      failed={`Failed to ${word.toLowerCase()} the ${kind}`}
      refresh={TOUCHED.moderated}
    />
  );
}

function SubjectRow({ subject, children }: { subject: Subject; children: ReactNode }) {
  return (
    <Row acts={<HideAct subject={subject} />}>
      {children}
      {subject.hiddenAt ? (
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-warn">
          <HiddenBadge />
          <RelativeTime iso={subject.hiddenAt} />
          <span className="wrap-anywhere">{subject.hiddenReason}</span>
        </p>
      ) : null}
    </Row>
  );
}

function ProjectRow({ project }: { project: ModeratedProject }) {
  return (
    <SubjectRow subject={{ kind: 'project', ...project }}>
      <p>
        <ProjectLink slug={project.slug}>
          <Name>{project.name}</Name>
        </ProjectLink>{' '}
        <span className="text-sm text-muted">
          by <Name>{nameText(project.owner)}</Name>
        </span>
      </p>
      <div className="flex flex-wrap">
        <ProjectVersions project={project} />
        <ProjectCoin project={project} />
      </div>
    </SubjectRow>
  );
}

interface TextRowProps {
  kind: 'review' | 'reply';
  text: ModeratedReview | ModeratedReply;
  name: string;
  by: string;
}

function TextRow({ kind, text, name, by }: TextRowProps) {
  return (
    <SubjectRow subject={{ kind, ...text, name }}>
      <p className="wrap-anywhere whitespace-pre-wrap">{text.content}</p>
      <p className="text-sm text-muted">
        {by}{' '}
        <Link href={paths.project({ id: 0, slug: text.projectSlug })} className="underline underline-offset-4">
          <Name>{text.projectName}</Name>
        </Link>
      </p>
    </SubjectRow>
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
      <MarkedNames />
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
        {(review) => {
          const author = nameText(review.author);
          const name = `of ${isolated(review.projectName)} by ${isolated(author)}`;
          return <TextRow key={review.id} kind="review" text={review} name={name} by={`${isolated(author)} on`} />;
        }}
      </Found>
      <Found name="Replies" source={replySource} columns={REPLY_COLUMNS} list={replies}>
        {(reply) => (
          <TextRow
            key={reply.id}
            kind="reply"
            text={reply}
            name={`of ${isolated(reply.projectName)}`}
            by={`${isolated(nameText(reply.owner))} of`}
          />
        )}
      </Found>
    </div>
  );
}
