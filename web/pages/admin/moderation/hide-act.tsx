import { Eye, EyeOff } from 'lucide-react';
import type { ReportSubject } from '#shared/people/report-kinds.ts';
import { Act } from '../act.tsx';
import { moderate, SUBJECTS } from './subjects.ts';

export interface Subject {
  kind: ReportSubject;
  id: number;
  name: string;
  hiddenAt: string | null;
}

interface HideActProps {
  subject: Subject;
  note?: string;
  /** The toast shows it instead of the name. */
  told?: string;
}

export function HideAct({ subject, note = '', told }: HideActProps) {
  const { kind, name, hiddenAt } = subject;
  const isHidden = hiddenAt !== null;
  const word = isHidden ? 'Unhide' : 'Hide';
  return (
    <Act
      word={word}
      label={`${word} ${kind} ${name}`}
      Icon={isHidden ? Eye : EyeOff}
      ask={{ title: `${word} ${kind}`, description: `${SUBJECTS[kind].author} can read your reason.${note}` }}
      call={(headers, reason) => moderate(headers, subject, { hidden: !isHidden, reason })}
      done={{ title: `${SUBJECTS[kind].name} ${isHidden ? 'shown again' : 'hidden'}`, description: told ?? name }}
      failed={`Failed to ${word.toLowerCase()} the ${kind}`}
    />
  );
}
