// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { getProject } from '#shared/contract/projects.ts';
import { postReport } from '#shared/contract/reports.ts';
import { listReviews, replyToReview, type Review } from '#shared/contract/reviews.ts';
import { getProjectTrend, listSimilar } from '#shared/contract/trends.ts';
import { getStats, getVotingStatus } from '#shared/contract/users.ts';
import { getOwnVote } from '#shared/contract/votes.ts';
import { reportAsked } from './report-asked.ts';
import { connectDialogOpen } from '../../lib/wallet-state.ts';
import { projectPageOf, reviewOf, STATS, TIME, USER, votingStatusOf, NOT_VOTED } from '../../testing/made-up.ts';
import { act, draw, pressToLoad, useTestPage } from '../../testing/screen.tsx';
import { ProjectPage } from './project-page.tsx';
import type { ProjectView } from './project-view.ts';

const server = useTestPage();
const OTHER = `0x${'9'.repeat(64)}`;
const PROJECT = projectPageOf(1, { name: 'Coral' });
const review = (id: number, changes: Partial<Review> = {}): Review =>
  reviewOf(id, { user: { username: `user${id}`, walletAddress: OTHER, avatarUrl: null }, ...changes });
const REPLIED = review(2, { reply: { content: 'Thank you', createdAt: TIME } });
let stored: Review[] = [];

beforeEach(() => {
  stored = [REPLIED, review(1)];
  reportAsked.set(null);
  connectDialogOpen.set(false);
  server().respond(getProjectTrend, { days: [], figuresOn: null });
  server().respond(listSimilar, []);
  server().respond(getProject, PROJECT);
  server().respond(getStats, STATS);
  server().respond(getOwnVote, NOT_VOTED);
  server().respond(getVotingStatus, votingStatusOf(0, null));
  server().respond(listReviews, () => stored, { total: 2 });
});

async function open(changes: Partial<ProjectView> = {}, hash = '') {
  server().respond(getProject, { ...PROJECT, ...changes });
  history.replaceState(null, '', `/projects/project-1${hash}`);
  draw(<ProjectPage />);
  await screen.findByText('Word 1');
  return userEvent.setup();
}
const item = (text: string) => screen.getByText(text).closest('li') ?? document.body;
const button = (name: string | RegExp) => screen.findByRole('button', { name });

const own = { submittedBy: USER.walletAddress };

test('a reply is shown to everyone, and only the owner can write one [R51]', async () => {
  await open();
  expect(item('Word 2')).toHaveTextContent('Reply from Coral');
  expect(within(item('Word 2')).getByText('Thank you')).toBeVisible();
  expect(item('Word 1')).not.toHaveTextContent('Reply from');
  expect(screen.queryByRole('button', { name: /Reply from the project|Edit reply|Delete reply/ })).toBeNull();
});

test('a rejected edit of a reply keeps its text and shows the reason [R51]', async () => {
  const user = await open(own);
  server().reject(replyToReview, 409, { error: 'reply_hidden', message: 'This reply was hidden by a moderator' });
  await pressToLoad(await button('Edit reply'));
  const field = await screen.findByLabelText('Reply from Coral');
  expect(field).toHaveValue('Thank you');
  await user.type(field, ' all');
  await user.click(await button('Save reply'));
  expect(await screen.findByRole('alert')).toHaveTextContent('This reply was hidden by a moderator');
  expect(field).toHaveValue('Thank you all');
  await user.click(await button('Cancel'));
  expect(within(item('Word 2')).getByText('Thank you')).toBeVisible();
});

test('a link from a notice focuses its review [R51]', async () => {
  const scroll = vi.spyOn(HTMLElement.prototype, 'scrollIntoView').mockReturnValue(undefined);
  await open({}, '#review-1');
  await waitFor(() => expect(item('Word 1')).toHaveFocus());
  expect(scroll).toHaveBeenCalledTimes(1);
  act(() => history.pushState(null, '', '/projects/project-1#review-2'));
  await waitFor(() => expect(item('Word 2')).toHaveFocus());
});

const report = async (name: string) => {
  await pressToLoad(await button(name));
  return screen.findByRole('dialog', { name });
};

test('project and reply can be reported, and a repeated report shows an error [R51]', async () => {
  server().reject(postReport, 409, { error: 'already_reported', message: 'You have reported this already' });
  const user = await open();
  for (const [name, subject, subjectId] of [
    ['Report Coral', 'project', 1],
    ['Report the reply from Coral', 'reply', 2],
  ] as const) {
    const dialog = await report(name);
    await user.click(within(dialog).getByLabelText('Spam or advertising'));
    await user.click(await button('Send report'));
    expect(await within(dialog).findByRole('alert')).toHaveTextContent('You have reported this already');
    expect(server().calls(postReport).at(-1)).toMatchObject({
      body: { subject, subjectId, reason: 'spam', text: '' },
    });
    await user.click(await button('Cancel'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  }
});

test('users cannot report their own review [R51]', async () => {
  stored = [review(2, { user: { username: 'me', walletAddress: USER.walletAddress, avatarUrl: null } }), review(1)];
  await open();
  expect(screen.queryByRole('button', { name: 'Report the review by me' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Report the review by user1' })).toBeVisible();
});
