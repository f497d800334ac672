import { useMutation } from '@tanstack/react-query';
import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { OnDemand } from '../../components/states/on-demand.tsx';
import { request } from '../../lib/http.ts';
import { loadable } from '../../lib/loadable.tsx';
import { saveFile } from '../../lib/save-file.ts';
import { Button } from '../../ui/button.tsx';
import { Card, CardTitle } from '../../ui/card.tsx';
import { toastError } from '../../lib/toast-error.ts';

const deletion = loadable(async () => (await import('./delete-account-dialog.tsx')).DeleteAccountDialog);

function useArchive(userId: number) {
  return useMutation({
    mutationFn: async () => {
      const archive = await request('GET /api/users/{id}/archive', { params: { id: userId } }, async (response) => {
        const blob = await response.blob();
        if (blob.type !== 'application/zip') throw new TypeError('Not an archive');
        return blob;
      });
      saveFile(`snapswipe-data-${new Date().toISOString().slice(0, 10)}.zip`, archive);
    },
    onError: (error) => toastError('Download failed', error, 'Your data could not be downloaded'),
  });
}

export function YourData({ userId }: { userId: number }) {
  const [isAsking, setAsking] = useState(false);
  const archive = useArchive(userId);
  return (
    <Card aria-labelledby="your-data">
      <CardTitle id="your-data">Your data</CardTitle>
      <p className="text-muted">
        Download everything that this site has about you, or delete your account. The{' '}
        <a href="/privacy" className="font-semibold text-link underline">
          privacy notice
        </a>{' '}
        says how long we keep what.
      </p>
      <div className="mt-4 flex flex-wrap gap-3">
        <Button variant="secondary" busy={archive.isPending ? 'Collecting…' : false} onClick={() => archive.mutate()}>
          <Download aria-hidden size={20} /> Download
        </Button>
        <Button variant="secondary" onClick={() => setAsking(true)}>
          <Trash2 aria-hidden size={20} /> Delete account
        </Button>
      </div>
      {isAsking ? (
        <OnDemand name="The dialog" onRetry={deletion.retry} className="mt-4">
          <deletion.Part userId={userId} onClose={() => setAsking(false)} />
        </OnDemand>
      ) : null}
    </Card>
  );
}
