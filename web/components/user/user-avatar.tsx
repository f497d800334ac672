import { shortenAddress } from '#shared/text/text.ts';
import { cn } from '../../ui/class-names.ts';
import { Picture } from '../../ui/picture.tsx';
import { imageSrcSet } from '../project/project-image.tsx';

export function displayName(user: { username: string | null; walletAddress: string }): string {
  return user.username ?? shortenAddress(user.walletAddress);
}

function hueOf(address: string): number {
  let sum = 0;
  for (const char of address.slice(2, 18)) sum = (sum * 31 + char.charCodeAt(0)) % 360;
  return sum;
}

interface UserAvatarProps {
  user: { username: string | null; walletAddress: string; avatarUrl: string | null };
  size?: number;
  className?: string;
}

export function UserAvatar({ user, size = 40, className }: UserAvatarProps) {
  const shape = cn('shrink-0 rounded-full', className);
  const hue = hueOf(user.walletAddress);
  const disc = (
    <span
      aria-hidden
      className={cn(shape, 'inline-grid place-items-center font-display font-bold text-white uppercase')}
      style={{
        width: size,
        height: size,
        fontSize: size * 0.42,
        background: `linear-gradient(135deg, hsl(${hue} 62% 34%), hsl(${(hue + 50) % 360} 70% 24%))`,
      }}
    >
      {(user.username ?? user.walletAddress.slice(2)).slice(0, 1)}
    </span>
  );
  if (!user.avatarUrl) return disc;
  return (
    <Picture
      src={user.avatarUrl}
      srcSet={imageSrcSet(user.avatarUrl)}
      sizes={`${size}px`}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
      className={cn(shape, 'bg-raised object-cover')}
      style={{ width: size, height: size }}
      fallback={disc}
    />
  );
}
