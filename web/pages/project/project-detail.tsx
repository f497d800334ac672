import { Name } from '../../components/values/name.tsx';
import { isolated } from '#shared/text/isolated.ts';
import { Clock, EyeOff, Rocket, ChartColumn } from 'lucide-react';
import type { CSSProperties, ReactNode } from 'react';
import { lookAlikeText } from '#shared/listings/listing-source.ts';
import { ProjectImage } from '../../components/project/project-image.tsx';
import { FollowStar } from '../../components/follow/follow-star.tsx';
import { hasClock, TimeLeft } from '../../components/values/time-left.tsx';
import { XLogo } from '../../components/project/x-logo.tsx';
import { external, safeLink, xProfile } from '../../lib/paths.ts';
import { serverNow } from '../../lib/server-clock.ts';
import { Badge } from '../../ui/badge.tsx';
import { buttonClass, ButtonLink } from '../../ui/button.tsx';
import { AnswerClaim } from './answer-claim.tsx';
import { Changes } from './changes.tsx';
import { ListedBy } from './listed-by.tsx';
import * as styles from './project.module.css';
import type { ProjectView } from './project-view.ts';
import { ReportProject } from './report.tsx';
import { ThisIsMine } from './this-is-mine.tsx';
import { recordHere } from './use-record-view.ts';
import { VotePanel } from './vote-panel.tsx';
import { VoteResult } from './vote-result.tsx';
import { Why } from './why.tsx';
import { insightsName, insightsPath } from '../../components/listing/insights-path.ts';
import { useIsAdmin } from '../../payments/use-order.ts';
import { useSessionUser } from '../../lib/session.ts';
import { cn } from '../../ui/class-names.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';

/** Not in constants.ts, all of which is in the first JavaScript. */
const PROJECT_PICTURE_SIZES = '(width < 48rem) 100vw, min(27rem, 42vw)';

interface OutLinkProps {
  project: ProjectView;
  href: string;
  icon: ReactNode;
  children: ReactNode;
}

function OutLink({ project, href, icon, children }: OutLinkProps) {
  const count = () => recordHere(project, 'click');
  return (
    <a href={href} {...external} onClick={count} onAuxClick={count} className={buttonClass('secondary')}>
      {icon}
      {children}
      <span className="sr-only">(opens in a new tab)</span>
    </a>
  );
}

function InsightsLink({ project }: { project: ProjectView }) {
  const isOwn = useSessionUser()?.walletAddress === project.submittedBy;
  const isAdmin = useIsAdmin();
  if (!isOwn && !isAdmin) return null;
  return (
    <ButtonLink href={insightsPath(project)} variant="secondary">
      <ChartColumn aria-hidden size={18} />
      {insightsName(project)}
    </ButtonLink>
  );
}

/** Width of the widest word in the font of headings, or of half of a long name, estimated on the safe side. */
function widestWordEm(text: string): number {
  const widths = text
    .split(/[\s-]+/)
    .map((word) => 0.5 * word.length + 0.2 * (word.match(/[\p{Lu}mw]/gu)?.length ?? 0));
  return Math.max(1, ...widths, widths.reduce((sum, width) => sum + width, 0) / 2);
}

const TAG = 'max-md:rounded-full max-md:bg-veil max-md:px-2.5 max-md:py-0.5';

function Head({ project }: { project: ProjectView }) {
  const { lookAlike } = project.listing;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
        <span className={cn(TAG, 'wrap-anywhere')}>{project.category}</span>
        {hasClock(project) ? (
          <span
            className={cn(
              TAG,
              'inline-flex items-center gap-1.5 text-sm',
              Date.parse(project.expiresAt) <= serverNow() ? 'text-text' : 'text-muted',
            )}
          >
            <Clock aria-hidden size={15} className="shrink-0" />
            <TimeLeft iso={project.expiresAt} />
          </span>
        ) : null}
        {project.hidden ? (
          <Badge tone="warn">
            <EyeOff aria-hidden size={15} />
            Hidden from everyone else
          </Badge>
        ) : null}
        <Changes project={project} />
      </div>
      <h1
        id="project-name"
        className={`${styles.name} wrap-anywhere`}
        style={{ '--widest-word': widestWordEm(project.name) } as CSSProperties}
      >
        <Name>{project.name}</Name>
      </h1>
      {lookAlike ? <p className="font-semibold wrap-anywhere text-text">{lookAlikeText(lookAlike)}</p> : null}
    </>
  );
}

function Body({ project }: { project: ProjectView }) {
  const website = safeLink(project.website);
  return (
    <div className={styles.body}>
      <VoteResult project={project} />
      <VotePanel project={project} />
      <p dir="auto" className="max-w-prose md:text-lg wrap-anywhere whitespace-pre-line text-muted">
        {project.description}
      </p>
      <div className="mt-1 flex flex-wrap gap-3">
        {website ? (
          <OutLink project={project} href={website} icon={<Rocket aria-hidden size={18} />}>
            Launchpad
          </OutLink>
        ) : null}
        {project.twitterHandle ? (
          <OutLink project={project} href={xProfile(project.twitterHandle)} icon={<XLogo size={16} />}>
            Twitter
          </OutLink>
        ) : null}
        <InsightsLink project={project} />
      </div>
      <div>
        <ListedBy project={project} />
        <div className="flex flex-wrap items-center gap-x-7">
          <ThisIsMine project={project} />
          <ReportProject project={project} />
        </div>
      </div>
      <AnswerClaim project={project} />
      <Why project={project} />
    </div>
  );
}

const LOADING_HEAD = (
  <>
    <VisuallyHidden>Loading project...</VisuallyHidden>
    <Skeleton className="h-6 w-24" />
    <Skeleton className="h-10 w-3/4 md:h-13" />
  </>
);

const LOADING_BODY = (
  <div className={styles.body}>
    <Skeleton className="h-48 w-full rounded-xl" />
    <Skeleton className="h-27 w-full max-w-lg rounded-xl" />
    <Skeleton className="h-12 w-full max-w-prose" />
  </div>
);

/** While it is read, `project` is undefined; its picture may have grown from the one that was pressed. */
export function ProjectDetail({ project }: { project: ProjectView | undefined }) {
  return (
    <article {...(project ? { 'aria-labelledby': 'project-name' } : { 'aria-busy': true })} className={styles.grid}>
      <div data-grown className={styles.picture}>
        {project ? (
          <>
            <ProjectImage
              src={project.imageUrl}
              name={project.name}
              alt={`Picture of ${isolated(project.name)}`}
              width={432}
              height={576}
              sizes={PROJECT_PICTURE_SIZES}
              eager
              className="absolute inset-0 size-full rounded-[inherit] bg-transparent! object-[50%_60%] md:object-center"
            />
            <FollowStar
              project={project}
              className="on-picture absolute! bg-veil top-1 end-1 z-2 bg-clip-content p-1 md:top-2 md:end-2"
            />
          </>
        ) : null}
      </div>
      {/* Kept while the project is read: a transition ends when a part with a name of its own goes. */}
      <div className={`${styles.head} grid min-w-0 content-start gap-2 max-md:on-picture md:gap-3`}>
        {project ? <Head project={project} /> : LOADING_HEAD}
      </div>
      {project ? <Body project={project} /> : LOADING_BODY}
    </article>
  );
}
