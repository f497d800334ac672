/** Radix's toast meets the specification: one at a time, 5 s, swipe right past 50 px, focus by F8 (S9.14). Base UI's has another hotkey. */
import * as Toast from '@radix-ui/react-toast';
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { TOAST_DURATION_MS, TOAST_HOTKEY, TOAST_SWIPE_THRESHOLD_PX } from '#shared/constants.ts';
import { dismissToast, type ToastEntry, type ToastVariant } from '../../lib/toast.ts';
import { cn } from '../../ui/class-names.ts';
import * as styles from './toast.module.css';

const LOOKS: Record<ToastVariant, { Icon: typeof Info; icon: string; frame: string }> = {
  default: { Icon: Info, icon: 'bg-raised text-muted', frame: 'border-line-strong/50' },
  success: { Icon: CircleCheck, icon: 'bg-raised text-text', frame: 'border-line-strong/50' },
  destructive: { Icon: CircleAlert, icon: 'bg-bear-soft text-bear', frame: 'border-bear/60' },
};

/** A toast says what became of a press on its page: it ends with it. */
function useEndWithPage(id: number): void {
  const [path] = useLocation();
  const [first] = useState(path);
  useEffect(() => {
    if (path !== first) dismissToast(id);
  }, [path, first, id]);
}

function ToastCard({ entry }: { entry: ToastEntry }) {
  useEndWithPage(entry.id);
  const { Icon, icon, frame } = LOOKS[entry.variant ?? 'default'];
  return (
    <Toast.Root
      open={entry.open}
      onOpenChange={(open) => {
        if (!open) dismissToast(entry.id);
      }}
      type={entry.variant === 'destructive' ? 'foreground' : 'background'}
      className={cn(styles.toast, 'flex items-start gap-3 rounded-lg border bg-overlay p-3 shadow-float', frame)}
    >
      <span className={cn('grid size-11 shrink-0 place-items-center rounded-full', icon)}>
        <Icon aria-hidden size={22} />
      </span>
      <div className="min-w-0 flex-1 self-center py-0.5">
        <Toast.Title className="font-semibold">{entry.title}</Toast.Title>
        {entry.description ? (
          <Toast.Description className="text-sm text-muted">{entry.description}</Toast.Description>
        ) : null}
      </div>
      <Toast.Close
        aria-label="Close"
        className="grid size-11 shrink-0 place-items-center rounded-full text-muted transition-colors hover:bg-raised hover:text-text"
      >
        <X aria-hidden size={20} />
      </Toast.Close>
    </Toast.Root>
  );
}

export function ToastViewport({ entries }: { entries: readonly ToastEntry[] }) {
  return (
    <Toast.Provider
      // A provider for each toast: Radix never resumes the timer of a toast that closes while it is hovered or focused.
      key={entries[0]?.id}
      duration={TOAST_DURATION_MS}
      swipeDirection="right"
      swipeThreshold={TOAST_SWIPE_THRESHOLD_PX}
      label="Notification"
    >
      {entries.map((entry) => (
        <ToastCard key={entry.id} entry={entry} />
      ))}
      <Toast.Viewport
        hotkey={[TOAST_HOTKEY]}
        className={cn(styles.viewport, 'fixed inset-x-4 z-60 grid gap-2 outline-none')}
      />
    </Toast.Provider>
  );
}
