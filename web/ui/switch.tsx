import { Switch as Base } from '@base-ui/react/switch';

interface SwitchProps {
  label?: string;
  labelledBy?: string;
  checked: boolean;
  onChange: (next: boolean) => void;
  disabled?: boolean;
  /** Like `disabled`, and keeps the focus: for the time in which a press is sent. */
  isSending?: boolean;
}

/** Pulls in the dialog primitives: import it only from chunks that load on demand. */
export function Switch({ label, labelledBy, checked, onChange, disabled = false, isSending = false }: SwitchProps) {
  return (
    <Base.Root
      aria-label={label}
      aria-labelledby={labelledBy}
      checked={checked}
      disabled={disabled}
      readOnly={isSending}
      aria-disabled={disabled || isSending || undefined}
      onCheckedChange={(next) => onChange(next)}
      className="relative flex h-7 w-12 shrink-0 items-center rounded-full border border-line-strong bg-raised p-0.75 transition-colors after:absolute after:inset-x-0 after:-inset-y-2 data-checked:border-transparent data-checked:bg-accent data-disabled:opacity-55"
    >
      <Base.Thumb className="size-5 rounded-full bg-line-strong transition-transform data-checked:translate-x-5 data-checked:bg-on-accent" />
    </Base.Root>
  );
}
