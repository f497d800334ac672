import { isolated } from '#shared/text/isolated.ts';
import { Copy } from 'lucide-react';
import { neededObjects, TAKE_OVER } from '#shared/listings/ownership.ts';
import { copyText } from '../../lib/copy-text.ts';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import type { ProjectView } from './project-view.ts';

interface ClaimDialogProps {
  project: ProjectView;
  /** Another wallet lists it. */
  isTakeOver: boolean;
  /** The wallet is connected. */
  isSignedIn: boolean;
  /** A vote of this wallet may exist, which others could then tell. */
  showsVote: boolean;
  isPending: boolean;
  onClose: () => void;
  onClaim: () => void;
  onConnect: () => void;
  onReport: () => void;
}

/** Names the objects that a wallet must hold to claim a listing of the catalogue (R92). */
export function ClaimDialog({
  project,
  isTakeOver,
  isSignedIn,
  showsVote,
  isPending,
  onClose,
  onClaim,
  onConnect,
  onReport,
}: ClaimDialogProps) {
  const { name, coinType, packageId } = project;
  const named = coinType ?? packageId ?? '';
  return (
    <FormDialog
      title={`Claim ${isolated(name)}?`}
      description={`Your wallet must hold the ${neededObjects(project)} at this moment. Nothing moves: the site reads the chain. ${isTakeOver ? TAKE_OVER : 'Then the listing is yours.'}`}
      action={isSignedIn ? 'Claim this listing' : 'Connect Wallet'}
      busy={isPending ? 'Asking the chain...' : false}
      onClose={onClose}
      onSubmit={isSignedIn ? onClaim : onConnect}
    >
      <p className="flex items-center gap-2 rounded-lg bg-raised py-1 pe-1 ps-3 text-sm">
        <code className="min-w-0 flex-1 wrap-anywhere">{named}</code>
        <Button variant="ghost" aria-label="Copy the coin or package" onClick={() => void copyText(named)}>
          <Copy aria-hidden size={18} />
        </Button>
      </p>
      {showsVote ? (
        <p className="text-sm">
          Your own vote on a listing does not count once it is yours. The public record then shows one vote on it as
          excluded: others can tell that it was yours, and whether it was bullish or bearish.
        </p>
      ) : null}
      <button type="button" onClick={onReport} className="justify-self-start text-start text-sm text-link underline">
        Yours has another coin, or its cap is gone? Tell a moderator
      </button>
    </FormDialog>
  );
}
