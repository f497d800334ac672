import { useMutation } from '@tanstack/react-query';
import { Coins } from 'lucide-react';
import { useSiteConfig } from '../../lib/site.ts';
import { toast } from '../../lib/toast.ts';
import { Button } from '../../ui/button.tsx';
import { loadWallet } from '../../wallet-gate.ts';

interface MakeCoinProps {
  disabled: boolean;
  onMade: (coinType: string) => void;
}

export function MakeCoin({ disabled, onMade }: MakeCoinProps) {
  const isLocal = useSiteConfig()?.network === 'localnet';
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const { makeOwnCoin } = await loadWallet();
      if (!makeOwnCoin) throw new Error('Connect the Sandbox Wallet first.');
      return makeOwnCoin();
    },
    onSuccess: (coinType) => {
      onMade(coinType);
      toast({ title: 'Your coin is on the chain', description: 'Your wallet holds its caps.', variant: 'success' });
    },
    onError: (error) => toast({ title: 'No coin was made', description: error.message, variant: 'destructive' }),
  });
  if (!isLocal) return null;
  return (
    <div className="-mt-3">
      <Button variant="ghost" className="-mx-3 px-3" disabled={disabled || isPending} onClick={() => mutate()}>
        <Coins aria-hidden size={18} />
        {isPending ? 'Making a coin...' : 'Make a coin of my own'}
      </Button>
    </div>
  );
}
