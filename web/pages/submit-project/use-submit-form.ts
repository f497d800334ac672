import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { SUBMIT_REDIRECT_MS } from '#shared/constants.ts';
import { paths } from '../../lib/paths.ts';
import { blockingOrder, ORDER_FACTS, type OrderView } from '../../payments/open-phases.ts';
import {
  cleanForm,
  EMPTY_FORM,
  type FieldErrors,
  formErrors,
  isFormField,
  type ProjectForm,
} from '../../payments/project-draft.ts';
import { useOpenOrders } from '../../payments/use-open-orders.ts';
import { justListed } from '../../payments/just-listed.ts';
import { fieldErrorOf, useOrder } from '../../payments/use-order.ts';
import { usePaidFor } from '../../payments/use-paid-for.ts';
import { useSession } from '../../lib/session.ts';
import { toast } from '../../lib/toast.ts';
import { keepDraft, readDraft } from './stored-draft.ts';

function ofThisForm(open: OrderView | null, form: ProjectForm): OrderView | null {
  const name = cleanForm(form).name;
  return open && (name === '' || open.name === name) ? open : null;
}

export function useSubmitForm(focusFirstError: (errors: FieldErrors) => void) {
  const { user } = useSession();
  const [, navigate] = useLocation();
  const [form, setForm] = useState<ProjectForm>(() => {
    const coinType = new URLSearchParams(location.search).get('coin');
    return { ...readDraft(user?.id), ...(coinType === null ? {} : { coinType }) };
  });
  const [errors, setErrors] = useState<FieldErrors>({});
  const [done, setDone] = useState<ProjectForm | null>(null);
  const { place, phase, isAdmin } = useOrder();
  const redirect = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(redirect.current), []);
  const { views } = useOpenOrders(user?.id, true);
  const openOrder = blockingOrder(views, 'submit', null);

  function change(part: Partial<ProjectForm>): void {
    const next = { ...form, ...part };
    setForm(next);
    keepDraft(next, user?.id);
    setErrors((present) => {
      const left = { ...present };
      for (const field of Object.keys(part)) if (isFormField(field)) delete left[field];
      return left;
    });
  }

  const toFocus = useRef<FieldErrors | null>(null);
  useEffect(() => {
    if (phase !== 'idle' || toFocus.current === null) return;
    focusFirstError(toFocus.current);
    toFocus.current = null;
  });

  function showErrors(found: FieldErrors): void {
    setErrors(found);
    toFocus.current = found;
  }

  function finish(): void {
    setDone(form);
    setForm(EMPTY_FORM);
    keepDraft(null);
    redirect.current = setTimeout(() => {
      // Do not pull back a user who has navigated away.
      if (location.pathname === paths['submit-project']) navigate(paths.home);
    }, SUBMIT_REDIRECT_MS);
  }

  usePaidFor(ofThisForm(openOrder, form), finish);

  async function submit(): Promise<void> {
    if (phase !== 'idle' || done || openOrder) return;
    if (!user)
      return void toast({ title: 'Error', description: 'Please connect your wallet first', variant: 'destructive' });
    const found = formErrors(form);
    showErrors(found);
    const wrong = Object.values(found);
    if (wrong.length > 0) {
      const description = wrong.length === 1 ? wrong[0] : `${wrong.length} fields need your attention`;
      return void toast({ title: 'Error', description, variant: 'destructive' });
    }
    const outcome = await place({ purpose: 'submit', draft: cleanForm(form) });
    if (outcome === null) return;
    // An unsent payment can be cancelled: typed text stays until then.
    if (outcome.state === 'open' && ORDER_FACTS[outcome.phase].actions.length > 0) return;
    if (outcome.state === 'done') justListed.set(outcome.project.id);
    if (outcome.state !== 'failed') return finish();
    const error = fieldErrorOf(outcome.error);
    if (error && isFormField(error.field)) showErrors({ [error.field]: error.message });
  }

  return {
    form,
    errors,
    phase,
    isAdmin,
    isDone: done !== null,
    /** What the card shows: at the end, what was listed. */
    shown: done ?? form,
    isConnected: user !== null,
    userId: user?.id ?? null,
    openOrder,
    change,
    submit,
    rejectImage: (message: string) => setErrors((present) => ({ ...present, imageUrl: message })),
  };
}
