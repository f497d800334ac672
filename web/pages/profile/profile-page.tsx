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
      <Skeleton className="h-90 w-full" />
    </div>
  );
}

/** On wide screens the title of a section stands beside it. */
const ROWS =
  'md:[&>section]:grid md:[&>section]:grid-cols-[minmax(17rem,1fr)_minmax(0,2fr)] md:[&>section]:gap-x-12 [&>section>header]:self-start md:[&>section>:not(header)]:col-start-2';

function Profile({ userId, walletAddress }: { userId: number; walletAddress: string }) {
  return (
    <div className={`${ROWS} page grid gap-6 py-4 md:py-6`}>
      <header className="flex flex-wrap items-baseline gap-x-4">
        <h1 className="text-2xl md:text-4xl">Profile</h1>
        <p className="text-muted" title={walletAddress}>
          {shortenAddress(walletAddress)}
        </p>
      </header>
      <Read of={queries.user(userId)} skeleton={<LoadingForm />} className="panel">
        {(user) => <ProfileForm user={user} />}
      </Read>
      <ProfileStats userId={userId} />
      <h2 className="pt-6 text-2xl">Settings</h2>
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
