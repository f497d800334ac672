import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, ScrollText } from 'lucide-react';
import { useState } from 'react';
import { shortenAddress } from '#shared/text.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardTitle } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { deskQueries } from './admin-queries.ts';
import { DataTable } from './data-table.tsx';
import { SearchForm } from './search-form.tsx';

const PAGE = 100;
const LOOKS = {
  createdAt: { format: (iso: unknown) => new Date(String(iso)).toLocaleString(), className: 'min-w-32' },
  outcome: { className: 'min-w-40' },
  detail: { className: 'min-w-72' },
  actor: { format: (address: unknown) => shortenAddress(String(address)), className: 'whitespace-nowrap' },
};
const COLUMNS = ['id', 'createdAt', 'action', 'outcome', 'rowCount', 'detail', 'actor', 'ip'];

/** The append-only audit log: who, when, what, from where, and what came of it (R32). */
export function AuditTab() {
  const [words, setWords] = useState('');
  /** Where each page after the first begins. */
  const [pages, setPages] = useState<readonly number[]>([]);
  const { data, error, refetch, isFetching } = useQuery(deskQueries.audit(words, pages.at(-1)));
  const last = data?.at(-1)?.id;
  return (
    <Card aria-labelledby="audit" className="grid grid-cols-1 gap-5">
      <CardTitle id="audit">Audit log</CardTitle>
      <SearchForm
        label="Search"
        hint="In who, what, from where and outcome; all words have to be there."
        onSearch={(next) => {
          setWords(next);
          setPages([]);
        }}
      />
      {!data && error ? <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} /> : null}
      {!data && !error ? <Skeleton className="h-72 w-full" /> : null}
      {data?.length === 0 ? <EmptyState icon={<ScrollText size={28} />} title="Nothing found" /> : null}
      {data && data.length > 0 ? <DataTable name="Audit log" columns={COLUMNS} rows={data} looks={LOOKS} /> : null}
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" disabled={pages.length === 0} onClick={() => setPages(pages.slice(0, -1))}>
          <ChevronLeft aria-hidden size={18} />
          Newer
        </Button>
        <Button
          variant="secondary"
          disabled={last === undefined || (data?.length ?? 0) < PAGE}
          onClick={() => setPages(last === undefined ? pages : [...pages, last])}
        >
          Older
          <ChevronRight aria-hidden size={18} />
        </Button>
      </div>
    </Card>
  );
}
