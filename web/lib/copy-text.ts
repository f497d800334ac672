import { toast } from './toast.ts';

export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast({ title: 'Copied to clipboard!', variant: 'success' });
  } catch (error) {
    console.warn('The clipboard could not be written', error);
    toast({ title: 'Error', description: 'The browser does not allow copying', variant: 'destructive' });
  }
}
