import { Coins, FlaskConical, PencilLine } from 'lucide-react';
import { useState } from 'react';
import { cleanLine } from '#shared/clean-text.ts';
import { type CoinErrors, type CoinTerms, NEVER_TRIED, validateCoinTerms } from '#shared/coin-rules.ts';
import type { CoinDraft } from '#shared/contract/coin.ts';
import { formatSui, parseMist } from '#shared/money.ts';
import { plural } from '#shared/plural.ts';
import { shortenAddress } from '#shared/text.ts';
import { api } from '../../../lib/api.ts';
import { Button } from '../../../ui/button.tsx';
import { Card, CardTitle } from '../../../ui/card.tsx';
import { Field, Input } from '../../../ui/field.tsx';
import { useAct } from '../act.tsx';
import { TOUCHED } from '../admin-queries.ts';
import { publishCoin } from './publish.ts';

type Typed = Record<keyof CoinTerms, string>;

const FIELDS = [
  { field: 'name', label: 'Name', hint: 'As wallets show it, for example Reef Snaps.', isNumber: false },
  { field: 'symbol', label: 'Symbol', hint: 'For example REEF.', isNumber: false },
  { field: 'decimals', label: 'Decimals', hint: 'The same as SNAPS_DECIMALS.', isNumber: true },
  { field: 'firstSupply', label: 'First supply', hint: 'In whole Snaps. You can mint more later.', isNumber: true },
] as const;

const numberOf = (text: string): number => (/^\d+$/.test(text.trim()) ? Number(text.trim()) : Number.NaN);

const termsOf = ({ name, symbol, decimals, firstSupply }: Typed): CoinTerms => ({
  name: cleanLine(name),
  symbol: symbol.trim(),
  decimals: numberOf(decimals),
  firstSupply: numberOf(firstSupply),
});

function Terms({ decimals, onDraft }: { decimals: number; onDraft: (draft: CoinDraft) => void }) {
  const [typed, setTyped] = useState<Typed>({ name: '', symbol: '', decimals: String(decimals), firstSupply: '' });
  const [errors, setErrors] = useState<CoinErrors>({});
  const { mutate, isPending } = useAct<CoinDraft, CoinTerms>({
    call: (headers, body) => api.prepareCoin({ body, headers }),
    done: (draft) => onDraft(draft),
    failedTitle: 'No preview',
    failed: 'The dry run failed',
  });
  return (
    <form
      noValidate
      className="grid items-start gap-4 sm:grid-cols-2"
      onSubmit={(event) => {
        event.preventDefault();
        const terms = termsOf(typed);
        const found = validateCoinTerms(terms, decimals);
        setErrors(found);
        if (Object.keys(found).length === 0) mutate(terms);
      }}
    >
      {FIELDS.map(({ field, label, hint, isNumber }) => (
        <Field key={field} label={label} hint={hint} error={errors[field] ?? null}>
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              spellCheck={false}
              inputMode={isNumber ? 'numeric' : undefined}
              value={typed[field]}
              onChange={(event) => setTyped({ ...typed, [field]: event.target.value })}
            />
          )}
        </Field>
      ))}
      <Button type="submit" className="justify-self-start sm:col-span-2" busy={isPending ? 'Running...' : false}>
        <FlaskConical aria-hidden size={18} />
        Preview with a dry run
      </Button>
    </form>
  );
}

interface PreviewProps {
  draft: CoinDraft;
  replaces: string | null;
  onChange: () => void;
}

function Preview({ draft, replaces, onChange }: PreviewProps) {
  const { mutate, isPending } = useAct({
    call: () => publishCoin(draft, replaces),
    done: ({ state }) =>
      state === 'made'
        ? { title: 'The coin is on the chain', description: 'Its first supply is in your wallet.' }
        : { title: 'The chain has not answered yet', description: 'The server continues.', variant: 'default' },
    failedTitle: 'No coin was made',
    failed: 'The transaction could not be sent',
    refresh: TOUCHED.coin,
  });
  const facts: Array<[label: string, value: string]> = [
    ['Name', draft.name],
    ['Symbol', draft.symbol],
    ['Decimals', String(draft.decimals)],
    ['First supply', plural(draft.firstSupply, 'Snap')],
    ['Made and held by', shortenAddress(draft.sender)],
    ['Gas, by the dry run', `${formatSui(parseMist(draft.gasMist))} SUI`],
  ];
  return (
    <div className="grid grid-cols-1 gap-4">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 lg:grid-cols-3">
        {facts.map(([label, value]) => (
          <div key={label} className="grid min-w-0 content-start">
            <dt className="text-sm text-faint">{label}</dt>
            <dd className="font-semibold wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      <section aria-labelledby="never-tried" className="grid gap-2 rounded-lg border border-line bg-warn-soft p-4">
        <h3 id="never-tried" className="font-semibold">
          Never tried on a real node
        </h3>
        <ul className="list-disc ps-5 text-sm">
          {NEVER_TRIED.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </section>
      <div className="flex flex-wrap gap-2">
        <Button busy={isPending ? 'Publishing...' : false} onClick={() => mutate()}>
          <Coins aria-hidden size={18} />
          Sign and publish
        </Button>
        <Button variant="secondary" disabled={isPending} onClick={onChange}>
          <PencilLine aria-hidden size={18} />
          Change
        </Button>
      </div>
    </div>
  );
}

/** `replaces`: the publication whose coin the owner does not want to use. */
export function CoinForm({ decimals, replaces }: { decimals: number; replaces: string | null }) {
  const [draft, setDraft] = useState<CoinDraft | null>(null);
  return (
    <Card aria-labelledby="make-coin">
      <CardTitle id="make-coin" icon={<Coins aria-hidden size={20} className="text-link" />}>
        {draft ? 'Preview of the coin' : 'Make the coin of Snaps'}
      </CardTitle>
      {draft ? (
        <Preview draft={draft} replaces={replaces} onChange={() => setDraft(null)} />
      ) : (
        <div className="grid grid-cols-1 gap-4">
          <p className="text-muted">
            One transaction of your wallet publishes the coin. You hold the right to mint, and the first supply.
          </p>
          <Terms decimals={decimals} onDraft={setDraft} />
        </div>
      )}
    </Card>
  );
}
