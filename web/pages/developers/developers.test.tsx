// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { allEndpoints } from '#shared/contract/all.ts';
import { listProjects } from '#shared/contract/projects.ts';
import { getRecord } from '#shared/contract/record.ts';
import type { EndpointSpec } from '#shared/endpoint.ts';
import { openApiDocument } from '#shared/openapi/document.ts';
import { queryClient } from '../../lib/queries.ts';
import { projectOf, recordOf } from '../../testing/made-up.ts';
import { draw, toastShown, useTestPage } from '../../testing/screen.tsx';
import { DevelopersPage } from './developers-page.tsx';

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
  server().respond(getRecord, recordOf());
});

async function open() {
  draw(<DevelopersPage />);
  await screen.findByRole('heading', { name: 'Open endpoints' });
  return userEvent.setup();
}
const reference = () => within(screen.getByRole('region', { name: 'Open endpoints' }));
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

test('the developers page lists the open endpoints only, and links the OpenAPI document [R53]', async () => {
  await open();
  const paths = reference()
    .getAllByRole('listitem')
    .map((item) => item.querySelector('summary code')?.textContent ?? '');
  const expected = endpoints.filter(([, { open: isOpen }]) => isOpen === true);
  expect(paths).toHaveLength(expected.length);
  expect(paths.filter((path) => !path.startsWith('/api/v1/'))).toEqual([]);
  expect(reference().getByRole('link', { name: 'OpenAPI document' })).toHaveAttribute('href', '/api/openapi.json');
});

test('an endpoint unfolds with its parameters, statuses and a call to copy [R53]', async () => {
  await open();
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const { user, entry } = await unfold('/api/v1/projects/{id}/reviews');
  expect(entry.getByText('integer, at most 200, 50 by default, optional', { exact: false })).toBeVisible();
  const limit = entry.getByText('limit').nextElementSibling;
  expect(limit).toHaveTextContent(/^[A-Z].*[a-z]\. integer, at most 200, 50 by default, optional$/);
  for (const status of ['200', '304', '400', '404', '429', '503']) expect(entry.getByText(status)).toBeVisible();
  expect(entry.getByText('Success (X-Next-Cursor, X-Total-Count, X-Figures-On)')).toBeVisible();
  await entry.findByText(/projects\/lagoon/);
  await user.click(entry.getByRole('button', { name: 'Copy the call' }));
  expect(writeText).toHaveBeenCalledWith(`curl '${location.origin}/api/v1/projects/lagoon/reviews'`);
  expect(await toastShown()).toMatchObject({ title: 'Copied to clipboard!' });
});

test('the file of votes is that of the newest day that is published to its end, and there is no link before one is [R93]', async () => {
  const [newest] = recordOf().checkpoints;
  if (!newest) throw new Error('a record has a checkpoint');
  const present = { ...newest, day: '2026-11-28', until: '2026-11-28T09:10:00.000Z' };
  const whole = { ...newest, day: '2026-11-27', until: '2026-11-28T00:00:00.000Z' };
  server().respond(getRecord, recordOf({ checkpoints: [present, whole] }));
  await open();
  const link = () => screen.queryByRole('link', { name: 'The votes of a day as CSV' });
  await waitFor(() => expect(link()).toHaveAttribute('href', '/log/votes/2026-11-27'));
  cleanup();
  queryClient.clear();
  server().respond(getRecord, recordOf({ checkpoints: [present] }));
  await open();
  await waitFor(() => expect(server().calls(getRecord)).toHaveLength(2));
  expect(link()).toBeNull();
});
