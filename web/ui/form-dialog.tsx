import { type ReactNode, type RefObject, useId } from 'react';
import { Button } from './button.tsx';
import { cn } from './class-names.ts';
import { Dialog } from './dialog.tsx';

interface FormDialogProps {
  /** Closed, it is still there until it has faded out. */
  open?: boolean;
  title: ReactNode;
  description: ReactNode;
  /** Words on the button that submits. */
  action: ReactNode;
  /** Shown on that button while the form is being sent; nothing closes the dialog until then. */
  busy: ReactNode;
  /** Nothing can be submitted now. */
  disabled?: boolean;
  onClose: () => void;
  onSubmit: () => void;
  /** The control that gets the focus first. */
  focusRef?: RefObject<HTMLElement | null> | undefined;
  /** Class of the form in the dialog. */
  className?: string;
  children: ReactNode;
}

/** A dialog that asks for input, with Cancel and a button that submits; Enter submits as well. */
export function FormDialog({
  open = true,
  title,
  description,
  action,
  busy,
  disabled,
  onClose,
  onSubmit,
  focusRef,
  className = 'gap-4',
  children,
}: FormDialogProps) {
  const formId = useId();
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => (next || busy ? undefined : onClose())}
      title={title}
      description={description}
      focusRef={focusRef}
      actions={
        <>
          <Button variant="ghost" disabled={Boolean(busy)} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} disabled={disabled} busy={busy}>
            {action}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        className={cn('grid', className)}
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
