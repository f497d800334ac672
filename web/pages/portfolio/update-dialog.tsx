import { useId, useState } from 'react';
import type { OwnProject } from '#shared/contract/projects.ts';
import { plural } from '#shared/numbers/plural.ts';
import { updateCategories } from '#shared/rules.ts';
import { ProjectFields } from '../../components/project-form/project-fields.tsx';
import { ORDER_FACTS, type OrderView } from '../../payments/open-phases.ts';
import { FEE_SUI } from '../../payments/order-toasts.ts';
import { type FieldErrors, isFormField } from '../../payments/project-draft.ts';
import { TermsNote } from '../../payments/terms-note.tsx';
import { usePaidFor } from '../../payments/use-paid-for.ts';
import { fieldErrorOf, useOrder } from '../../payments/use-order.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { changeErrors, changesIdentity, changesOf, toForm } from './update-draft.ts';

const BUSY = { idle: false, paying: 'Processing Payment...', placing: 'Updating Project...' } as const;

/** Changes a project for 5 SUI; only what changed is sent, and the listing does not get longer (S2.32, S5.4, R24). */
export function UpdateDialog({
  project,
  openOrder,
  onClose,
}: {
  project: OwnProject;
  openOrder: OrderView | null;
  onClose: () => void;
}) {
  const formId = useId();
  const [own] = useState(() => ({ id: project.id, form: toForm(project) }));
  const [form, setForm] = useState(own.form);
  const [errors, setErrors] = useState<FieldErrors>({});
  const { place, phase, isAdmin } = useOrder();
  const changes = changesOf(form, project);
  const isSame = Object.keys(changes).length === 0;
  const startsOver = project.totalVotes > 0 && changesIdentity(changes);
  const isBusy = phase !== 'idle';
  const openTitle = openOrder && ORDER_FACTS[openOrder.phase].title;
  usePaidFor(openOrder, onClose);

  async function save(): Promise<void> {
    const found = changeErrors(form, project);
    setErrors(found);
    if (isSame || Object.keys(found).length > 0) return;
    const outcome = await place({ purpose: 'update', projectId: project.id, changes });
    if (outcome === null) return;
    // An unsent payment can be cancelled: typed text stays until then.
    if (outcome.state === 'open' && ORDER_FACTS[outcome.phase].actions.length > 0) return;
    if (outcome.state !== 'failed') return onClose();
    const error = fieldErrorOf(outcome.error);
    if (error && isFormField(error.field)) setErrors({ [error.field]: error.message });
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => (open || isBusy ? undefined : onClose())}
      title="Update Project"
      description="Changes are live at once. The end of the listing does not change."
      className="sm:w-[min(44rem,calc(100vw-3rem))]"
      actions={
        <>
          <Button variant="ghost" disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} disabled={isSame} busy={BUSY[phase] || openTitle}>
            {isAdmin ? 'Update Project (FREE)' : `Pay ${FEE_SUI.update} SUI & Update`}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        className="grid gap-5 pt-1"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {openOrder && !isBusy ? (
          <output className="rounded-lg bg-raised p-3 text-text">
            <strong>{openTitle}.</strong> Close this dialog to see your options.
          </output>
        ) : null}
        <ProjectFields
          form={form}
          errors={errors}
          categories={updateCategories(project.category)}
          disabled={isBusy}
          own={own}
          onChange={(part) => {
            setForm((present) => ({ ...present, ...part }));
            setErrors({});
          }}
          onImageError={(imageUrl) => setErrors({ imageUrl })}
        />
        {startsOver ? (
          <p className="text-sm text-text">
            {project.totalVotes === 1 ? 'Its vote counts' : `All ${plural(project.totalVotes, 'vote')} will count`} as
            cast before this change. Its figures mention this until most votes are newer or confirmed, and in Verified
            and Trending only those votes can raise it. Its voters get a notice.
          </p>
        ) : null}
        {isAdmin ? null : <TermsNote className="text-sm text-muted" />}
      </form>
    </Dialog>
  );
}
