// @vitest-environment happy-dom
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { isolated } from '#shared/text/isolated.ts';
import { proveOwnership } from '#shared/contract/ownership.ts';
import { postReport } from '#shared/contract/reports.ts';
import { getOwnVote } from '#shared/contract/votes.ts';
import { session } from '../../lib/session.ts';
import { connectDialogOpen } from '../../lib/wallet-state.ts';
import { NOT_VOTED, ownVoteOf, projectPageOf, STATS, USER } from '../../testing/made-up.ts';
import { draw, pressToLoad, toastShown, useTestPage } from '../../testing/screen.tsx';
import { reportAsked } from './report-asked.ts';
import { ReportHost } from './report.tsx';
import { ThisIsMine } from './this-is-mine.tsx';
import type { ProjectView } from './project-view.ts';

const server = useTestPage();
const MADE = projectPageOf(1, { submittedBy: USER.walletAddress });
const PROJECT: ProjectView = { ...MADE, listing: { ...MADE.listing, coinSource: 'lister' } };
/** The catalogue lists it, and another wallet keeps the catalogue. */
const UNCLAIMED: ProjectView = {
  ...projectPageOf(2, { submittedBy: '0x7', coinType: '0x2::frog::FROG' }),
  listing: { ...MADE.listing, source: 'catalogue', ownership: 'unclaimed', coinSource: 'catalogue' },
};
const button = () => screen.queryByRole('button');

beforeEach(() => {
  session.signedIn({ user: USER, stats: STATS });
  server().respond(getOwnVote, NOT_VOTED);
});
/** Opens the dialog, which says what the wallet must hold. */
const openClaim = async () => {
  const claim = screen.getByRole('button', { name: 'This is mine' });
  await waitFor(() => expect(claim).toBeEnabled());
  await pressToLoad(claim);
  return screen.findByRole('dialog', { name: `Claim ${UNCLAIMED.name}?` });
};
const confirm = async () =>
  userEvent.click(within(await openClaim()).getByRole('button', { name: 'Claim this listing' }));

test('a wallet without a cap reads what it lacks [R71]', async () => {
  server().reject(proveOwnership, 409, { error: 'not_held', message: 'Your wallet does not hold the TreasuryCap.' });
  draw(<ThisIsMine project={PROJECT} />);
  await userEvent.click(screen.getByRole('button', { name: 'This is mine' }));
  expect(await toastShown()).toMatchObject({
    title: 'Not proven',
    description: 'Your wallet does not hold the TreasuryCap.',
  });
});

test.each(['a voter', 'a wallet whose vote could not be read'])(
  '%s reads before a claim that others can tell their vote by it [R72 R85]',
  async (who) => {
    if (who === 'a voter') server().respond(getOwnVote, ownVoteOf('bearish'));
    else server().reject(getOwnVote, 500, { error: 'internal', message: 'Internal error' });
    server().reject(proveOwnership, 409, { error: 'not_held', message: 'Your wallet does not hold the TreasuryCap.' });
    draw(<ThisIsMine project={UNCLAIMED} />);
    const dialog = await openClaim();
    expect(dialog).toHaveTextContent(/others can tell that it was yours/);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(server().calls(proveOwnership)).toEqual([]);
    await confirm();
    expect(await toastShown('Not claimed')).toBeDefined();
    expect(server().calls(proveOwnership)).toHaveLength(1);
  },
);

test('a visitor reads what the wallet must hold, and is asked to connect one [R92 R72]', async () => {
  session.lost(session.era());
  draw(<ThisIsMine project={UNCLAIMED} />);
  const dialog = await openClaim();
  expect(dialog).toHaveAccessibleDescription(
    /^Your wallet must hold the TreasuryCap of 0x2::frog::FROG, or UpgradeCap or Publisher/,
  );
  expect(within(dialog).getByText(UNCLAIMED.coinType ?? '')).toBeVisible();
  expect(dialog).not.toHaveTextContent(/others can tell/);
  expect(within(dialog).getByRole('button', { name: 'Connect Wallet' })).toBeEnabled();
});

describe("a visitor's claim continues after the sign-in [R72]", () => {
  /** The sign-in starts the page again. */
  async function signInFromDialog(signsIn = true): Promise<void> {
    session.lost(session.era());
    server().reject(proveOwnership, 409, { error: 'not_held', message: 'Your wallet does not hold the TreasuryCap.' });
    const { unmount } = draw(<ThisIsMine project={UNCLAIMED} />);
    await userEvent.click(within(await openClaim()).getByRole('button', { name: 'Connect Wallet' }));
    expect(screen.queryByRole('dialog', { name: /^Claim/ })).toBeNull();
    unmount();
    if (signsIn) session.signedIn({ user: USER, stats: STATS });
    await act(async () => connectDialogOpen.set(false));
    draw(<ThisIsMine project={UNCLAIMED} />);
  }

  test('without another press, where no vote is named by it', async () => {
    await signInFromDialog();
    expect(await toastShown()).toMatchObject({ title: 'Not claimed' });
    expect(server().calls(proveOwnership)).toHaveLength(1);
  });

  test('up to the dialog, which names the vote that others could tell', async () => {
    server().respond(getOwnVote, ownVoteOf('bearish'));
    await signInFromDialog();
    expect(await screen.findByRole('dialog', { name: /^Claim/ })).toHaveTextContent(/others can tell/);
    expect(server().calls(proveOwnership)).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  });

  test('and is forgotten without a sign-in', async () => {
    await signInFromDialog(false);
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

test('the link to a claim opens its dialog once, and leaves the address [R72]', async () => {
  history.replaceState(null, '', '/projects/frog?claim&from=embed');
  const { unmount } = draw(<ThisIsMine project={UNCLAIMED} />);
  const dialog = await screen.findByRole('dialog', { name: /^Claim/ });
  expect(location.search).toBe('?from=embed');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  unmount();
  draw(<ThisIsMine project={UNCLAIMED} />);
  expect(screen.queryByRole('dialog')).toBeNull();
});

const NAMELESS = { ...UNCLAIMED, coinType: null, listing: { ...UNCLAIMED.listing, coinSource: null } };

test('the button on a listing that names no coin sends a moderator the coin of the team [R72]', async () => {
  const project = NAMELESS;
  server().respond(postReport, { success: true });
  draw(
    <>
      <ThisIsMine project={project} />
      <ReportHost projectId={project.id} />
    </>,
  );
  await pressToLoad(screen.getByRole('button', { name: 'This is mine' }));
  const dialog = await screen.findByRole('dialog', { name: `Is ${isolated(project.name)} yours?` });
  expect(dialog).toHaveAccessibleDescription(/^Say which coin or package is yours/);
  const send = within(dialog).getByRole('button', { name: 'Send to a moderator' });
  await userEvent.click(send);
  expect(within(dialog).getByRole('alert')).toHaveTextContent('Say which coin or package is yours');
  await userEvent.type(within(dialog).getByRole('textbox'), '0x2::frog::FROG');
  await userEvent.click(send);
  expect(await toastShown()).toMatchObject({ title: 'Sent to a moderator' });
  expect(server().calls(postReport)).toMatchObject([
    { body: { subject: 'project', subjectId: project.id, reason: 'ownership', text: '0x2::frog::FROG' } },
  ]);
  expect(reportAsked.get()).toBeNull();
});

test("a stranger's listing is claimed in the same dialog, which says who decides; an open claim hides the button [R72]", async () => {
  const listing: ProjectView['listing'] = { ...MADE.listing, coinSource: 'lister' };
  const project = { ...UNCLAIMED, listing };
  const claim = { since: '2026-11-03T00:00:00Z', isAnswered: false };
  server().respond(proveOwnership, { ...listing, claim });
  const { unmount } = draw(<ThisIsMine project={project} />);
  const dialog = await openClaim();
  expect(dialog).toHaveAccessibleDescription(/7 days to answer, then a moderator decides\.$/);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Claim this listing' }));
  expect(await toastShown()).toMatchObject({ title: 'Claimed', variant: 'success' });
  unmount();
  draw(<ThisIsMine project={{ ...project, listing: { ...listing, claim } }} />);
  expect(button()).toBeNull();
});

test('a visitor reads what a moderator is told before connecting a wallet [R72 R92]', async () => {
  session.lost(session.era());
  draw(
    <>
      <ThisIsMine project={NAMELESS} />
      <ReportHost projectId={NAMELESS.id} />
    </>,
  );
  await pressToLoad(screen.getByRole('button', { name: 'This is mine' }));
  const dialog = await screen.findByRole('dialog', { name: /yours\?$/ });
  expect(dialog).toHaveAccessibleDescription(/^Say which coin or package is yours/);
  expect(within(dialog).queryByRole('textbox')).toBeNull();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Connect Wallet' }));
  expect(connectDialogOpen.get()).toBe(true);
  expect(screen.queryByRole('dialog', { name: /yours\?$/ })).toBeNull();
  await act(async () => connectDialogOpen.set(false));
});

test('an owner whose wallet controls the coin asks for a review with one press [R92]', async () => {
  server().respond(postReport, { success: true });
  draw(<ThisIsMine project={{ ...PROJECT, listing: { ...PROJECT.listing, ownership: 'controls' } }} />);
  await userEvent.click(screen.getByRole('button', { name: 'This is mine' }));
  expect(await toastShown()).toMatchObject({ title: 'Asked for a review', variant: 'success' });
  expect(server().calls(postReport)).toMatchObject([
    { body: { reason: 'ownership', subject: 'project', subjectId: 1 } },
  ]);
});

test("proven and hidden listings, and an owner's without a coin, have no ownership button [R71 R72]", () => {
  for (const project of [
    { ...PROJECT, listing: { ...PROJECT.listing, ownership: 'proven' as const } },
    { ...PROJECT, listing: { ...PROJECT.listing, coinSource: null } },
    { ...PROJECT, hidden: true },
    { ...UNCLAIMED, submittedBy: USER.walletAddress },
    { ...UNCLAIMED, listing: { ...UNCLAIMED.listing, ownership: 'proven' as const } },
    { ...UNCLAIMED, hidden: true },
  ]) {
    const { unmount } = draw(<ThisIsMine project={project} />);
    expect(button()).toBeNull();
    unmount();
  }
});
