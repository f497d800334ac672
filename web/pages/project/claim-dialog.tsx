import { FormDialog } from '../../ui/form-dialog.tsx';

interface ClaimDialogProps {
  name: string;
  isPending: boolean;
  onClose: () => void;
  onClaim: () => void;
}

export function ClaimDialog({ name, isPending, onClose, onClaim }: ClaimDialogProps) {
  return (
    <FormDialog
      title={`Claim ${name}?`}
      description="Your own vote on a listing does not count once it is yours. The public record then shows one vote on it as excluded: others can tell that it was yours, and whether it was bullish or bearish."
      action="Claim this listing"
      busy={isPending ? 'Asking the chain...' : false}
      onClose={onClose}
      onSubmit={onClaim}
    >
      {null}
    </FormDialog>
  );
}
