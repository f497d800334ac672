import { ChevronRight, Store, TrendingDown, TrendingUp } from 'lucide-react';
import { type ComponentType, memo, useState } from 'react';
import { Link } from 'wouter';
import type { Project } from '#shared/contract/types.ts';
import { categoryText, lookAlikeText } from '#shared/listings/listing-source.ts';
import { plural } from '#shared/numbers/plural.ts';
import { changedLine } from '../components/project/changed-line.ts';
import { ProjectImage } from '../components/project/project-image.tsx';
import { XLogo } from '../components/project/x-logo.tsx';
import { external, paths, safeLink, xProfile } from '../lib/paths.ts';
import { recordEvent } from '../lib/record-event.ts';
import { Badge } from '../ui/badge.tsx';
import { useIsLive } from '../lib/external-store.ts';
import { cn } from '../ui/class-names.ts';
import type { Exit } from './card-flight.ts';
import type { VoteType } from './deck.ts';
import * as styles from './deck.module.css';
import { useLater } from './use-later.ts';

export const CARD_IMAGE_SIZES = '(width < 30rem) calc(100vw - 3.5rem), (width < 100rem) 25rem, 31rem';

const STAMPS = {
  bullish: { Icon: TrendingUp, look: 'left-4 -rotate-12 border-bull bg-bull-soft text-bull' },
  bearish: { Icon: TrendingDown, look: 'right-4 rotate-12 border-bear bg-bear-soft text-bear' },
} as const;

function Stamp({ vote }: { vote: VoteType }) {
  const { Icon, look } = STAMPS[vote];
  return (
    <span
      aria-hidden
      data-stamp={vote}
      className={cn(
        styles.stamp,
        'display absolute top-6 flex items-center gap-2 rounded-lg border-4 px-4 py-1.5 text-2xl uppercase',
        look,
      )}
    >
      <Icon size={30} strokeWidth={3} />
      {vote}
    </span>
  );
}

const LINK =
  'inline-flex min-h-11 min-w-0 items-center gap-1.5 rounded-full px-3 text-sm max-[24rem]:gap-1 max-[24rem]:px-1.5 max-[24rem]:text-xs font-semibold text-muted transition-colors hover:bg-overlay hover:text-text';

function CardLinks({ project }: { project: Project }) {
  const website = safeLink(project.website);
  const count = () => void recordEvent(project.id, 'click', 'deck');
  const counted = { ...external, draggable: false, onClick: count, onAuxClick: count };
  return (
    <div className={`${styles.links} -mx-1.5 items-center justify-between gap-1`}>
      {project.twitterHandle ? (
        <a href={xProfile(project.twitterHandle)} {...counted} className={LINK}>
          <XLogo />
          <span className="sr-only">X profile</span>
          <span title={`@${project.twitterHandle}`} className="truncate">
            @{project.twitterHandle}
          </span>
        </a>
      ) : null}
      {website ? (
        <a href={website} {...counted} className={cn(LINK, 'shrink-0')}>
          <Store aria-hidden size={16} />
          View on Marketplace
        </a>
      ) : null}
    </div>
  );
}

/** From the page: what a visitor's deck needs has no part of it. */
export type CardStar = ComponentType<{ project: Project; className?: string }>;

const INERT_AFTER_FRAMES = 5;

interface ProjectCardProps {
  project: Project;
  depth: number | null;
  leaving: Exit | undefined;
  returned: VoteType | undefined;
  label: string | undefined;
  changedSince: string | undefined;
  isCovered: boolean;
  isLazy: boolean;
  Star: CardStar | undefined;
}

interface FaceProps {
  project: Project;
  priority: 'high' | 'low' | 'lazy';
  label: string | undefined;
  changedSince: string | undefined;
  Star: CardStar | undefined;
}

const CardFace = memo(function CardFace({ project, priority, label, changedSince, Star }: FaceProps) {
  const changed = changedSince ?? changedLine(project);
  const lookAlike = project.listing.lookAlike && lookAlikeText(project.listing.lookAlike);
  return (
    <>
      <div className={styles.face}>
        <div className={`${styles.picture} relative overflow-hidden rounded-xl bg-overlay`}>
          <ProjectImage
            src={project.imageUrl}
            name={project.name}
            alt=""
            width={400}
            height={533}
            sizes={CARD_IMAGE_SIZES}
            {...(priority === 'lazy' ? {} : { eager: true, priority })}
            className="absolute inset-0 size-full"
          />
          <div className="absolute inset-x-2 top-2 flex items-start gap-1">
            {label ? (
              <Badge tone="accent" className="shadow-card">
                {label}
              </Badge>
            ) : null}
            {Star ? <Star project={project} className="-m-1.5 ms-auto bg-surface bg-clip-content p-2" /> : null}
          </div>
          {/* It wraps where the picture is narrow. */}
          <Badge
            className={`${styles.category} absolute inset-x-2 bottom-2 w-fit rounded-lg! bg-surface wrap-anywhere whitespace-normal! text-text shadow-card`}
          >
            {categoryText(project.category, project.listing.source)}
          </Badge>
        </div>
        <div className={`${styles.words} grid grid-cols-1 px-2 pt-1.5 sm:px-3`}>
          {lookAlike ? (
            <p
              title={lookAlike}
              className={`${styles.warning} text-sm leading-tight font-semibold wrap-anywhere text-text max-[24rem]:text-xs`}
            >
              {lookAlike}
            </p>
          ) : null}
          <div className={styles.title}>
            <h2 className="max-w-full min-w-0 text-lg">
              <Link
                href={paths.project(project)}
                draggable={false}
                className="inline-flex min-h-11 max-w-full items-center gap-1 rounded-md hover:text-link"
              >
                <span dir="auto" title={project.name} className={styles.name}>
                  {project.name}
                </span>
                <span className="sr-only">, details</span>
                <ChevronRight aria-hidden size={20} className={`${styles.more} shrink-0 text-faint`} />
              </Link>
            </h2>
            <span className="shrink-0 text-sm text-muted">{plural(project.totalVotes, 'vote')}</span>
          </div>
          <p
            title={changed ?? project.description}
            className={cn(styles.description, 'text-sm sm:text-base', changed ? 'text-text' : 'text-muted')}
          >
            {changed ?? project.description}
          </p>
          <CardLinks project={project} />
        </div>
      </div>
      <Stamp vote="bullish" />
      <Stamp vote="bearish" />
    </>
  );
});

export const ProjectCard = memo(function ProjectCard(props: ProjectCardProps) {
  const { project, depth, leaving, returned, label, changedSince, isCovered, isLazy, Star } = props;
  const isTop = depth === 0;
  // After the frames of the flight: whether a card is inert is a style of everything on it.
  const isReachable = useLater(isTop, INERT_AFTER_FRAMES);
  // A face under the top one is out of sight: it waits for an idle page, and a visitor's third card until it is the second.
  const isLive = useIsLive();
  const hasFace = useLater(isTop || (isLive && !(isLazy && depth === 2)), 'idle');
  // Says when the picture is fetched, which is when the card comes in.
  const [priority] = useState<'high' | 'low' | 'lazy'>(isTop ? 'high' : isLazy ? 'lazy' : 'low');
  return (
    <article
      aria-label={project.name}
      data-project={project.id}
      data-depth={depth ?? undefined}
      data-leaving={leaving}
      data-returned={returned}
      inert={!isReachable || isCovered}
      className={`${styles.card} ${styles.sized} panel rounded-2xl p-2.5 shadow-float dark:bg-raised`}
    >
      {isTop || hasFace ? (
        <CardFace project={project} priority={priority} label={label} changedSince={changedSince} Star={Star} />
      ) : null}
      <div aria-hidden className={`${styles.shade} pointer-events-none absolute inset-0 rounded-2xl bg-deep`} />
    </article>
  );
});
