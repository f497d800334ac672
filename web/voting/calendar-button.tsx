import { CalendarPlus } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { saveVotesBack } from './votes-back.ts';

/** An appointment for the moment at which votes are back. */
export function CalendarButton({ returnAt, className }: { returnAt: string; className?: string }) {
  return (
    <Button variant="secondary" className={className} onClick={() => saveVotesBack(returnAt)}>
      <CalendarPlus aria-hidden size={17} />
      Add to calendar
    </Button>
  );
}
