import { errorText } from './api-error.ts';
import { toast } from './toast.ts';

/** `fallback` is shown for an error without a message. */
export const toastError = (title: string, error: unknown, fallback: string): number =>
  toast({ title, description: errorText(error, fallback), variant: 'destructive' });
