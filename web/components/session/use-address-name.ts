import { useEffect, useState } from 'react';
import { useStore } from '../../lib/external-store.ts';
import { walletCode } from '../../wallet-gate.ts';

export function useAddressName(address: string | null): string | null {
  const module = useStore(walletCode);
  const [found, setFound] = useState<{ address: string; name: string | null } | null>(null);
  useEffect(() => {
    if (typeof module !== 'object' || address === null) return undefined;
    let current = true;
    void module.addressName(address).then((name) => current && setFound({ address, name }));
    return () => {
      current = false;
    };
  }, [module, address]);
  return found?.address === address ? found.name : null;
}
