import { formatSui } from '#shared/money.ts';
import type { PaymentRow } from './queries.ts';

const HEADER = ['Date', 'Purpose', 'Project', 'Amount (SUI)', 'State', 'Transaction', 'Note'];

/** A cell that a spreadsheet shows and never runs: names of projects are typed by strangers. */
function cell(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${plain.replaceAll('"', '""')}"`;
}

/** Receipts as CSV (RFC 4180, UTF-8): payments whose transaction is known, as listed. */
export function receiptsCsv(payments: Array<{ row: PaymentRow; projectName: string | null }>): string {
  const lines = payments
    .filter(({ row }) => row.digest !== null)
    .map(({ row, projectName }) => [
      row.createdAt.toISOString(),
      row.purpose,
      projectName ?? '',
      formatSui(row.receivedMist ?? row.amountMist),
      row.state,
      row.digest ?? '',
      row.note ?? '',
    ]);
  return [HEADER, ...lines].map((cells) => `${cells.map(cell).join(',')}\r\n`).join('');
}
