// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answerClaim } from '#shared/contract/claims.ts';
import { session } from '../../lib/session.ts';
import { projectPageOf, STATS, USER } from '../../testing/made-up.ts';
import { draw, toastShown, useTestPage } from '../../testing/screen.tsx';
import { AnswerClaim } from './answer-claim.tsx';

const server = useTestPage();

test('a lister answers a claim once, with words, and others see no form [R72]', async () => {
  session.signedIn({ user: USER, stats: STATS });
  server().respond(answerClaim, { success: true });
  const made = projectPageOf(1, { submittedBy: USER.walletAddress });
  const project = {
    ...made,
    listing: { ...made.listing, claim: { since: '2026-11-03T00:00:00Z', isAnswered: false } },
  };
  const { unmount } = draw(<AnswerClaim project={project} />);
  await userEvent.click(screen.getByRole('button', { name: 'Send answer' }));
  expect(screen.getByRole('alert')).toBeVisible();
  await userEvent.type(screen.getByLabelText('Your answer'), 'We agreed on it');
  await userEvent.click(screen.getByRole('button', { name: 'Send answer' }));
  expect(await toastShown()).toMatchObject({ title: 'Answer sent' });
  expect(server().calls(answerClaim)).toMatchObject([{ body: { answer: 'We agreed on it' } }]);
  unmount();
  const answered = { ...project.listing, claim: { ...project.listing.claim, isAnswered: true } };
  for (const shown of [{ ...project, submittedBy: '0x7' }, { ...project, listing: answered }, made]) {
    const drawn = draw(<AnswerClaim project={shown} />);
    expect(screen.queryByRole('button')).toBeNull();
    drawn.unmount();
  }
});
