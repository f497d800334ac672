import {
  Bell,
  CalendarClock,
  CircleAlert,
  Coins,
  EyeOff,
  Flag,
  MessageSquareText,
  Replace,
  Reply,
  Scale,
  SpellCheck,
  Star,
} from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import type { Notice } from '#shared/contract/notices.ts';
import type { NoticeKind } from '#shared/people/notice-kinds.ts';
import { cn } from '../../ui/class-names.ts';
import { Menu, MenuItem, MenuLink, type MenuTrigger } from '../../ui/menu.tsx';
import { RelativeTime } from '../values/relative-time.tsx';
import { useNotices } from './use-notices.ts';

const ICONS: Record<NoticeKind, typeof Bell> = {
  review: MessageSquareText,
  reply: Reply,
  expiry: CalendarClock,
  payout_paid: Coins,
  appeal_answered: Scale,
  report_resolved: Flag,
  listing_changed: Replace,
  payout_rejected: CircleAlert,
  payout_failed: CircleAlert,
  listing_hidden: EyeOff,
  text_hidden: EyeOff,
  name_review: SpellCheck,
  vote_excluded: CircleAlert,
  turned: Star,
};

const MOST_SHOWN = 99;

function BellButton({ unread, ...trigger }: MenuTrigger & { unread: number }) {
  return (
    <button
      type="button"
      {...trigger}
      aria-label={unread > 0 ? `Notifications, ${unread} unread` : 'Notifications'}
      title="Notifications"
      className="relative inline-flex size-11 shrink-0 items-center justify-center rounded-full text-muted transition-colors hover:bg-raised hover:text-text aria-expanded:bg-raised aria-expanded:text-text"
    >
      <Bell aria-hidden size={21} />
      {unread > 0 ? (
        <span
          aria-hidden
          className="absolute top-0.5 end-0 min-w-5 rounded-full bg-accent px-1 text-center text-xs leading-5 font-bold text-on-accent"
        >
          {unread > MOST_SHOWN ? `${MOST_SHOWN}+` : unread}
        </span>
      ) : null}
    </button>
  );
}

function NoticeRow({ notice: { kind, text, link, createdAt, readAt } }: { notice: Notice }) {
  const Icon = ICONS[kind];
  const isNew = readAt === null;
  const props = {
    icon: <Icon aria-hidden size={20} className={cn('shrink-0', isNew ? 'text-link' : 'text-faint')} />,
    className: cn('items-start py-3', isNew && 'bg-accent-soft'),
  };
  const content = (
    <span className="grid min-w-0 gap-0.5">
      <span className={cn('wrap-anywhere', isNew ? 'font-semibold' : 'font-normal')}>
        {isNew ? <span className="sr-only">Unread: </span> : null}
        {text}
      </span>
      <RelativeTime iso={createdAt} className="text-sm font-normal text-faint" />
    </span>
  );
  if (link === null) return <MenuItem {...props}>{content}</MenuItem>;
  return (
    <MenuLink {...props} href={link}>
      {content}
    </MenuLink>
  );
}

const ReadItem = ({ children, onSelect }: { children: ReactNode; onSelect?: () => void }) => (
  <MenuItem stays {...(onSelect ? { onSelect } : {})} className="justify-center text-center text-muted">
    {children}
  </MenuItem>
);

function Older({ older }: { older: ReturnType<typeof useNotices>['older'] }) {
  if (!older.hasMore) return null;
  if (older.state === 'loading') return <ReadItem>Loading…</ReadItem>;
  return (
    <ReadItem onSelect={older.load}>
      {older.state === 'failed' ? 'Older ones could not be loaded. Try again' : 'Show older'}
    </ReadItem>
  );
}

/** A subscription that the browser renewed, lost or was forbidden ends or is renewed when the page opens (R78). */
function useAgreedPush(userId: number): void {
  useEffect(() => {
    // Without a decision of the user there is hardly a subscription; the profile looks there, too.
    if (!('Notification' in globalThis) || Notification.permission === 'default') return;
    import('../push/use-push.ts')
      .then(({ agreeOnPush }) => agreeOnPush(userId))
      // The next page tries again.
      .catch(() => undefined);
  }, [userId]);
}

export function NoticeBell({ userId }: { userId: number }) {
  useAgreedPush(userId);
  const { data, error, refetch, isFetching, older, onOpenChange } = useNotices(userId);
  const rows = data && [...data.rows, ...older.rows];
  return (
    <Menu
      note={rows ? rows.length === 0 && 'No notifications yet.' : error === null && 'Loading…'}
      className="max-h-[min(36rem,calc(100dvh-9rem))] w-96 overflow-y-auto overscroll-contain max-sm:fixed max-sm:inset-x-2 max-sm:top-[calc(5rem+var(--banner))] max-sm:mt-0 max-sm:max-h-[calc(100dvh-8.25rem)] max-sm:w-auto"
      onOpenChange={onOpenChange}
      renderTrigger={(trigger) => <BellButton unread={data?.unread ?? 0} {...trigger} />}
    >
      {!rows && error !== null ? (
        <ReadItem onSelect={() => void refetch()}>
          {isFetching ? 'Loading…' : 'Notifications could not be loaded. Try again'}
        </ReadItem>
      ) : null}
      {rows?.map((notice) => (
        <NoticeRow key={notice.id} notice={notice} />
      ))}
      {rows && rows.length > 0 ? <Older older={older} /> : null}
    </Menu>
  );
}
