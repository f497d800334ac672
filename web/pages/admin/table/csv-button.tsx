import { Download } from 'lucide-react';
import { useState } from 'react';
import { plural } from '#shared/numbers/plural.ts';
import type { ListSource } from '../../../lib/fetch-page.ts';
import { toast } from '../../../lib/toast.ts';
import { Button } from '../../../ui/button.tsx';
import { CSV_MAX_ROWS, type CsvRow, download, exportList } from './csv.ts';
import { toastError } from '../../../lib/toast-error.ts';

interface CsvButtonProps<T> {
  name: string;
  source: ListSource<T>;
  toRow?: (entry: T) => CsvRow;
}

const PAGE_ROWS = 500;

export function CsvButton<T extends CsvRow>({ name, source, toRow }: CsvButtonProps<T>) {
  const [loaded, setLoaded] = useState<number | null>(null);
  async function run(): Promise<void> {
    setLoaded(0);
    try {
      const { csv, rows, isCut } = await exportList(source, {
        toRow: toRow ?? ((entry) => entry),
        pageSize: PAGE_ROWS,
        onProgress: setLoaded,
      });
      download(`snapswipe-${name.toLowerCase().replace(/\W+/g, '-')}`, csv);
      const description = isCut
        ? `Only the first ${plural(rows, 'row')}: a file contains at most about ${CSV_MAX_ROWS.toLocaleString()}.`
        : plural(rows, 'row');
      toast({ title: `${name}: CSV downloaded`, description, variant: 'success' });
    } catch (error) {
      toastError('Error', error, 'The CSV file could not be downloaded');
    } finally {
      setLoaded(null);
    }
  }
  return (
    <Button
      variant="secondary"
      className="justify-self-start"
      aria-label={loaded === null ? `Download CSV of ${name}` : undefined}
      busy={loaded === null ? false : loaded === 0 ? 'Downloading…' : `Downloading… ${plural(loaded, 'row')}`}
      onClick={() => void run()}
    >
      <Download aria-hidden size={18} />
      Download CSV
    </Button>
  );
}
