import { useMutation } from '@tanstack/react-query';
import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { EndpointName } from '#shared/endpoints.ts';
import { mayCall } from '#shared/people/roles.ts';
import { queryClient } from '../../lib/queries.ts';
import { useSessionUser } from '../../lib/session.ts';
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
}

/** Lists of the panel and pages of users show what an act changes: all that is on the screen is read again. */
export function useAct<Out, In = void>({ call, done, failed, failedTitle = 'Error' }: ActOptions<Out, In>) {
  return useMutation({
    mutationFn: (input: In) => adminRequest((headers) => call(headers, input)),
    onSuccess: (result, input) => {
      const words = typeof done === 'function' ? done(result, input) : done;
      if (words) toast({ variant: 'success', ...words });
    },
    onError: (error) => toastError(failedTitle, error, failed),
    onSettled: () => queryClient.invalidateQueries(),
  });
}

export interface Ask {
  title: string;
  description: string;
  /** The word of the act itself, unless the dialog says it otherwise. */
  action?: string;
  label?: string;
  children?: ReactNode;
}

export interface ActProps<Out> extends ActOptions<Out, string> {
  word: string;
  /** Offered only then. */
  when?: boolean;
  /** The endpoint that the act calls, where not every role that sees it may call it. */
  needs?: EndpointName;
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
  when = true,
  needs,
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
  const role = useSessionUser()?.role;
  if (!when || (needs && !(role && mayCall(role, needs)))) return null;
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
          action={word}
          {...ask}
          busy={isPending ? busy : false}
          onClose={() => setAsking(false)}
          onSubmit={(reason) => mutate(reason)}
        />
      ) : null}
    </>
  );
}
