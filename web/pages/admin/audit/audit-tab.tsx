import { ScrollText } from 'lucide-react';
import { useState } from 'react';
import { EmptyState } from '../../../components/states/empty-state.tsx';
import { ErrorState } from '../../../components/states/error-state.tsx';
import { ShowMore, TotalCount } from '../../../components/states/show-more.tsx';
import { Card, CardTitle } from '../../../ui/card.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { useList } from '../../../lib/use-list.ts';
import { adminLists } from '../admin-queries.ts';
import { AUDIT_LOOKS } from './audit-looks.ts';
import { CsvButton } from '../table/csv-button.tsx';
import { DataTable } from '../table/data-table.tsx';
import { SearchForm } from '../table/search-form.tsx';

const COLUMNS = ['id', 'createdAt', 'action', 'outcome', 'rowCount', 'detail', 'actor', 'ip'];

/** The append-only audit log: actor, time, action, address, and outcome (R32). */
export function AuditTab() {
  const [words, setWords] = useState('');
  const source = adminLists.audit(words);
  const { rows, error, retry, isRetrying, more } = useList(source, { noun: 'entries', keepPrevious: true });
  return (
    <Card aria-labelledby="audit" className="grid grid-cols-1 gap-5">
      <CardTitle id="audit" aside={<TotalCount total={rows && more.total} />}>
        Audit log
      </CardTitle>
      <SearchForm
        label="Search"
        hint="Finds entries that contain all words in actor, action, address, or outcome."
        onSearch={setWords}
      />
      {error ? <ErrorState error={error} onRetry={retry} retrying={isRetrying} /> : null}
      {!rows && !error ? <Skeleton className="h-72 w-full" /> : null}
      {rows?.length === 0 ? <EmptyState icon={<ScrollText size={28} />} title="Nothing found" /> : null}
      {rows && rows.length > 0 ? (
        <DataTable name="Audit log" columns={COLUMNS} rows={rows} looks={AUDIT_LOOKS}>
          <ShowMore more={more} noun="entries" />
          <CsvButton name="Audit log" columns={COLUMNS} source={source} />
        </DataTable>
      ) : null}
    </Card>
  );
}
