import { Wallet } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, type ButtonSize, type ButtonVariant } from '../../ui/button.tsx';
import { openConnectDialog, preloadWallet, useConnectDialog } from '../../wallet-gate.ts';

interface ConnectButtonProps {
  size?: ButtonSize;
  variant?: ButtonVariant;
  className?: string;
  children?: ReactNode;
}

export function ConnectButton({ children = 'Connect Wallet', className, ...looks }: ConnectButtonProps) {
  const { loading } = useConnectDialog();
  return (
    <Button
      {...looks}
      className={className}
      aria-busy={loading || undefined}
      onClick={openConnectDialog}
      onPointerEnter={preloadWallet}
    >
      <Wallet aria-hidden size={20} />
      {children}
    </Button>
  );
}
