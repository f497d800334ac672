import { cleanLine } from '#shared/text/clean-text.ts';
import { validateReason } from '#shared/rules.ts';
import { invalidField } from './errors.ts';

export function readReason(sent: string, field: 'reason' | 'note' | 'answer' = 'reason'): string {
  const reason = cleanLine(sent);
  const error = validateReason(reason);
  if (error !== null) throw invalidField(field, error);
  return reason;
}
