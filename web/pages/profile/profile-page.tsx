import { shortenAddress } from '#shared/text/text.ts';
import { ConnectGate } from '../../components/session/connect-gate.tsx';
import { Read } from '../../components/states/read.tsx';
import { queries } from '../../lib/queries.ts';
import { useSession } from '../../lib/session.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { KeyboardCard } from './keyboard-card.tsx';
import { ProfileForm } from './profile-form.tsx';
import { ProfileStats } from './profile-stats.tsx';
import { PushCard } from './push/push-card.tsx';
import { YourData } from './your-data.tsx';
import { SessionsCard } from './sessions-card.tsx';

function LoadingForm() {
  return (
    <div className="grid gap-6">
      <p className="text-muted">Loading profile...</p>
      <Skeleton className="size-24 rounded-full" />
      <Skeleton className="h-16 w-full" />
      <Skeleton className="h-16 w-full" />
      <Skeleton className="h-16 w-full" />
      <Skeleton className="h-13 w-44 rounded-full" />
    </div>
  );
}

/** On wide screens the title of a section stands beside it. */
const ROWS =
  'md:[&>section]:grid md:[&>section]:grid-cols-[14rem_minmax(0,1fr)] md:[&>section]:gap-x-8 [&>section>header]:self-start md:[&>section>:not(header)]:col-start-2';

function Profile({ userId, walletAddress }: { userId: number; walletAddress: string }) {
  return (
    <div className={`${ROWS} page grid max-w-5xl gap-8 py-8 md:py-12`}>
      <header className="grid gap-2">
        <h1 className="text-4xl">Profile</h1>
        <p className="text-lg text-muted" title={walletAddress}>
          {shortenAddress(walletAddress)}
        </p>
      </header>
      <Read of={queries.user(userId)} skeleton={<LoadingForm />} className="panel">
        {(user) => <ProfileForm user={user} />}
      </Read>
      <ProfileStats userId={userId} />
      <h2 className="mt-8 text-2xl">Settings</h2>
      <PushCard userId={userId} />
      <KeyboardCard />
      <SessionsCard userId={userId} />
      <YourData userId={userId} />
    </div>
  );
}

export function ProfilePage() {
  const { user } = useSession();
  if (!user) return <ConnectGate>Your name, your picture and your numbers live here.</ConnectGate>;
  return <Profile key={user.id} userId={user.id} walletAddress={user.walletAddress} />;
}
