// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { choosePush, getPush, type PushChoice, subscribePush } from '#shared/contract/push.ts';
import { USER } from '../../../testing/made-up.ts';
import { draw, toastShown, useTestPage } from '../../../testing/screen.tsx';
import { makePushBrowser, removePushBrowser } from '../../../testing/push-browser.ts';
import { VotesBackOffer } from './votes-back-offer.tsx';

const server = useTestPage();
const OFF: PushChoice = { publicKey: 'BAAA', kinds: ['money'], isOnHere: false, browsers: 0, endpoint: null };
let browser: ReturnType<typeof makePushBrowser>;

beforeEach(() => {
  browser = makePushBrowser();
  server().respond(getPush, OFF);
});
afterEach(removePushBrowser);

const press = async () => fireEvent.click(await screen.findByRole('button', { name: 'Tell me when votes are back' }));

test('one press at the limit turns on the message that votes are back, beside the kinds picked before [R78]', async () => {
  server().respond(subscribePush, { ...OFF, isOnHere: true, browsers: 1 });
  server().respond(choosePush, { ...OFF, kinds: ['money', 'votes_back'], isOnHere: true, browsers: 1 });
  draw(<VotesBackOffer userId={USER.id} />);
  await press();
  expect(await screen.findByText('A notification tells you when votes are back.')).toHaveFocus();
  expect(server().calls(subscribePush)).toHaveLength(1);
  expect(server().calls(choosePush)[0]?.body).toEqual({ kinds: ['money', 'votes_back'] });
});

test('a browser that gets notifications already is not asked for permission again [R78]', async () => {
  const on = { ...OFF, isOnHere: true, browsers: 1 };
  server().respond(getPush, on);
  server().respond(choosePush, { ...on, kinds: ['money', 'votes_back'] });
  draw(<VotesBackOffer userId={USER.id} />);
  await press();
  await waitFor(() => expect(server().calls(choosePush)).toHaveLength(1));
  expect(server().calls(subscribePush)).toEqual([]);
});

test('nothing is picked without permission, and a toast explains it [R78]', async () => {
  browser.permission = 'default';
  draw(<VotesBackOffer userId={USER.id} />);
  await press();
  expect(await toastShown()).toMatchObject({ title: 'Not changed', variant: 'destructive' });
  expect([...server().calls(subscribePush), ...server().calls(choosePush)]).toEqual([]);
});

test('nothing is offered where the browser blocks notifications [R78]', async () => {
  browser.permission = 'denied';
  draw(<VotesBackOffer userId={USER.id} />);
  expect(screen.queryByRole('button')).toBeNull();
  expect(server().calls(getPush)).toEqual([]);
});
