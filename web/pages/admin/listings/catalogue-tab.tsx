import { isolated } from '#shared/text/isolated.ts';
import { Name } from '../../../components/values/name.tsx';
import { Download, FileUp, Library, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { VOTE_REWARD_TOKENS } from '#shared/constants.ts';
import type { CatalogueImport, RowReport } from '#shared/contract/catalogue.ts';
import { plural } from '#shared/numbers/plural.ts';
import { RelativeTime } from '../../../components/values/relative-time.tsx';
import { api } from '../../../lib/api.ts';
import { needed } from '../../../lib/chunks.ts';
import { paths } from '../../../lib/paths.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card, CardTitle } from '../../../ui/card.tsx';
import { cn } from '../../../ui/class-names.ts';
import { Field, type FieldControl, FileInput } from '../../../ui/field.tsx';
import { Act, useAct } from '../act.tsx';
import { adminList } from '../admin-queries.ts';
import { Queue } from '../queue.tsx';
import type { Checked, CheckedRow, Imported } from './import-run.ts';

const loadImport = () => needed(import('./import-run.ts'));

const SAME: Record<RowReport['alike'][number]['by'], string> = {
  name: 'name looks like',
  handle: 'X account of',
  website: 'link of',
  coin: 'coin of',
  package: 'package of',
  picture: 'picture of',
};

function ReportRow({ row }: { row: CheckedRow }) {
  return (
    <li className="grid gap-1 py-3 wrap-anywhere">
      <p>
        <span className="text-muted">Row {row.number}</span>{' '}
        <span className="font-semibold">{row.texts.name || 'without a name'}</span>
      </p>
      {row.errors.map(({ field, message }) => (
        <p key={`${field} ${message}`} className="text-sm text-text">
          {field}: {message}
        </p>
      ))}
      {row.alike.map(({ by, slug, name }) => (
        <p key={`${by} ${slug}`} className="text-sm text-text">
          {SAME[by]}{' '}
          <Link href={paths.project({ id: 0, slug })} className="underline underline-offset-4">
            {name}
          </Link>
        </p>
      ))}
    </li>
  );
}

function Report({ title, rows }: { title: string; rows: readonly CheckedRow[] }) {
  const [shown, setShown] = useState(50);
  if (rows.length === 0) return null;
  return (
    <section aria-label={title} className="grid gap-2">
      <h3 className="text-lg">
        {title} <Badge tone="neutral">{rows.length}</Badge>
      </h3>
      <ul className="divide-y divide-line">
        {rows.slice(0, shown).map((row) => (
          <ReportRow key={row.number} row={row} />
        ))}
      </ul>
      {shown < rows.length ? (
        <Button variant="ghost" className="justify-self-start" onClick={() => setShown(shown + 200)}>
          Show more rows
        </Button>
      ) : null}
    </section>
  );
}

interface StepProps {
  checked: Checked;
  busy: string | null;
  onImport: (rows: readonly CheckedRow[]) => void;
}

function Notes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <ul aria-label="About the files" className="grid gap-2 text-sm text-text wrap-anywhere">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}

function DryRun({ checked: { rows, notes }, busy, onImport }: StepProps) {
  const [withAlike, setWithAlike] = useState(false);
  const wrong = rows.filter(({ errors }) => errors.length > 0);
  const alike = rows.filter((row) => row.errors.length === 0 && row.alike.length > 0);
  const chosen = rows.filter((row) => row.errors.length === 0 && (withAlike || row.alike.length === 0));
  const snaps = (chosen.length * VOTE_REWARD_TOKENS).toLocaleString('en-US');
  return (
    <div className="grid gap-4">
      <p>
        {plural(chosen.length, 'row')} of {rows.length.toLocaleString('en-US')} can be listed. Each voter can earn up to{' '}
        {snaps} Snaps for them, once.
      </p>
      <Notes notes={notes} />
      <Report title="Rows with errors" rows={wrong} />
      <Report title="Possible duplicates" rows={alike} />
      {alike.length > 0 ? (
        <label className="flex items-center gap-2">
          <input type="checkbox" checked={withAlike} onChange={(event) => setWithAlike(event.target.checked)} />
          Also list rows like an existing listing
        </label>
      ) : null}
      <Button
        className="justify-self-start"
        disabled={chosen.length === 0}
        busy={busy ?? false}
        onClick={() => onImport(chosen)}
      >
        <FileUp aria-hidden size={18} />
        List {plural(chosen.length, 'row')}
      </Button>
    </div>
  );
}

interface ChosenFileProps {
  control: FieldControl;
  file: File | null;
  accept: string;
  disabled: boolean;
  onFile: (file: File) => void;
}

function ChosenFile({ control, file, ...rest }: ChosenFileProps) {
  const nameId = `${control.id}-name`;
  const described = [nameId, control['aria-describedby']].filter(Boolean).join(' ');
  return (
    <FileInput
      {...control}
      {...rest}
      aria-describedby={described}
      className="flex min-h-11 items-center gap-2.5 rounded-md border border-dashed border-line-strong bg-bg px-3.5 py-2 hover:border-accent"
    >
      <FileUp aria-hidden size={18} className="shrink-0 text-link" />
      <span id={nameId} className={cn('min-w-0 wrap-anywhere', file ? 'font-semibold' : 'text-muted')}>
        {file ? file.name : 'Choose a file, or drop it here'}
      </span>
    </FileInput>
  );
}

function ImportForm() {
  const [table, setTable] = useState<File | null>(null);
  const [archive, setArchive] = useState<File | null>(null);
  const [progress, setProgress] = useState<string | null>(null);
  const [checked, setChecked] = useState<Checked | null>(null);
  const [imported, setImported] = useState<Imported | null>(null);
  const check = useAct({
    call: async (_headers, { rows, pictures }: { rows: File; pictures: File }) =>
      (await loadImport()).checkFiles(rows, pictures, setProgress).finally(() => setProgress(null)),
    done: setChecked,
    failed: 'The files could not be read',
  });
  const run = useAct({
    call: async (_headers, { files, rows }: { files: Checked; rows: readonly CheckedRow[] }) =>
      (await loadImport()).runImport(files, rows, setProgress).finally(() => setProgress(null)),
    done: (result) => {
      setImported(result);
      setChecked(null);
      return { title: 'Import finished', description: `${plural(result.listed, 'row')} listed` };
    },
    failed: 'The import stopped. What is listed stays, and can be undone.',
  });
  const choose = (set: (file: File) => void) => (file: File) => {
    set(file);
    setChecked(null);
    setImported(null);
  };
  return (
    <Card aria-labelledby="catalogue-import" className="grid grid-cols-1 gap-4">
      <CardTitle id="catalogue-import">Import into the catalogue</CardTitle>
      <p className="text-muted">
        Up to 2,000 rows with the columns name, category, description, picture, twitterHandle, website, coinType and
        packageId. Listings of the catalogue are free, marked as unclaimed, and stay listed.
      </p>
      <div className="grid gap-4 md:grid-cols-2">
        <Field label="Rows" hint="CSV or JSON">
          {(control) => (
            <ChosenFile
              control={control}
              file={table}
              accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson"
              disabled={progress !== null}
              onFile={choose(setTable)}
            />
          )}
        </Field>
        <Field label="Pictures" hint="A zip file; 'picture' is the name or path of a file in it">
          {(control) => (
            <ChosenFile
              control={control}
              file={archive}
              accept=".zip"
              disabled={progress !== null}
              onFile={choose(setArchive)}
            />
          )}
        </Field>
      </div>
      <Button
        variant="secondary"
        className="justify-self-start"
        disabled={!table || !archive}
        busy={check.isPending ? (progress ?? 'Reading the files...') : false}
        onClick={() => table && archive && check.mutate({ rows: table, pictures: archive })}
      >
        Check the files
      </Button>
      {checked ? (
        <DryRun
          checked={checked}
          busy={run.isPending ? (progress ?? 'Listing...') : null}
          onImport={(rows) => run.mutate({ files: checked, rows })}
        />
      ) : null}
      {imported ? <Report title="Rows that could not be listed" rows={imported.refused} /> : null}
    </Card>
  );
}

function claimedText({ claimed, renewed }: CatalogueImport): string {
  if (claimed === 0) return '0 claimed';
  return `${claimed} claimed (${renewed} renewed, ${claimed - renewed} free until the first renewal)`;
}

function ImportRow({ one }: { one: CatalogueImport }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3">
      <p className="wrap-anywhere">
        <span className="font-semibold">
          <Name>{one.name}</Name>
        </span>{' '}
        <span className="text-sm text-muted">
          {plural(one.listings, 'listing')}, {claimedText(one)}, <RelativeTime iso={one.createdAt} />
        </span>
      </p>
      {one.undoneAt ? (
        <Badge tone="neutral">Undone</Badge>
      ) : (
        <Act
          word="Undo"
          label={`Undo ${isolated(one.name)}`}
          Icon={Undo2}
          variant="ghost"
          ask={{
            title: 'Undo the import',
            description: 'Its unclaimed listings are hidden; votes and Snaps stay. Claimed listings stay listed.',
            action: 'Undo the import',
          }}
          call={(headers, reason) => api.undoImport({ params: { id: String(one.id) }, body: { reason }, headers })}
          done={({ hidden }) => ({ title: 'Import undone', description: `${plural(hidden, 'listing')} hidden` })}
          failed="Failed to undo the import"
        />
      )}
    </li>
  );
}

function ExportButton() {
  const [progress, setProgress] = useState<string | null>(null);
  return (
    <Act
      word="Export the catalogue"
      Icon={Download}
      className="justify-self-start"
      busy={progress ?? 'Reading...'}
      call={async () =>
        (await needed(import('./export-catalogue.ts'))).exportCatalogue(setProgress).finally(() => setProgress(null))
      }
      done={(count) => ({ title: 'Catalogue saved', description: `${plural(count, 'row')}, with pictures` })}
      failed="Failed to export the catalogue"
    />
  );
}

export function CatalogueTab() {
  return (
    <div className="grid grid-cols-1 gap-6">
      <ImportForm />
      <Queue
        title="Imports"
        noun="imports"
        source={adminList('listImports', {})}
        empty={{ Icon: Library, title: 'Nothing imported yet' }}
        renderRow={(one) => <ImportRow key={one.id} one={one} />}
      >
        <ExportButton />
      </Queue>
    </div>
  );
}
