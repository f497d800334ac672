import { useQuery } from '@tanstack/react-query';
import { UsersRound } from 'lucide-react';
import { useState } from 'react';
import type { OneTimePassword } from '#shared/contract/people.ts';
import { EmptyState } from '../../../components/states/empty-state.tsx';
import { ErrorState } from '../../../components/states/error-state.tsx';
import { Card, CardTitle } from '../../../ui/card.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { adminQueries } from '../admin-queries.ts';
import { GrantForm } from './grant-form.tsx';
import { MemberRow } from './member-row.tsx';
import { OneTimePasswordDialog } from './one-time-password-dialog.tsx';

export function PeopleTab() {
  const [password, setPassword] = useState<OneTimePassword | null>(null);
  const { data, error, refetch, isFetching } = useQuery(adminQueries.people());
  return (
    <div className="grid grid-cols-1 gap-6">
      <GrantForm onGranted={setPassword} />
      <Card aria-labelledby="people">
        <CardTitle id="people">People</CardTitle>
        {error && !data ? <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} /> : null}
        {!data && !error ? <Skeleton className="h-44 w-full" /> : null}
        {data?.people.length === 0 ? (
          <EmptyState icon={<UsersRound size={28} />} title="Only you">
            Give a wallet a role above. Its holder signs in with it, and with a password of their own.
          </EmptyState>
        ) : null}
        <ul className="divide-y divide-line">
          {data?.people.map((member) => (
            <MemberRow key={member.wallet} member={member} onPassword={setPassword} />
          ))}
        </ul>
      </Card>
      {password ? <OneTimePasswordDialog password={password} onClose={() => setPassword(null)} /> : null}
    </div>
  );
}
