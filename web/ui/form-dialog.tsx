import { type ReactNode, useId } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface FormDialogProps {
  title: ReactNode;
  description: ReactNode;
  /** Words on the button that submits. */
  action: ReactNode;
  /** Shown on that button while the form is being sent; nothing closes the dialog meanwhile. */
  busy: ReactNode;
  onClose: () => void;
  onSubmit: () => void;
  children: ReactNode;
}

/** A dialog that asks for input, with Cancel and a button that submits; Enter submits as well. */
export function FormDialog({ title, description, action, busy, onClose, onSubmit, children }: FormDialogProps) {
  const formId = useId();
  return (
    <Dialog
      open
      onOpenChange={(open) => (open || busy ? undefined : onClose())}
      title={title}
      description={description}
      actions={
        <>
          <Button variant="ghost" disabled={Boolean(busy)} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} busy={busy}>
            {action}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
      </form>
    </Dialog>
  );
}
