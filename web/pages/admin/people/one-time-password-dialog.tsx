import { Copy } from 'lucide-react';
import type { OneTimePassword } from '#shared/contract/people.ts';
import { ONE_TIME_PASSWORD_HOURS } from '#shared/people/roles.ts';
import { shortenAddress } from '#shared/text/text.ts';
import { copyText } from '../../../lib/copy-text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';

interface OneTimePasswordDialogProps {
  password: OneTimePassword;
  onClose: () => void;
}

export function OneTimePasswordDialog({ password: { wallet, oneTimePassword }, onClose }: OneTimePasswordDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="One-time password"
      description={`For ${shortenAddress(wallet)}. It is shown only now: share it over a secure channel.`}
      actions={<Button onClick={onClose}>Done</Button>}
    >
      <div className="grid gap-3">
        <p className="rounded-md border border-line bg-raised p-4 text-center font-mono text-lg wrap-anywhere select-all">
          {oneTimePassword}
        </p>
        <Button variant="secondary" className="justify-self-start" onClick={() => void copyText(oneTimePassword)}>
          <Copy aria-hidden size={18} />
          Copy
        </Button>
        <p className="text-sm text-muted">
          It works once, within {ONE_TIME_PASSWORD_HOURS} hours, and only with that wallet: at the first login the
          person chooses a password of their own.
        </p>
      </div>
    </Dialog>
  );
}
