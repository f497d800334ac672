import { isolated } from '#shared/text/isolated.ts';
import { Coins } from 'lucide-react';
import { useState } from 'react';
import type { ModeratedProject } from '#shared/contract/admin.ts';
import { PROJECT_FIELDS } from '#shared/listings/project-fields.ts';
import { api } from '../../../lib/api.ts';
import { Field, Input } from '../../../ui/field.tsx';
import { Act } from '../act.tsx';

type Coin = Record<'coinType' | 'packageId', string>;

const FIELDS = (['coinType', 'packageId'] as const).map((field) => ({ field, ...PROJECT_FIELDS[field] }));

function CoinFields({ coin, onChange }: { coin: Coin; onChange: (coin: Coin) => void }) {
  return FIELDS.map(({ field, label, placeholder }) => (
    <Field key={field} label={label} error={null}>
      {(aria) => (
        <Input
          {...aria}
          value={coin[field]}
          autoComplete="off"
          placeholder={placeholder}
          onChange={(event) => onChange({ ...coin, [field]: event.target.value })}
        />
      )}
    </Field>
  ));
}

export function ProjectCoin({ project }: { project: ModeratedProject }) {
  const { id, name, coinType, packageId } = project;
  const present = { coinType: coinType ?? '', packageId: packageId ?? '' };
  const [coin, setCoin] = useState<Coin>(present);
  const params = { id: String(id) };
  const shared = { variant: 'ghost', failed: 'Failed to change the ownership' } as const;
  return (
    <>
      <Act
        {...shared}
        word="Coin"
        label={`Coin of ${isolated(name)}`}
        Icon={Coins}
        onOpen={() => setCoin(present)}
        ask={{
          title: 'Set coin and package',
          description:
            'A wallet that controls what you set is shown as the proven owner. A proof for another coin is lost. The owner can read your reason.',
          action: 'Set coin',
          children: <CoinFields coin={coin} onChange={setCoin} />,
        }}
        call={(headers, reason) => api.setCoin({ params, body: { ...coin, reason }, headers })}
        done={{ title: 'Coin set', description: name }}
      />
      <Act
        {...shared}
        word="Accept ownership"
        when={(coinType ?? packageId) !== null}
        needs="acceptOwnership"
        label={`Accept ownership of ${isolated(name)}`}
        ask={{
          title: 'Accept ownership by hand',
          description: 'For a coin whose cap was burnt. Everybody can read your reason.',
        }}
        call={(headers, reason) => api.acceptOwnership({ params, body: { reason }, headers })}
        done={{ title: 'Ownership accepted', description: name }}
      />
    </>
  );
}
