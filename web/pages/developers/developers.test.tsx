// @vitest-environment happy-dom
/** /developers, drawn from the real document: every endpoint, the search, examples, and the text where it cannot be read. */
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { allEndpoints } from '#shared/contract/all.ts';
import { listProjects } from '#shared/contract/projects.ts';
import type { EndpointSpec } from '#shared/endpoint.ts';
import { openApiDocument } from '#shared/openapi/document.ts';
import { projectOf } from '../../testing/made-up.ts';
import { draw, toastShown, useTestPage } from '../../testing/screen.tsx';
import { DevelopersPage } from './developers-page.tsx';
import { groupsOf } from './endpoints.ts';
import { curlOf } from './examples.ts';

const OPENAPI: EndpointSpec = {
  method: 'GET',
  path: '/api/openapi.json',
  access: 'public',
  summary: '',
  response: z.looseObject({ openapi: z.literal('3.1.0') }),
};
const endpoints = allEndpoints();
const named = endpoints.map(([name, endpoint]) => ({ name, endpoint, isCached: false }));
const made = openApiDocument('https://snapswipe.test', 'snapswipe_session', named);

const server = useTestPage();
beforeEach(() => {
  server().respond(OPENAPI, made);
  server().respond(listProjects, [projectOf(1, { slug: 'lagoon' })]);
});

async function open() {
  draw(<DevelopersPage />);
  await screen.findByRole('heading', { name: 'Every endpoint' });
  return userEvent.setup();
}
const reference = () => within(screen.getByRole('region', { name: 'Every endpoint' }));
const entryOf = (path: string) => {
  const entry = reference()
    .getAllByRole('listitem')
    .find((item) => item.querySelector('summary code')?.textContent === path);
  if (!entry) throw new Error(`no entry for ${path}`);
  return entry;
};
async function unfold(path: string) {
  const user = userEvent.setup();
  const entry = entryOf(path);
  await user.click(entry.querySelector('summary') ?? entry);
  await within(entry).findByText('Responses');
  return { user, entry: within(entry) };
}

test('lists every endpoint of the contract, the open API first and the admin panel last [R53]', async () => {
  await open();
  expect(reference().getAllByRole('listitem')).toHaveLength(endpoints.length);
  const groups = reference()
    .getAllByRole('heading', { level: 3 })
    .map(({ textContent }) => textContent);
  expect([groups[0], groups.at(-1)]).toEqual(['Open API', 'Admin']);
  expect(screen.getByText(`${endpoints.length} endpoints`)).toBeVisible();
});

test('a search finds words in any order, in paths, summaries and parameters, and says where nothing is found [R53]', async () => {
  const user = await open();
  const field = screen.getByRole('searchbox', { name: 'Search the endpoints' });
  await user.type(field, 'reviews V1');
  expect(await screen.findByText('1 endpoint')).toBeVisible();
  expect(entryOf('/api/v1/projects/{id}/reviews')).toBeVisible();
  // Groups in which it finds nothing are not there.
  expect(reference().getAllByRole('heading', { level: 3 })).toHaveLength(1);
  await user.clear(field);
  await user.type(field, 'walletaddress zzz');
  expect(await screen.findByText('No endpoint matches')).toBeVisible();
  expect(screen.getByText('0 endpoints')).toBeVisible();
});

test('an endpoint unfolds with its parameters, every status, and a call that can be copied [R53]', async () => {
  await open();
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const { user, entry } = await unfold('/api/v1/projects/{id}/reviews');
  expect(entry.getByText('integer, at most 200, 50 by default, optional', { exact: false })).toBeVisible();
  const limit = entry.getByText('limit').nextElementSibling;
  expect(limit).toHaveTextContent(/^[A-Z].*[a-z]\. integer, at most 200, 50 by default, optional$/);
  for (const status of ['200', '304', '400', '404', '429', '503']) expect(entry.getByText(status)).toBeVisible();
  expect(entry.getByText('Success (X-Next-Cursor, X-Total-Count)')).toBeVisible();
  await entry.findByText(/projects\/lagoon/);
  await user.click(entry.getByRole('button', { name: 'Copy the call' }));
  expect(writeText).toHaveBeenCalledWith(`curl '${location.origin}/api/v1/projects/lagoon/reviews'`);
  expect(await toastShown()).toMatchObject({ title: 'Copied to clipboard!' });
});

test('the call of a write has its session, its token and a body [R53]', () => {
  const all = groupsOf(made).flatMap((group) => group.endpoints);
  const call = (id: string) => {
    const listed = all.find(({ operation }) => operation.operationId === id);
    if (!listed) throw new Error(id);
    return curlOf(listed, { origin: 'https://s.test', project: 'lagoon' }, made.components);
  };
  expect(call('castVote')).toBe(
    [
      "curl 'https://s.test/api/votes'",
      '-X POST',
      "-b 'snapswipe_session=…'",
      "-H 'Content-Type: application/json'",
      `-d '{"userId":1,"projectId":1,"voteType":"bullish"}'`,
    ].join(' \\\n  '),
  );
  expect(call('approveWithdrawal')).toContain("-H 'X-Admin-Token: …'");
  expect(call('openGetProject')).toBe("curl 'https://s.test/api/v1/projects/lagoon'");
  expect(call('endSession')).toContain('/api/auth/sessions/00000000-0000-4000-8000-000000000000');
});

test('the calls without a key, the sign-in and the limits are shown before the document arrives [R53]', async () => {
  server().lose(OPENAPI);
  draw(<DevelopersPage />);
  const user = userEvent.setup();
  for (const name of ['Read without a key', 'Sign in', 'Limits'])
    expect(screen.getByRole('region', { name })).toBeVisible();
  const limits = within(screen.getByRole('region', { name: 'Limits' }));
  for (const term of limits.getAllByRole('term')) {
    expect(term).not.toBeEmptyDOMElement();
    expect(term.nextElementSibling).toHaveTextContent(/^[A-Z\d].*\.$/);
  }
  expect(limits.getByText('Votes').nextElementSibling).toHaveTextContent(/^25 in 6 hours for each wallet/);
  const links = within(screen.getByRole('region', { name: 'Read without a key' })).getAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual(
    expect.arrayContaining(['/api/v1/leaderboard.csv', '/feed.xml', '/api/openapi.json']),
  );
  const retry = await screen.findByRole('button', { name: 'Try again' });
  server().respond(OPENAPI, made);
  await user.click(retry);
  expect(await screen.findByRole('heading', { name: 'Every endpoint' })).toBeVisible();
});
