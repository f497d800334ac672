import type { Overview } from '#shared/contract/overview.ts';
import { RelativeTime } from '../../../components/values/relative-time.tsx';
import { Card, CardTitle } from '../../../ui/card.tsx';

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

function bytesText(bytes: number): string {
  let value = Math.abs(bytes);
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  return `${bytes < 0 ? '−' : ''}${value.toFixed(digits)} ${UNITS[unit]}`;
}

interface StorageCardProps {
  storage: NonNullable<Overview['storage']>;
  backup: NonNullable<Overview['backup']>;
}

function BackupLine({ last }: StorageCardProps['backup']) {
  if (last === null)
    return (
      <p className="text-text">
        No backup was made yet: <code className="font-mono">npm run backup</code> makes one.
      </p>
    );
  const size = last.bytes === null ? '' : `, ${bytesText(last.bytes)}`;
  return (
    <p>
      Last backup <RelativeTime iso={last.finishedAt} />
      <span className="text-muted">
        {' '}
        ({last.kind === 'dump' ? 'a dump' : 'pgBackRest'}
        {size})
      </span>
    </p>
  );
}

export function StorageCard({ storage, backup }: StorageCardProps) {
  const sum = storage.reduce((total, { bytes }) => total + bytes, 0);
  return (
    <Card aria-labelledby="storage" className="grid content-start gap-4">
      <CardTitle id="storage" aside={<span className="text-sm text-muted">{bytesText(sum)}</span>}>
        Storage and backups
      </CardTitle>
      <BackupLine {...backup} />
      <dl className="divide-y divide-line">
        {storage.map(({ name, bytes, bytesPerDay }) => (
          <div key={name} className="flex flex-wrap justify-between gap-x-4 py-2">
            <dt className="capitalize">{name}</dt>
            <dd>
              {bytesText(bytes)}
              {bytesPerDay === null ? null : (
                <span className="text-sm text-muted"> {`(${bytesText(bytesPerDay)} a day)`}</span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
