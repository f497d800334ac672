import { useEffect, useState } from 'react';

export type ReadBalances = (address: string) => Promise<string>;

/** Balances of an account on the chain; empty while it is read, and when it cannot be. */
export function Balances({ of, read }: { of: string; read: ReadBalances }) {
  const [text, setText] = useState('');
  useEffect(() => {
    let isShown = true;
    read(of).then(
      (found) => isShown && setText(found),
      (error: unknown) => console.warn('Sandbox Wallet: the balances could not be read', error),
    );
    return () => {
      isShown = false;
    };
  }, [of, read]);
  return text === '' ? null : <span>{text}</span>;
}
