import { isolated } from '#shared/text/isolated.ts';
import { Name } from '../../../components/values/name.tsx';
import { ShieldCheck } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { ModeratedProject, ModeratedReply, ModeratedReview } from '#shared/contract/admin.ts';
import { RelativeTime } from '../../../components/values/relative-time.tsx';
import { paths } from '../../../lib/paths.ts';
import { Card, CardTitle } from '../../../ui/card.tsx';
import { adminList } from '../admin-queries.ts';
import { Queue } from '../queue.tsx';
import { Claims } from './claims.tsx';
import { HideAct, type Subject } from './hide-act.tsx';
import { MarkedNames } from './marked-names.tsx';
import { ProjectCoin } from '../listings/project-coin.tsx';
import { ProjectVersions } from '../listings/project-versions.tsx';
import { HiddenBadge, nameText, ProjectLink, Row } from '../row.tsx';
import { SearchForm } from '../table/search-form.tsx';
import { ReportsQueue } from './reports-queue.tsx';

interface SubjectRowProps {
  subject: Subject & { hiddenReason: string | null };
  children: ReactNode;
}

function SubjectRow({ subject, children }: SubjectRowProps) {
  return (
    <Row acts={<HideAct subject={subject} />}>
      {children}
      {subject.hiddenAt ? (
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-text">
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

export function ModerationTab() {
  const [words, setWords] = useState('');
  return (
    <div className="grid grid-cols-1 gap-6">
      <Claims />
      <MarkedNames />
      <ReportsQueue />
      <Card aria-labelledby="moderation" className="grid grid-cols-1 gap-5">
        <CardTitle id="moderation">Moderation</CardTitle>
        <SearchForm
          label="Find projects, reviews and replies"
          hint="By name, text, or author. An empty search lists what is hidden."
          onSearch={setWords}
        />
      </Card>
      <Queue
        title="Projects"
        noun="projects"
        source={adminList('listModeratedProjects', { q: words })}
        keepPrevious
        empty={{ Icon: ShieldCheck, title: words ? 'No project found' : 'No project is hidden' }}
        csv={{ name: 'Moderation projects' }}
        renderRow={(project) => <ProjectRow key={project.id} project={project} />}
      />
      <Queue
        title="Reviews"
        noun="reviews"
        source={adminList('listModeratedReviews', { q: words })}
        keepPrevious
        csv={{ name: 'Moderation reviews' }}
        renderRow={(review) => {
          const author = nameText(review.author);
          const name = `of ${isolated(review.projectName)} by ${isolated(author)}`;
          return <TextRow key={review.id} kind="review" text={review} name={name} by={`${isolated(author)} on`} />;
        }}
      />
      <Queue
        title="Replies"
        noun="replies"
        source={adminList('listModeratedReplies', { q: words })}
        keepPrevious
        csv={{ name: 'Moderation replies' }}
        renderRow={(reply) => (
          <TextRow
            key={reply.id}
            kind="reply"
            text={reply}
            name={`of ${isolated(reply.projectName)}`}
            by={`${isolated(nameText(reply.owner))} of`}
          />
        )}
      />
    </div>
  );
}
