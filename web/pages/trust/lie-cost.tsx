import { Scale } from 'lucide-react';
import { useState } from 'react';
import {
  type Cost,
  costText,
  ORDER_TITLES,
  otherFigures,
  SIMULATED_ORDERS,
  type SimulatedTable,
  STRATEGIES,
  WORLD_TITLES,
} from '#shared/simulation.ts';
import stored from '#shared/simulation.json' with { type: 'json' };
import { Fold } from '../../ui/fold.tsx';

const TABLES = stored as readonly SimulatedTable[];
const ROWS = TABLES.flatMap(({ rows }) => rows);
const AT_ONCE = Math.max(...ROWS.map(({ tenSui }) => tenSui.atOnce));
const LASTING = Math.max(...ROWS.map(({ tenSui }) => tenSui.lasting));
const HARMED = ROWS.reduce((sum, { harmed }) => sum + harmed, 0);
const BYSTANDERS = ROWS.reduce((sum, { bystanders }) => sum + bystanders, 0);

const HEADS = [
  'Strategy',
  'Wallets that tried',
  ...SIMULATED_ORDERS.map((order) => ORDER_TITLES[order]),
  'Wallets that 10 SUI verify at one time',
  'Verified for good, per 35 days',
  'Snaps that the payout rule would pay in 64 days',
  'Honest wallets harmed',
  'SUI spent',
];

function Goals({ first, points }: { first: Cost; points: Cost }) {
  return (
    <td className="min-w-56 px-3 py-2">
      Rank 1: {costText(first)}
      <br />
      +10 points: {costText(points)}
    </td>
  );
}

function Rows({ rows, label }: { rows: SimulatedTable['rows']; label: string }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard
    <section aria-label={`${label}, as a table`} tabIndex={0} className="max-h-128 overflow-auto">
      <table className="w-full text-left text-sm">
        <thead>
          <tr className="border-b border-line align-bottom">
            {HEADS.map((head) => (
              <th key={head} scope="col" className="px-3 py-2 font-semibold first:pl-0">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line align-top">
          {rows.map((row) => {
            const { atOnce, lasting, snaps, harmed, spent } = otherFigures(row);
            return (
              <tr key={row.strategy}>
                <th scope="row" className="min-w-60 py-2 pr-3 font-normal">
                  {STRATEGIES[row.strategy]}
                </th>
                <td className="px-3 py-2">{row.tried.toLocaleString()}</td>
                {SIMULATED_ORDERS.map((order) => (
                  <Goals key={order} {...row.goals[order]} />
                ))}
                {Object.entries({ atOnce, lasting, snaps, harmed, spent }).map(([figure, text]) => (
                  <td key={figure} className="px-3 py-2">
                    {text}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function Table({ table }: { table: SimulatedTable }) {
  const [isOpen, setOpen] = useState(false);
  const label = WORLD_TITLES[table.world];
  const [projects, voters] = [table.projects, table.voters].map((count) => count.toLocaleString());
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="inline-flex min-h-11 items-center text-link underline underline-offset-4">
        {label}: {projects} projects, {voters} voters
      </summary>
      {isOpen ? <Rows rows={table.rows} label={label} /> : null}
    </details>
  );
}

export function LieCost() {
  return (
    <Fold id="lie-cost" title="What faking votes costs" icon={<Scale aria-hidden size={20} className="text-link" />}>
      <div className="grid gap-3">
        <p className="max-w-prose text-muted">
          We ran strategies against simulated sites, with the code that runs here. With 10 SUI, none had more than{' '}
          {AT_ONCE} wallets verified at one time, or {LASTING.toLocaleString()} for good per 35 days. Of {BYSTANDERS}{' '}
          honest wallets on the same networks, or read by a failing node, {HARMED} were harmed.
        </p>
        <p className="max-w-prose text-muted">
          The tables show what lifts a project from the middle to rank 1, or by 10 points: how many wallets, how much
          SUI held at one time, and how many days since the first sign-in. '–' means that the wallets that tried were
          too few. Counts of all votes cost no SUI to fake, which is why verified ones are shown with them.
        </p>
        {TABLES.map((table) => (
          <Table key={table.world} table={table} />
        ))}
      </div>
    </Fold>
  );
}
