import { useMutation } from '@tanstack/react-query';
import { Coins } from 'lucide-react';
import { useState } from 'react';
import type { ModeratedProject } from '#shared/contract/admin.ts';
import { PROJECT_FIELDS } from '#shared/project-fields.ts';
import { mayCall } from '#shared/roles.ts';
import { api } from '../../../lib/api.ts';
import { useSessionUser } from '../../../lib/session.ts';
import { toast } from '../../../lib/toast.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, Input } from '../../../ui/field.tsx';
import { adminRequest, showFailure } from '../admin-session.ts';
import { ReasonDialog } from '../reason-dialog.tsx';
import { refreshModerated } from './moderate.ts';

type Act = 'coin' | 'accept';
type Coin = Record<'coinType' | 'packageId' | 'coinMinimum', string>;

const FIELDS = [
  ...(['coinType', 'packageId'] as const).map((field) => ({ field, ...PROJECT_FIELDS[field] })),
  { field: 'coinMinimum', label: 'Holders have at least (whole units)', placeholder: '1' },
] as const;

const WORDS: Record<Act, { title: string; description: string; action: string; done: string }> = {
  coin: {
    title: 'Set coin and package',
    description:
      'A wallet that controls what you set is shown as the proven owner. A proof for another coin is lost. The owner can read your reason.',
    action: 'Set coin',
    done: 'Coin set',
  },
  accept: {
    title: 'Accept ownership by hand',
    description: 'For a coin whose cap was burnt. Everybody can read your reason.',
    action: 'Accept ownership',
    done: 'Ownership accepted',
  },
};

function CoinFields({ coin, onChange }: { coin: Coin; onChange: (coin: Coin) => void }) {
  return FIELDS.map(({ field, label, placeholder }) => (
    <Field key={field} label={label} error={null}>
      {(aria) => (
        <Input
          {...aria}
          value={coin[field]}
          autoComplete="off"
          inputMode={field === 'coinMinimum' ? 'numeric' : undefined}
          placeholder={placeholder}
          onChange={(event) => onChange({ ...coin, [field]: event.target.value })}
        />
      )}
    </Field>
  ));
}

/** A moderator's word on which coin a project has, and the admin's on who owns it (R71). */
export function ProjectCoin({ project }: { project: ModeratedProject }) {
  const [act, setAct] = useState<Act | null>(null);
  const [coin, setCoin] = useState<Coin>({ coinType: '', packageId: '', coinMinimum: '1' });
  const role = useSessionUser()?.role;
  const mayAccept = role !== undefined && mayCall(role, 'acceptOwnership');
  const { mutate, isPending } = useMutation({
    mutationFn: ({ done, reason }: { done: Act; reason: string }) =>
      adminRequest((headers) => {
        const params = { id: String(project.id) };
        return done === 'coin'
          ? api.setCoin({ params, body: { ...coin, coinMinimum: Number(coin.coinMinimum || '1'), reason }, headers })
          : api.acceptOwnership({ params, body: { reason }, headers });
      }),
    onSuccess: (_, { done }) => {
      setAct(null);
      toast({ title: WORDS[done].done, description: project.name, variant: 'success' });
    },
    onError: (error) => showFailure('Error', error, 'Failed to change the ownership'),
    onSettled: refreshModerated,
  });
  function open(): void {
    setCoin({
      coinType: project.coinType ?? '',
      packageId: project.packageId ?? '',
      coinMinimum: String(project.coinMinimum),
    });
    setAct('coin');
  }
  return (
    <>
      <Button variant="ghost" aria-label={`Coin of ${project.name}`} onClick={open}>
        <Coins aria-hidden size={18} />
        Coin
      </Button>
      {mayAccept && (project.coinType ?? project.packageId) !== null ? (
        <Button variant="ghost" aria-label={`Accept ownership of ${project.name}`} onClick={() => setAct('accept')}>
          Accept ownership
        </Button>
      ) : null}
      {act ? (
        <ReasonDialog
          {...WORDS[act]}
          busy={isPending ? 'Saving...' : false}
          onClose={() => setAct(null)}
          onSubmit={(reason) => mutate({ done: act, reason })}
        >
          {act === 'coin' ? <CoinFields coin={coin} onChange={setCoin} /> : null}
        </ReasonDialog>
      ) : null}
    </>
  );
}
