import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';

export interface SandboxAccount {
  label: string;
  address: string;
}

interface Stored {
  keys: { label: string; secretKey: string }[];
  chosen: string | null;
}

export interface KeyringStorage {
  read: () => string | null;
  write: (text: string) => void;
}

function parse(text: string | null): Stored {
  try {
    const stored = JSON.parse(text ?? 'null') as Partial<Stored> | null;
    if (Array.isArray(stored?.keys)) return { keys: stored.keys, chosen: stored.chosen ?? null };
  } catch {
    // Not a keyring of ours: start with an empty one.
  }
  return { keys: [], chosen: null };
}

/** The sandbox wallet's keys. They hold play money on a chain of this machine, and so may be in local storage. */
export function createKeyring(storage: KeyringStorage) {
  // Kept here too: where local storage does not work, the wallet lasts as long as the page.
  let stored = parse(storage.read());
  const keypairs = new Map<string, Ed25519Keypair>();
  let accounts: SandboxAccount[] = [];

  function load(): void {
    accounts = stored.keys.map(({ label, secretKey }) => {
      const keypair = Ed25519Keypair.fromSecretKey(secretKey);
      keypairs.set(keypair.toSuiAddress(), keypair);
      return { label, address: keypair.toSuiAddress() };
    });
  }
  function save(next: Stored): void {
    stored = next;
    storage.write(JSON.stringify(stored));
    load();
  }
  function add(
    secretKey = new Ed25519Keypair().getSecretKey(),
    label = `Account ${stored.keys.length + 1}`,
  ): SandboxAccount {
    const address = Ed25519Keypair.fromSecretKey(secretKey).toSuiAddress();
    const present = accounts.find((account) => account.address === address);
    if (present) return present;
    save({ ...stored, keys: [...stored.keys, { label, secretKey }] });
    return { label, address };
  }

  load();
  return {
    list: () => accounts,
    add,
    keypair: (address: string) => keypairs.get(address) ?? null,
    /** The accounts that the page may see: all, the chosen one first; none before the connection was approved. */
    authorized: () => {
      const chosen = accounts.find(({ address }) => address === stored.chosen);
      return chosen ? [chosen, ...accounts.filter((account) => account !== chosen)] : [];
    },
    authorize: (address: string) => save({ ...stored, chosen: address }),
    clearChoice: () => save({ ...stored, chosen: null }),
  };
}

export type Keyring = ReturnType<typeof createKeyring>;
