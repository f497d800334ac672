import { expectAccessible } from './accessibility.ts';
import { expect, test, toastOf } from './fixtures.ts';

const PLANS = [
  ['Basic', '10', ['50 votes per day', 'Standard snap rewards', 'Community access', 'Email support']],
  [
    'Pro',
    '25',
    ['Unlimited votes', '2x snap rewards', 'Premium analytics dashboard', 'Early project access', 'Priority support'],
  ],
  [
    'Elite',
    '50',
    [
      'Unlimited votes',
      '3x rewards',
      'Advanced analytics and insights',
      'Exclusive project previews',
      'Governance rights',
      'VIP support and perks',
    ],
  ],
] as const;

test('/subscription shows three plans with prices and features [S2.20 S2.21 S2.22]', async ({ page, newUser }) => {
  await newUser();
  await page.goto('/subscription');
  await expect(page.getByRole('heading', { level: 1, name: 'Choose Your Plan' })).toBeVisible();
  for (const [name, price, features] of PLANS) {
    const plan = page.getByRole('region', { name });
    await expect(plan.getByText(price, { exact: true })).toBeVisible();
    await expect(plan.getByRole('listitem')).toHaveText([...features]);
    await expect(plan.getByRole('button', { name: 'Jetzt kaufen' })).toHaveAttribute('lang', 'de');
  }
  await expect(page.getByText('Beliebt')).toHaveAttribute('lang', 'de');
});

test('/subscription asks a visitor to connect; a user who buys a plan in the preview sees a toast, and no call is made [S2.19 S2.23 R30]', async ({
  page: visitor,
  newUserElsewhere,
}) => {
  await visitor.goto('/subscription');
  await expect(visitor.getByRole('heading', { name: 'Please connect your wallet' })).toBeVisible();
  await expectAccessible(visitor);

  const { page } = await newUserElsewhere();
  await page.goto('/subscription');
  await expect(page.getByText(/preview: nothing is charged, and your limits do not change yet/)).toBeVisible();
  const writes: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') writes.push(request.url());
  });
  await page.getByRole('region', { name: 'Pro' }).getByRole('button', { name: 'Jetzt kaufen' }).click();
  await expect(toastOf(page).getByText('Subscription purchased!')).toBeVisible();
  await expect(toastOf(page).getByText('Pro plan has been successfully activated.')).toBeVisible();
  expect(writes).toEqual([]);
});
