import { shortenAddress } from '#shared/text/text.ts';
import { momentText } from '../../../lib/moment-text.ts';

export const AUDIT_LOOKS = {
  createdAt: { format: (iso: unknown) => momentText(String(iso)), className: 'min-w-32' },
  outcome: { className: 'min-w-40' },
  detail: { className: 'min-w-72' },
  actor: { format: (address: unknown) => shortenAddress(String(address)), className: 'whitespace-nowrap' },
};
