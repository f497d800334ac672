import { Check, Crown, Rocket, Sparkles, type LucideIcon } from 'lucide-react';
import { useId } from 'react';
import { PLAN_PRICES_SUI } from '#shared/constants.ts';
import { ConnectGate } from '../../components/session/connect-gate.tsx';
import { useSession } from '../../lib/session.ts';
import { toast } from '../../lib/toast.ts';
import { Button } from '../../ui/button.tsx';
import { cn } from '../../ui/class-names.ts';

interface Plan {
  name: string;
  priceSui: number;
  Icon: LucideIcon;
  features: string[];
  popular?: true;
}

const PLANS: Plan[] = [
  {
    name: 'Basic',
    priceSui: PLAN_PRICES_SUI.basic,
    Icon: Sparkles,
    features: ['50 votes per day', 'Standard snap rewards', 'Community access', 'Email support'],
  },
  {
    name: 'Pro',
    priceSui: PLAN_PRICES_SUI.pro,
    Icon: Rocket,
    popular: true,
    features: [
      'Unlimited votes',
      '2x snap rewards',
      'Premium analytics dashboard',
      'Early project access',
      'Priority support',
    ],
  },
  {
    name: 'Elite',
    priceSui: PLAN_PRICES_SUI.elite,
    Icon: Crown,
    features: [
      'Unlimited votes',
      '3x rewards',
      'Advanced analytics and insights',
      'Exclusive project previews',
      'Governance rights',
      'VIP support and perks',
    ],
  },
];

function buy(plan: Plan): void {
  toast({
    title: 'Subscription purchased!',
    description: `${plan.name} plan has been successfully activated.`,
    variant: 'success',
  });
}

function PlanCard({ plan }: { plan: Plan }) {
  const id = useId();
  const { name, priceSui, Icon, features, popular } = plan;
  return (
    <section
      aria-labelledby={id}
      className={cn(
        'panel relative flex flex-col gap-5 p-6',
        popular ? 'border-accent shadow-float lg:-my-4 lg:py-10' : '',
      )}
    >
      {popular ? (
        <p
          lang="de"
          className="absolute -top-4 end-6 rotate-3 rounded-full bg-accent px-4 py-1 font-bold text-on-accent shadow-card"
        >
          Beliebt
        </p>
      ) : null}
      <h2 id={id} className="flex items-center gap-3 text-2xl">
        <span className="grid size-12 -rotate-6 place-items-center rounded-lg bg-raised text-muted">
          <Icon aria-hidden size={24} />
        </span>
        {name}
      </h2>
      <p className="flex items-baseline gap-2">
        <span className="display text-6xl">{priceSui}</span>
        <span className="text-lg font-semibold text-muted">SUI</span>
      </p>
      <ul className="grid flex-1 content-start gap-2.5">
        {features.map((feature) => (
          <li key={feature} className="flex gap-2.5">
            <Check aria-hidden size={20} className="mt-0.5 shrink-0 text-text" />
            {feature}
          </li>
        ))}
      </ul>
      <Button
        lang="de"
        size="lg"
        variant={popular ? 'primary' : 'secondary'}
        aria-describedby={id}
        onClick={() => buy(plan)}
      >
        Jetzt kaufen
      </Button>
    </section>
  );
}

export function SubscriptionPage() {
  const { status } = useSession();
  if (status === 'none') return <ConnectGate>Connect it to see the plans.</ConnectGate>;
  return (
    <div className="page grid gap-10 py-8 md:py-14 lg:gap-14">
      <header className="grid justify-items-center gap-3 text-center">
        <h1 className="text-4xl">Choose Your Plan</h1>
        <p className="max-w-prose text-lg text-muted">
          This is a preview: nothing is charged, and your limits do not change yet.
        </p>
      </header>
      <div className="mx-auto grid w-full max-w-md gap-8 lg:max-w-none lg:grid-cols-3 lg:gap-6">
        {PLANS.map((plan) => (
          <PlanCard key={plan.name} plan={plan} />
        ))}
      </div>
    </div>
  );
}
