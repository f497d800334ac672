import { useMutation } from '@tanstack/react-query';
import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { queryClient } from '../../lib/queries.ts';
import { toast, type ToastOptions } from '../../lib/toast.ts';
import { Button, type ButtonVariant } from '../../ui/button.tsx';
import { adminRequest } from './admin-session.ts';
import { ReasonDialog } from './reason-dialog.tsx';
import { toastError } from '../../lib/toast-error.ts';

export interface ActOptions<Out, In> {
  call: (headers: Record<string, string>, input: In) => Promise<Out>;
  done: ToastOptions | ((result: Out, input: In) => ToastOptions | void);
  failed: string;
  failedTitle?: string;
  refresh?: readonly (readonly unknown[])[];
}

export function useAct<Out, In = void>({
  call,
  done,
  failed,
  failedTitle = 'Error',
  refresh = [],
}: ActOptions<Out, In>) {
  return useMutation({
    mutationFn: (input: In) => adminRequest((headers) => call(headers, input)),
    onSuccess: (result, input) => {
      const words = typeof done === 'function' ? done(result, input) : done;
      if (words) toast({ variant: 'success', ...words });
    },
    onError: (error) => toastError(failedTitle, error, failed),
    onSettled: () => Promise.all(refresh.map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  });
}

export interface Ask {
  title: string;
  description: string;
  action: string;
  label?: string;
  children?: ReactNode;
}

interface ActProps<Out> extends ActOptions<Out, string> {
  word: ReactNode;
  label?: string;
  Icon?: LucideIcon;
  variant?: ButtonVariant;
  className?: string;
  busy?: string;
  ask?: Ask;
  onOpen?: () => void;
}

export function Act<Out>({
  word,
  label,
  Icon,
  variant = 'secondary',
  className,
  busy = 'Saving...',
  ask,
  onOpen,
  done,
  ...options
}: ActProps<Out>) {
  const [isAsking, setAsking] = useState(false);
  const { mutate, isPending } = useAct<Out, string>({
    ...options,
    done: (result, reason) => {
      setAsking(false);
      return typeof done === 'function' ? done(result, reason) : done;
    },
  });
  function press(): void {
    if (!ask) return mutate('');
    onOpen?.();
    setAsking(true);
  }
  return (
    <>
      <Button
        variant={variant}
        className={className}
        aria-label={label}
        busy={isPending && !isAsking ? busy : false}
        onClick={press}
      >
        {Icon ? <Icon aria-hidden size={18} /> : null}
        {word}
      </Button>
      {ask && isAsking ? (
        <ReasonDialog
          {...ask}
          busy={isPending ? busy : false}
          onClose={() => setAsking(false)}
          onSubmit={(reason) => mutate(reason)}
        />
      ) : null}
    </>
  );
}
