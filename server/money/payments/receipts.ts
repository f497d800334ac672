import type { Db } from '#db/client.ts';
import { csvLine } from '#shared/text/csv.ts';
import { formatSui } from '#shared/money/money.ts';
import { listPaymentRows } from './queries.ts';
import type { NamedPayment } from './rows.ts';

const HEADER = ['Date', 'Purpose', 'Project', 'Amount (SUI)', 'State', 'Transaction', 'Note'];
const PAGE_ROWS = 500;

const toCells = (row: NamedPayment): string[] => [
  row.createdAt.toISOString(),
  row.purpose,
  row.projectName ?? '',
  formatSui(row.receivedMist ?? row.amountMist),
  row.state,
  row.digest ?? '',
  row.message ?? '',
];

export async function receiptsCsv(db: Db, userId: number): Promise<string> {
  let csv = csvLine(HEADER);
  let cursor: string | undefined;
  do {
    // oxlint-disable-next-line no-await-in-loop -- each page begins where the last one ends
    const page = await listPaymentRows(db, { userId }, { limit: PAGE_ROWS, cursor });
    for (const payment of page.rows) if (payment.digest !== null) csv += csvLine(toCells(payment));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return csv;
}
