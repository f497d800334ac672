import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import type { User } from '#shared/contract/types.ts';
import { shortenAddress } from '#shared/text/text.ts';
import { cn } from '../../ui/class-names.ts';
import { UserAvatar } from '../user/user-avatar.tsx';
import { useAddressName } from './use-address-name.ts';

export function AccountButton({ user, className, ...rest }: ComponentProps<'button'> & { user: User }) {
  const name = useAddressName(user.walletAddress);
  return (
    <button
      type="button"
      title={user.walletAddress}
      className={cn(
        'inline-flex min-h-11 max-w-full min-w-0 items-center gap-2 rounded-full border border-line bg-raised px-1.5 py-1 text-sm font-semibold transition-colors hover:border-line-strong aria-expanded:border-accent @2xl:pe-3.5 @2xl:ps-1.5',
        className,
      )}
      {...rest}
    >
      <UserAvatar user={user} size={32} className="@max-2xl:hidden @5xl:@max-7xl:hidden" />
      <span title={name ?? user.walletAddress} className="max-w-[10rem] truncate @5xl:@max-7xl:ps-1 slim:text-xs">
        {name ?? shortenAddress(user.walletAddress)}
      </span>
      <ChevronDown aria-hidden size={16} className="shrink-0 text-faint @max-2xl:hidden @5xl:@max-7xl:hidden" />
    </button>
  );
}
