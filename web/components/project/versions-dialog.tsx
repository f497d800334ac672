import { isolated } from '#shared/text/isolated.ts';
import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ListingVersion } from '#shared/contract/versions.ts';
import { timesChanged } from './changed-line.ts';
import { momentText } from '../../lib/moment-text.ts';
import { queries } from '../../lib/queries.ts';
import { useList } from '../../lib/use-list.ts';
import { cn } from '../../ui/class-names.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Rows } from '../states/read.tsx';
import { ShowMore } from '../states/show-more.tsx';
import { ProjectImage } from './project-image.tsx';

const LINES = [
  ['name', 'Name'],
  ['twitterHandle', 'X account'],
  ['website', 'Website'],
  ['category', 'Category'],
  ['description', 'Description'],
] as const;
type Line = (typeof LINES)[number][0];

const textOf = (version: ListingVersion, line: Line): string => {
  if (line === 'twitterHandle' && version.twitterHandle) return `@${version.twitterHandle}`;
  return version[line] || 'None';
};

function Side({ title, version, changed }: { title: string; version: ListingVersion; changed: readonly Line[] }) {
  if (version.isBlanked)
    return (
      <div className="grid content-start gap-2">
        <h4 className="text-sm font-semibold text-muted">{title}</h4>
        <p className="text-sm text-muted">A moderator removed this content. Its hash stays in the public record.</p>
      </div>
    );
  return (
    <div className="grid min-w-0 content-start gap-2">
      <h4 className="text-sm font-semibold text-muted">{title}</h4>
      <ProjectImage
        src={version.imageUrl ?? ''}
        name={version.name ?? ''}
        alt={`${title}: picture`}
        width={120}
        height={160}
        className="aspect-3/4 w-full max-w-30 rounded-lg border border-line"
      />
      <dl className="grid gap-1.5">
        {LINES.filter(([line]) => changed.includes(line) || line === 'name').map(([line, label]) => (
          <div key={line} className="min-w-0">
            <dt className="text-xs text-muted">{label}</dt>
            <dd dir="auto" className={cn('wrap-anywhere', changed.includes(line) && 'font-semibold')}>
              {textOf(version, line)}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

interface ChangeProps {
  after: ListingVersion;
  before: ListingVersion;
  children?: ReactNode;
}

function Change({ after, before, children }: ChangeProps) {
  const changed = LINES.flatMap(([line]) => (after[line] === before[line] ? [] : line));
  return (
    <li className="grid gap-3 py-5 first:pt-0 last:pb-0">
      <h3 className="text-base font-semibold">{momentText(after.createdAt)}</h3>
      <div className="grid grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] gap-3">
        <Side title="Before" version={before} changed={changed} />
        <ArrowRight aria-hidden size={20} className="mt-16 text-faint" />
        <Side title="After" version={after} changed={changed} />
      </div>
      {after.isSameProject ? (
        <p className="text-sm text-muted">A moderator confirmed that this is the same project.</p>
      ) : null}
      {children}
    </li>
  );
}

interface VersionsDialogProps {
  project: { id: number; name: string };
  onClose: () => void;
  actsOn?: (after: ListingVersion, before: ListingVersion) => ReactNode;
  actsNow?: (newest: ListingVersion) => ReactNode;
}

export function VersionsDialog({ project, onClose, actsOn, actsNow }: VersionsDialogProps) {
  const list = useList(queries.versions(project.id), { noun: 'versions' });
  const { rows, more } = list;
  const changes = rows?.flatMap((after, index) => {
    const before = rows[index + 1];
    return before ? [{ after, before }] : [];
  });
  const newest = rows?.[0];
  const title = more.total && more.total > 1 ? timesChanged(more.total - 1) : 'Changes';
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={title}
      description={`${isolated(project.name)}, before and after each change. Every change stays visible here.`}
      actions={null}
      className="sm:w-[min(40rem,calc(100vw-3rem))]"
    >
      <Rows of={list} skeleton="h-64 w-full">
        {({ length }) => (length < 2 ? <p className="text-muted">This listing has not changed.</p> : null)}
      </Rows>
      <ul className="divide-y divide-line">
        {newest && actsNow ? (
          <li className="grid gap-3 pb-5">
            <Side title="Now" version={newest} changed={['name', 'twitterHandle', 'website', 'description']} />
            {actsNow(newest)}
          </li>
        ) : null}
        {changes?.map(({ after, before }) => (
          <Change key={after.number} after={after} before={before}>
            {actsOn?.(after, before)}
          </Change>
        ))}
      </ul>
      <ShowMore more={more} noun="versions" />
    </Dialog>
  );
}
