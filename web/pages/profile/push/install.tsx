import { Download } from 'lucide-react';
import { useStore } from '../../../lib/external-store.ts';
import { installOffer } from '../../../lib/install-offer.ts';
import { Button } from '../../../ui/button.tsx';

/** An iPhone or iPad has push only in pages that were added to the Home Screen. */
export function HomeScreenFirst() {
  return (
    <div className="grid gap-2">
      <p className="font-semibold">Add to Home Screen first</p>
      <p className="text-muted">An iPhone or iPad notifies only from there.</p>
      <ol className="grid list-decimal gap-1 ps-5">
        <li>Press Share in your browser.</li>
        <li>Choose &lsquo;Add to Home Screen&rsquo;.</li>
        <li>Open Snapswipe there, sign in, and turn notifications on in your profile.</li>
      </ol>
    </div>
  );
}

export function InstallApp() {
  const offer = useStore(installOffer);
  if (!offer) return null;
  const install = () => {
    // The browser takes each offer once.
    installOffer.set(null);
    void offer.prompt().catch(() => undefined);
  };
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
      <p className="text-muted">Snapswipe also runs as an app, with its own icon.</p>
      <Button variant="secondary" onClick={install}>
        <Download aria-hidden size={18} />
        Install the app
      </Button>
    </div>
  );
}
