import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'wouter';
import { cn } from './class-names.ts';

export type ButtonVariant = 'primary' | 'secondary' | 'ghost';
export type ButtonSize = 'md' | 'lg';

/** In web/styles/app.css: as a list of classes it would be part of the first JavaScript. */
const BASE = 'button-base';

const VARIANTS: Record<ButtonVariant, string> = {
  primary: 'bg-accent text-on-accent shadow-card hover:not-disabled:bg-accent-hover',
  secondary: 'bg-raised text-text border-line hover:not-disabled:border-line-strong hover:not-disabled:bg-overlay',
  ghost: 'text-muted hover:not-disabled:bg-raised hover:not-disabled:text-text',
};

const SIZES: Record<ButtonSize, string> = { md: 'min-h-11 px-5 py-2', lg: 'min-h-13 px-7 py-3 text-lg' };

export function buttonClass(variant: ButtonVariant = 'primary', size: ButtonSize = 'md', className?: string): string {
  return cn(BASE, VARIANTS[variant], SIZES[size], className);
}

interface Looks {
  variant?: ButtonVariant;
  size?: ButtonSize;
}

type ButtonProps = ComponentProps<'button'> &
  Looks & { /** Shown instead of the children while something runs; the button is disabled. */ busy?: ReactNode };

export function Button({ variant, size, busy, className, disabled, children, type = 'button', ...rest }: ButtonProps) {
  const isBusy = busy !== undefined && busy !== null && busy !== false;
  return (
    <button
      // oxlint-disable-next-line react/button-has-type -- 'button' unless the caller says otherwise
      type={type}
      className={buttonClass(variant, size, className)}
      disabled={disabled || isBusy}
      aria-busy={isBusy || undefined}
      {...rest}
    >
      {isBusy ? busy : children}
    </button>
  );
}

export function ButtonLink({
  variant,
  size,
  className,
  href,
  children,
}: Looks & { href: string; className?: string; children: ReactNode }) {
  return (
    <Link href={href} className={buttonClass(variant, size, className)}>
      {children}
    </Link>
  );
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label'> & {
  label: string;
};

export function IconButton({ label, className, children, type = 'button', ...rest }: IconButtonProps) {
  return (
    <button
      // oxlint-disable-next-line react/button-has-type -- 'button' unless the caller says otherwise
      type={type}
      aria-label={label}
      title={label}
      className={cn(
        'inline-flex size-11 shrink-0 items-center justify-center rounded-full text-muted transition-colors hover:not-disabled:bg-raised hover:not-disabled:text-text disabled:opacity-55',
        className,
      )}
      {...rest}
    >
      {children}
    </button>
  );
}
