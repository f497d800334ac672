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
    <div className="panel grid gap-6 p-6">
      <p className="text-muted">Loading profile...</p>
      <Skeleton className="size-24 rounded-full" />
      <Skeleton className="h-16 w-full" />
      <Skeleton className="h-16 w-full" />
      <Skeleton className="h-16 w-full" />
      <Skeleton className="h-13 w-44 rounded-full" />
    </div>
  );
}

function Profile({ userId, walletAddress }: { userId: number; walletAddress: string }) {
  return (
    <div className="page grid max-w-3xl gap-6 py-8 md:py-12">
      <header className="grid gap-2">
        <h1 className="text-4xl md:text-5xl">Profile</h1>
        <p className="text-lg text-muted" title={walletAddress}>
          {shortenAddress(walletAddress)}
        </p>
      </header>
      <Read of={queries.user(userId)} skeleton={<LoadingForm />} className="panel">
        {(user) => <ProfileForm user={user} />}
      </Read>
      <ProfileStats userId={userId} />
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
