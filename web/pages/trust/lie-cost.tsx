import cost from '#shared/figures/lie-cost.json' with { type: 'json' };
import { Fold } from '../../ui/fold.tsx';

export function LieCost() {
  return (
    <Fold id="lie-cost" title="What faking votes costs">
      <div className="grid gap-3">
        <p className="max-w-prose text-muted">
          We ran attacks against simulated sites, with the code that runs here. With {cost.sui} SUI, none had more than{' '}
          {cost.atOnce} wallets verified at one time, or {Math.round(cost.lasting)} for good per 35 days; patience buys
          more, {cost.halfYear} in half a year. Of {cost.bystanders} honest wallets read by a failing node,{' '}
          {cost.harmed} lost a verified vote. Counts of all votes cost no SUI to fake, which is why verified ones are
          shown with them.
        </p>
        <a href="/trust/standing" className="justify-self-start text-link underline underline-offset-4">
          The rules, the attacks and their prices
        </a>
      </div>
    </Fold>
  );
}
