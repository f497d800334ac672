import { isolated } from '#shared/text/isolated.ts';
import { CalendarClock, ChartColumn, type LucideIcon, Layers, ShieldCheck } from 'lucide-react';
import type { Project } from '#shared/contract/types.ts';
import { dayText } from '#shared/text/day-text.ts';
import { CopySnippet } from './copy-snippet.tsx';
import { ShareButtons } from './share-buttons.tsx';
import { BADGE_SIZE, badgeHtml, badgePath, sharedLink } from './snippets.ts';

export type LiveListing = Pick<Project, 'id' | 'slug' | 'name' | 'expiresAt'>;

function Next({ Icon, children }: { Icon: LucideIcon; children: string }) {
  return (
    <li className="flex gap-3">
      <Icon aria-hidden size={20} className="mt-0.5 shrink-0 text-muted" />
      {children}
    </li>
  );
}

export function ListingLive({ project }: { project: LiveListing }) {
  const { name, expiresAt } = project;
  return (
    <div className="grid grid-cols-1 gap-5">
      <section className="grid gap-3">
        <h3 className="font-semibold">Tell people</h3>
        <ShareButtons
          text={`${isolated(name)} is live on Snapswipe. Bullish or bearish?`}
          url={sharedLink(project, location.origin)}
        />
      </section>
      <section className="grid gap-3">
        <h3 className="font-semibold">Put the badge on your site</h3>
        <img
          src={badgePath(project, 'auto')}
          alt={`The badge of ${isolated(name)}: share, likely range, and verified votes`}
          {...BADGE_SIZE}
          className="h-auto max-w-full"
        />
        <CopySnippet label="HTML of the badge" action="Copy HTML" text={badgeHtml(project, location.origin, 'auto')} />
      </section>
      <section className="grid gap-3">
        <h3 className="font-semibold">What happens next</h3>
        <ul className="grid gap-2 text-muted">
          <Next Icon={Layers}>It is in every voter's deck now, in random order.</Next>
          <Next Icon={ShieldCheck}>Votes are verified once their wallets qualify, usually after a week.</Next>
          <Next Icon={ChartColumn}>Views, votes, and clicks by day are on your insights page.</Next>
          <Next
            Icon={CalendarClock}
          >{`The listing ends on ${dayText(expiresAt)}. Renew it, and everyone is asked again.`}</Next>
        </ul>
      </section>
    </div>
  );
}
