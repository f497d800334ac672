import { ErrorState } from '../../../components/states/error-state.tsx';
import { ShowMore } from '../../../components/states/show-more.tsx';
import { useList } from '../../../lib/use-list.ts';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { adminLists } from '../admin-queries.ts';
import { AUDIT_LOOKS } from '../audit/audit-looks.ts';
import { CsvButton } from '../table/csv-button.tsx';
import { DataTable } from '../table/data-table.tsx';

const COLUMNS = ['createdAt', 'action', 'outcome', 'detail', 'ip'];

export function MemberActs({ wallet, name }: { wallet: string; name: string }) {
  const source = adminLists.audit('', wallet);
  const { rows, error, retry, isRetrying, more } = useList(source, { noun: 'entries' });
  if (error) return <ErrorState error={error} onRetry={retry} retrying={isRetrying} />;
  if (!rows) return <Skeleton className="h-24 w-full" />;
  if (rows.length === 0) return <p className="text-muted">{name} has done nothing yet.</p>;
  return (
    <DataTable name={`History of ${name}`} columns={COLUMNS} rows={rows} looks={AUDIT_LOOKS}>
      <ShowMore more={more} noun="entries" />
      <CsvButton name={`History of ${name}`} columns={COLUMNS} source={source} />
    </DataTable>
  );
}
