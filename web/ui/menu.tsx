import {
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { Link } from 'wouter';
import { cn } from './class-names.ts';

export interface MenuTrigger {
  id: string;
  'aria-haspopup': 'menu';
  'aria-expanded': boolean;
  'aria-controls': string | undefined;
  onClick: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

const itemsOf = (menu: HTMLElement | null) => [...(menu?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];

export function nextItem(key: string, index: number, count: number): number | null {
  if (key === 'ArrowDown') return (index + 1) % count;
  if (key === 'ArrowUp') return (index - 1 + count) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : null;
}

interface MenuProps {
  /** A line in a menu without items, which is empty or loading. It cannot be chosen, and is read out with the menu's name. */
  note?: ReactNode;
  renderTrigger: (props: MenuTrigger) => ReactNode;
  children: ReactNode;
  className?: string;
  onOpenChange?: (open: boolean) => void;
}

/** Written by hand: the menu of the primitives costs 28 KB gzip on every page of a signed-in user. */
export function Menu({ note, renderTrigger, children, className, onOpenChange }: MenuProps) {
  const [open, setState] = useState(false);
  const setOpen = (next: boolean) => {
    if (next === open) return;
    setState(next);
    onOpenChange?.(next);
  };
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const menu = useRef<HTMLDivElement>(null);

  const leave = useEffectEvent(() => setOpen(false));
  // With the drawing, not after it: a key that is pressed at once moves within the menu. Again when the focused item has gone.
  useLayoutEffect(() => {
    const { activeElement, body } = document;
    if (open && (activeElement === body || activeElement?.id === id))
      (itemsOf(menu.current)[0] ?? menu.current)?.focus();
  });
  useEffect(() => {
    if (!open) return undefined;
    const closeOutside = (event: PointerEvent) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) leave();
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, [open]);

  const close = () => {
    setOpen(false);
    document.getElementById(id)?.focus();
  };
  const onMenuKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
    if (event.key === 'Tab') setOpen(false);
    const items = itemsOf(menu.current);
    const next = nextItem(
      event.key,
      items.findIndex((item) => item === document.activeElement),
      items.length,
    );
    if (next === null) return;
    event.preventDefault();
    items[next]?.focus();
  };

  return (
    <div ref={root} className="relative min-w-0">
      {renderTrigger({
        id,
        'aria-haspopup': 'menu',
        'aria-expanded': open,
        'aria-controls': open ? `${id}-menu` : undefined,
        onClick: () => setOpen(!open),
        onKeyDown: (event) => {
          if (event.key !== 'ArrowDown' || open) return;
          event.preventDefault();
          setOpen(true);
        },
      })}
      {open ? (
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- its role depends on what it holds
        <div
          ref={menu}
          id={`${id}-menu`}
          // A menu without items is invalid: a note alone is a group.
          role={note ? 'group' : 'menu'}
          tabIndex={-1}
          aria-labelledby={id}
          aria-describedby={note ? `${id}-note` : undefined}
          onKeyDown={onMenuKey}
          onClick={close}
          className={cn(
            'rise absolute end-0 top-full z-40 mt-2 w-60 rounded-lg border border-line bg-overlay p-1.5 shadow-float outline-none',
            className,
          )}
        >
          {note ? (
            <p id={`${id}-note`} className="grid min-h-11 place-items-center px-3 text-center text-muted">
              {note}
            </p>
          ) : null}
          {children}
        </div>
      ) : null}
    </div>
  );
}

const ITEM =
  'flex min-h-11 w-full items-center gap-3 rounded-md px-3 text-start font-medium transition-colors ' +
  'hover:bg-accent-soft focus:bg-accent-soft focus-visible:outline-offset-0';

interface ItemProps {
  icon?: ReactNode;
  className?: string;
  children: ReactNode;
}

interface MenuItemProps extends ItemProps {
  onSelect?: () => void;
  stays?: boolean;
}

export function MenuItem({ icon, onSelect, stays = false, className, children }: MenuItemProps) {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      aria-disabled={onSelect ? undefined : true}
      onClick={(event) => {
        if (stays || !onSelect) event.stopPropagation();
        onSelect?.();
      }}
      className={cn(ITEM, className)}
    >
      {icon}
      {children}
    </button>
  );
}

export function MenuLink({ icon, href, className, children }: ItemProps & { href: string }) {
  return (
    <Link href={href} role="menuitem" tabIndex={-1} className={cn(ITEM, className)}>
      {icon}
      {children}
    </Link>
  );
}

export function MenuSeparator() {
  return <hr className="mx-2 my-1.5 border-line" />;
}
