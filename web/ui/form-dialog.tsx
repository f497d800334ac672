import { type ReactNode, type RefObject, useId } from 'react';
import { Button } from './button.tsx';
import { cn } from './class-names.ts';
import { Dialog } from './dialog.tsx';

interface FormDialogProps {
  open?: boolean;
  title: ReactNode;
  description: ReactNode;
  action: ReactNode;
  busy: ReactNode;
  disabled?: boolean;
  onClose: () => void;
  onSubmit: () => void;
  focusRef?: RefObject<HTMLElement | null> | undefined;
  className?: string;
  children: ReactNode;
}

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
