import { CheckCircle2, Wallet } from 'lucide-react';
import { useRef } from 'react';
import { LISTING_DAYS, SUBMIT_CATEGORIES } from '#shared/constants.ts';
import { ConnectButton } from '../../components/session/connect-button.tsx';
import { ProjectFields } from '../../components/project-form/project-fields.tsx';
import { FEE_SUI } from '../../payments/order-toasts.ts';
import type { FieldErrors } from '../../payments/project-draft.ts';
import { ORDER_FACTS } from '../../payments/open-phases.ts';
import { OpenPayments } from '../../payments/open-payments.tsx';
import { TermsNote } from '../../payments/terms-note.tsx';
import type { OrderStep } from '../../payments/use-order.ts';
import { OnDemand } from '../../components/states/on-demand.tsx';
import { loadable } from '../../lib/loadable.tsx';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { CardTitle } from '../../ui/card.tsx';
import { BeforePaying } from './before-paying.tsx';
import { FeeCard } from './fee-card.tsx';
import { useSubmitForm } from './use-submit-form.ts';

const liveCard = loadable(async () => (await import('./live-card.tsx')).LiveCard);

const BUSY: Record<OrderStep, string | false> = {
  idle: false,
  paying: 'Processing Payment...',
  placing: 'Submitting Project...',
};

function ConnectAlert() {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center justify-between gap-3 rounded-xl border border-line bg-raised p-4"
    >
      <p className="flex items-center gap-3 font-semibold text-text">
        <Wallet aria-hidden size={20} className="shrink-0" />
        Please connect your wallet to submit a project
      </p>
      <ConnectButton />
    </div>
  );
}

function Done() {
  return (
    <output className="flex items-center gap-2 font-semibold text-text">
      <CheckCircle2 aria-hidden size={20} className="shrink-0" />
      Done. Taking you to the cards…
    </output>
  );
}

export function SubmitProjectPage() {
  const element = useRef<HTMLFormElement>(null);
  function focusFirstError(errors: FieldErrors): void {
    const inputs = element.current?.querySelectorAll<HTMLElement>('[data-field]') ?? [];
    Array.from(inputs)
      .find((input) => (input.dataset.field ?? '') in errors)
      ?.focus();
  }
  const submission = useSubmitForm(focusFirstError);
  const { form, shown, errors, phase, isAdmin, isDone, isConnected, userId, openOrder, change, submit, rejectImage } =
    submission;
  const openTitle = openOrder && ORDER_FACTS[openOrder.phase].title;
  const isBusy = phase !== 'idle';
  return (
    <div className="page flex flex-col gap-4 py-4 md:gap-5 md:py-6 lg:grid lg:grid-cols-[minmax(0,1fr)_20rem] lg:gap-16">
      <div className="contents content-start gap-5 lg:grid">
        <header className="grid gap-1">
          <h1 className="text-2xl md:text-4xl">Submit Your Project</h1>
          <p className="text-muted md:text-lg">
            One card, {LISTING_DAYS} days, every voter. Results are public and permanent.
          </p>
        </header>
        {isConnected ? null : <ConnectAlert />}
        {userId === null ? null : <OpenPayments userId={userId} />}
        <BeforePaying />
        <section aria-labelledby="project-details" className="min-w-0 max-lg:order-last">
          <CardTitle id="project-details">Project Details</CardTitle>
          <form
            ref={element}
            noValidate
            className="grid gap-6"
            onSubmit={(event) => {
              event.preventDefault();
              void submit();
            }}
          >
            <ProjectFields
              form={form}
              errors={errors}
              categories={SUBMIT_CATEGORIES}
              disabled={isBusy}
              onChange={change}
              onImageError={rejectImage}
            />
            <FeeCard isAdmin={isAdmin} />
            <div className="flex flex-wrap items-center gap-4">
              <Button
                type="submit"
                size="lg"
                busy={BUSY[phase] || openTitle}
                disabled={isDone}
                className="w-full sm:w-auto"
              >
                {isAdmin ? 'Submit Project (FREE - Admin)' : `Pay ${FEE_SUI.submit} SUI & Submit Project`}
              </Button>
              {isDone ? <Done /> : null}
              {isAdmin ? null : <TermsNote className="basis-full text-sm text-muted" />}
            </div>
          </form>
        </section>
      </div>
      <div className="contents lg:block">
        <OnDemand
          name="The card"
          onRetry={liveCard.retry}
          loading={<Skeleton className="h-18 w-full shrink-0 lg:h-112" />}
        >
          <liveCard.Part form={shown} />
        </OnDemand>
      </div>
    </div>
  );
}
