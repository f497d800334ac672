import { cn } from '../ui/class-names.ts';

export function WaitingNameNote({ className }: { className?: string }) {
  return (
    <p className={cn('rounded-lg bg-warn-soft p-3 text-sm text-warn', className)}>
      A new name for this listing waits for a moderator. If you pay for another update or a renewal now, that name is
      not used, and you get its fee back.
    </p>
  );
}
