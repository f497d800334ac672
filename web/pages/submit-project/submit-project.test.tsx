// @vitest-environment happy-dom
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { getReach } from '#shared/contract/standing.ts';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { listPayments, preparePayment } from '#shared/contract/payments.ts';
import { createProject, findListed } from '#shared/contract/projects.ts';
import { queryClient } from '../../lib/queries.ts';
import { session } from '../../lib/session.ts';
import { toasts } from '../../lib/toast.ts';
import { journal } from '../../payments/journal.ts';
import { ADMIN, STATS } from '../../testing/made-up.ts';
import { draw, pictureOf, toastShown, useTestPage } from '../../testing/screen.tsx';
import { SubmitProjectPage } from './submit-project-page.tsx';

const server = useTestPage();

beforeEach(() => {
  server().respond(getReach, { day: '2026-11-27', voters: 40, listings: 22, firstWeekVotes: 5 });
  sessionStorage.clear();
  for (const { paymentId } of journal.get()) journal.remove(paymentId);
  server().respond(listPayments, [], { total: 0 });
  server().respond(findListed, []);
});

const field = (label: string) => screen.getByLabelText(label);
const button = () => screen.getByRole('button', { name: /Submit Project|Processing|Submitting/ });

/** The card of the page is loaded later. */
const open = () => act(async () => void draw(<SubmitProjectPage />));

/** The page with everything typed that it asks for. */
async function fill() {
  const user = userEvent.setup();
  draw(<SubmitProjectPage />);
  await user.type(field('Project Name'), ' Coral ');
  await user.selectOptions(field('Category'), 'DeFi');
  await user.type(field('Description'), 'Reefs for all');
  await user.type(field('X Account Link'), 'https://x.com/coral');
  await user.upload(field('Project Image'), pictureOf(600, 800));
  await screen.findByAltText('Preview of the project');
  return user;
}

test('the pay button tells a visitor to connect a wallet [S5.3 S8.6]', async () => {
  session.drawAs(undefined);
  await open();
  await userEvent.setup().click(button());
  expect(await toastShown()).toMatchObject({ description: 'Please connect your wallet first' });
});

test('before paying the site says how many vote here, what a first week brings, and that it is small [R92]', async () => {
  await open();
  const card = within(screen.getByRole('region', { name: 'Before you pay' }));
  expect(await card.findByText('40')).toBeVisible();
  expect(card.getByText(/in the first week: the median of 22 new listings/)).toBeVisible();
  expect(card.getByText(/^These figures are small/)).toBeVisible();
  cleanup();
  queryClient.clear();
  server().respond(getReach, { day: '2026-11-27', voters: 4_000, listings: 22, firstWeekVotes: 500 });
  await open();
  expect(await screen.findByText('4,000')).toBeVisible();
  expect(screen.queryByText(/^These figures are small/)).toBeNull();
});

test('the form says while typing what is listed already, with the claim, and what a mark means [R72 R74]', async () => {
  const anchor = { slug: 'anchor-yield', name: 'Anchor Yield', since: '2026-11-03T00:00:00Z', isClaimable: true };
  server().respond(findListed, [
    { ...anchor, by: 'look' },
    { ...anchor, by: 'coin', isClaimable: false },
  ]);
  const user = userEvent.setup();
  history.replaceState(null, '', '/submit-project?coin=0x2::sui::SUI');
  await open();
  history.replaceState(null, '', '/submit-project');
  await user.type(field('Project Name'), 'Anch0r Yield');
  const [status] = screen.getAllByRole('status');
  await waitFor(() => expect(status).toHaveTextContent(/^This name looks like Anchor Yield\. Yours\? Claim it, free/));
  expect(status).toHaveTextContent(
    /marked ‘Looks like Anchor Yield, listed since 3 Nov 2026’.*you get your fee back\.$/,
  );
  expect(screen.getByRole('link', { name: 'Yours? Claim it, free' })).toHaveAttribute(
    'href',
    '/projects/anchor-yield?claim',
  );
  expect(await screen.findByText(/^It is listed already: /)).toBeVisible();
  await user.clear(field('Project Name'));
  expect(status).toBeEmptyDOMElement();
});

test('the card shows what is typed, as voters will see it [R92]', async () => {
  const user = await fill();
  const preview = await screen.findByText('Your card, as voters see it');
  const card = preview.closest('figure');
  expect(card).toHaveTextContent(/Coral.*Reefs for all.*@coral(?!.*https)/);
  await user.clear(field('Project Name'));
  expect(card).toHaveTextContent('Your project');
});

test('the submission form shows its price, and is free for the admin [S2.24 S5.3]', () => {
  const { unmount } = draw(<SubmitProjectPage />);
  expect(screen.getByRole('button', { name: 'Pay 15 SUI & Submit Project' })).toBeVisible();
  const fee = screen.getByRole('complementary', { name: 'Monthly Listing Fee' });
  expect(fee).toHaveTextContent('15 SUI per month, displayed for 31 days');
  expect(
    within(field('Category'))
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['Select category', 'DeFi', 'NFT', 'Gaming', 'Meme', 'Infrastructure', 'DAO', 'Other']);
  unmount();
  session.signedIn({ user: ADMIN, stats: STATS });
  draw(<SubmitProjectPage />);
  expect(screen.getByRole('button', { name: 'Submit Project (FREE - Admin)' })).toBeVisible();
  expect(screen.getByRole('complementary', { name: 'Admin Submission (FREE)' })).not.toHaveTextContent('15 SUI');
});

test('an incomplete submission marks its fields, focuses the first one, and sends nothing [S8.7 S2.24 S5.3]', async () => {
  const user = userEvent.setup();
  draw(<SubmitProjectPage />);
  await user.type(field('Project Name'), 'Coral');
  await user.click(button());
  for (const label of ['Category', 'Description', 'X Account Link', 'Project Image'])
    expect(field(label)).toHaveAttribute('aria-invalid', 'true');
  expect(field('Project Name')).not.toHaveAttribute('aria-invalid', 'true');
  expect(field('Category')).toHaveFocus();
  expect(toasts.get()[0]).toMatchObject({ title: 'Error', description: '4 fields need your attention' });
  await user.selectOptions(field('Category'), 'Meme');
  expect(field('Category')).not.toHaveAttribute('aria-invalid', 'true');
  expect(field('Description')).toHaveAttribute('aria-invalid', 'true');
  await user.type(field('Description'), 'Reefs for all');
  await user.type(field('X Account Link'), 'https://x.com/coral');
  await user.click(button());
  expect(toasts.get()[0]).toMatchObject({ title: 'Error', description: 'Please upload a project image' });
  expect(field('Project Image')).toHaveFocus();
  expect(server().calls(preparePayment)).toEqual([]);
});

test('a rejected submission keeps the input and shows the reason beside its field [S2.24 S8.10 R18]', async () => {
  session.signedIn({ user: ADMIN, stats: STATS });
  server().reject(createProject, 409, { error: 'taken', message: 'This name is taken', field: 'name' });
  const user = await fill();
  await user.click(button());
  expect(await toastShown()).toMatchObject({ description: 'This name is taken', variant: 'destructive' });
  await waitFor(() => expect(field('Project Name')).toHaveAccessibleDescription('This name is taken'));
  expect(field('Project Name')).toHaveValue(' Coral ');
  await waitFor(() => expect(field('Project Name')).toHaveFocus());
});
