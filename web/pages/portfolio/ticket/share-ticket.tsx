import { useEffect, useState } from 'react';
import type { CallSummary } from '#shared/contract/users.ts';
import { toast } from '../../../lib/toast.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { canShare, drawTicket, HEIGHT, sharePicture, WIDTH } from './ticket-picture.ts';
import type { Week } from './weeks.ts';

interface ShareTicketProps {
  week: Week;
  calls: CallSummary;
  streak: number;
  onClose: () => void;
}

/** The picture of a week, seen before it is shared. */
export function ShareTicket({ week, calls, streak, onClose }: ShareTicketProps) {
  const [canvas, setCanvas] = useState<HTMLCanvasElement | null>(null);
  const [picture, setPicture] = useState<Blob | null>(null);
  useEffect(() => {
    if (!canvas) return;
    drawTicket(canvas, { week, calls, streak }).then(setPicture, () => {
      toast({ title: 'The picture could not be drawn', variant: 'destructive' });
      onClose();
    });
    // oxlint-disable-next-line react/exhaustive-deps -- the week as it was when the dialog opened
  }, [canvas]);
  async function send(): Promise<void> {
    if (!picture) return;
    if (await sharePicture(picture)) toast({ title: 'Picture saved', variant: 'success' });
    onClose();
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Share your week"
      actions={
        <>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button aria-disabled={picture === null} aria-busy={picture === null} onClick={() => void send()}>
            {canShare() ? 'Share picture' : 'Save picture'}
          </Button>
        </>
      }
    >
      <canvas
        ref={setCanvas}
        width={WIDTH}
        height={HEIGHT}
        aria-hidden
        className="mx-auto aspect-4/5 max-h-[52dvh] max-w-full rounded-lg"
      />
      <p className="mt-3 text-sm text-muted">
        It shows these projects and how you voted, without days. Who sees it can look for these votes in the public
        record.
      </p>
    </Dialog>
  );
}
