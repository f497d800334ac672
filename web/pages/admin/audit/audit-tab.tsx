import { ScrollText } from 'lucide-react';
import { useState } from 'react';
import { adminList } from '../admin-queries.ts';
import { Queue } from '../queue.tsx';
import { DataTable } from '../table/data-table.tsx';
import { SearchForm } from '../table/search-form.tsx';
import { AUDIT_LOOKS } from './audit-looks.ts';

const COLUMNS = ['id', 'createdAt', 'action', 'outcome', 'rowCount', 'detail', 'actor', 'ip'];

export function AuditTab() {
  const [words, setWords] = useState('');
  return (
    <Queue
      title="Audit log"
      noun="entries"
      source={adminList('listAudit', { q: words })}
      keepPrevious
      filter={
        <SearchForm
          label="Search"
          hint="Finds entries that contain all words in actor, action, address, or outcome."
          onSearch={setWords}
        />
      }
      empty={{ Icon: ScrollText, title: 'Nothing found' }}
      csv={{}}
      renderTable={(rows) => <DataTable name="Audit log" columns={COLUMNS} rows={rows} looks={AUDIT_LOOKS} />}
    />
  );
}
