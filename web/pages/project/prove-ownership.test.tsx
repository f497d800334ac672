// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { proveOwnership } from '#shared/contract/ownership.ts';
import { session } from '../../lib/session.ts';
import { projectPageOf, STATS, USER } from '../../testing/made-up.ts';
import { draw, toastShown, useTestPage } from '../../testing/screen.tsx';
import { ProveOwnership } from './prove-ownership.tsx';
import type { ProjectView } from './project-view.ts';

const server = useTestPage();
const MADE = projectPageOf(1, { submittedBy: USER.walletAddress });
const PROJECT: ProjectView = { ...MADE, listing: { ...MADE.listing, coinSource: 'lister' } };
/** The catalogue lists it, and another wallet keeps the catalogue. */
const UNCLAIMED: ProjectView = {
  ...projectPageOf(2, { submittedBy: '0x7' }),
  listing: { ...MADE.listing, source: 'catalogue', ownership: 'unclaimed', coinSource: 'catalogue' },
};
const button = () => screen.queryByRole('button');

beforeEach(() => session.signedIn({ user: USER, stats: STATS }));

const SUBJECT = '0x2::sui::SUI';
test.each([
  [
    'the owner proves with one press what the wallet controls [R71]',
    PROJECT,
    'controls',
    { title: `Controls ${SUBJECT}` },
  ],
  [
    'another wallet claims an unclaimed listing with one press [R72]',
    UNCLAIMED,
    'proven',
    { title: 'This listing is yours', description: `${UNCLAIMED.name}: Ownership proven` },
  ],
] as const)('%s', async (_what, project, ownership, words) => {
  server().respond(proveOwnership, { ...project.listing, ownership, subject: SUBJECT });
  draw(<ProveOwnership project={project} />);
  await userEvent.click(
    screen.getByRole('button', { name: project === PROJECT ? 'Prove ownership' : 'Claim this listing' }),
  );
  expect(await toastShown()).toMatchObject(words);
  expect(server().calls(proveOwnership)).toMatchObject([{ params: { id: String(project.id) } }]);
});

test.each([
  ['does not hold the cap [R71]', PROJECT, 'Not proven', 'not_held', 'Your wallet does not hold the TreasuryCap.'],
  ['is too late to claim [R72]', UNCLAIMED, 'Not claimed', 'already_claimed', 'This listing was claimed a moment ago.'],
] as const)('a toast says why a wallet that %s is rejected', async (_what, project, title, error, message) => {
  server().reject(proveOwnership, 409, { error, message });
  draw(<ProveOwnership project={project} />);
  await userEvent.click(screen.getByRole('button'));
  expect(await toastShown()).toMatchObject({ title, description: message });
});

test('a wallet whose session has ended sees no button on an unclaimed listing [R72]', () => {
  session.lost(session.era());
  draw(<ProveOwnership project={UNCLAIMED} />);
  expect(button()).toBeNull();
});

test('strangers, proven listings and those without a coin have no button [R71 R72]', () => {
  for (const project of [
    { ...PROJECT, submittedBy: '0x7' },
    { ...PROJECT, listing: { ...PROJECT.listing, ownership: 'proven' as const } },
    { ...PROJECT, listing: { ...PROJECT.listing, coinSource: null } },
    { ...PROJECT, hidden: true },
    { ...UNCLAIMED, submittedBy: USER.walletAddress },
    { ...UNCLAIMED, listing: { ...UNCLAIMED.listing, coinSource: null } },
    { ...UNCLAIMED, listing: { ...UNCLAIMED.listing, ownership: 'proven' as const } },
    { ...UNCLAIMED, hidden: true },
  ]) {
    const { unmount } = draw(<ProveOwnership project={project} />);
    expect(button()).toBeNull();
    unmount();
  }
});
