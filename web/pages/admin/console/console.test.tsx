// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { executeSql, type SqlResult } from '#shared/contract/admin.ts';
import { draw, toastShown, useTestPage } from '../../../testing/screen.tsx';
import { toasts } from '../../../lib/toast.ts';
import { adminToken } from '../admin-session.ts';
import { ConsoleTab } from './console-tab.tsx';
import { clearHistory, sqlHistory } from './history.ts';

const server = useTestPage();
const resultOf = (changes: Partial<SqlResult> = {}): SqlResult => ({
  success: true,
  message: '3 rows',
  data: [],
  error: null,
  columns: [],
  command: 'SELECT',
  rowCount: 3,
  truncated: false,
  dryRun: true,
  wrote: false,
  position: null,
  hint: null,
  durationMs: 1234,
  ...changes,
});
const WRITE = resultOf({ command: 'UPDATE', message: 'UPDATE 1', rowCount: 1, wrote: true });
const FAILED = resultOf({
  success: false,
  message: 'Query failed',
  error: 'syntax error',
  command: null,
  rowCount: null,
});

beforeEach(() => {
  adminToken.set('token');
  clearHistory();
});

/** The console with this statement run. */
async function run(statement: string) {
  const user = userEvent.setup();
  draw(<ConsoleTab />);
  await user.type(screen.getByLabelText('SQL query'), statement);
  await user.click(screen.getByRole('button', { name: 'Run Query' }));
  return user;
}
const bodies = () =>
  server()
    .calls(executeSql)
    .map(({ body }) => body);

test('a write waits for Commit, which sends the statement of the shown result [S5.7 R32]', async () => {
  server().respond(executeSql, WRITE);
  const user = await run('UPDATE a');
  const dry = within(await screen.findByRole('region', { name: 'Dry run' }));
  expect(dry.getByText(/^UPDATE:/)).toHaveTextContent('UPDATE: 1 row affected.');
  expect(screen.getByRole('status')).toHaveTextContent('Dry run: UPDATE 1. Nothing is changed yet.');
  expect(toasts.get()).toEqual([]);
  await user.type(screen.getByLabelText('SQL query'), ' SET b');
  server().respond(executeSql, { ...WRITE, dryRun: false });
  await user.click(dry.getByRole('button', { name: 'Commit' }));
  expect(await toastShown()).toMatchObject({ title: 'Query Executed' });
  expect(bodies()[1]).toEqual({ sqlQuery: 'UPDATE a', dryRun: false });
  expect(screen.getByText('Committed')).toBeVisible();
  expect(screen.queryByRole('region', { name: 'Dry run' })).toBeNull();
  expect(sqlHistory.get()).toEqual(['UPDATE a']);
});

test('an SQL error shows its message, place and hint [S8.18]', async () => {
  server().respond(executeSql, { ...FAILED, position: 3, hint: 'Try SELECT' });
  await run('SELEC 1');
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent('SQL Error');
  expect(alert).toHaveTextContent('syntax error');
  expect(alert.querySelector('pre')?.textContent).toBe('Line 1, column 3\nSELEC 1\n  ^');
  expect(alert).toHaveTextContent('Hint: Try SELECT');
  expect(toasts.get()[0]).toMatchObject({ title: 'SQL Error', description: 'syntax error', variant: 'destructive' });
});

test('an empty query, no token, a lost call and a cancelled call each show an error [S8.18]', async () => {
  const user = userEvent.setup();
  draw(<ConsoleTab />);
  const button = screen.getByRole('button', { name: 'Run Query' });
  const query = screen.getByLabelText('SQL query');
  await user.type(query, '  ');
  await user.click(button);
  expect(await toastShown('No Query')).toMatchObject({ description: 'Please enter a query', variant: 'destructive' });
  adminToken.set(null);
  await user.type(query, 'SELECT 1');
  await user.click(button);
  expect(await toastShown('Not Authenticated')).toMatchObject({ variant: 'destructive' });
  expect(sqlHistory.get()).toEqual([]);
  adminToken.set('token');
  server().failSilently(executeSql);
  await user.click(button);
  expect(await toastShown('SQL Error')).toMatchObject({ description: 'Query failed', variant: 'destructive' });
  const never = Promise.withResolvers<SqlResult>();
  server().respond(executeSql, () => never.promise);
  await user.keyboard('{Tab}');
  await user.click(query);
  // Enter alone is a new line, and Ctrl alone nothing.
  await user.keyboard('{Enter}{Control>}a{/Control}');
  expect(server().calls(executeSql)).toHaveLength(1);
  await user.keyboard('{Control>}{Enter}{/Control}');
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(server().calls(executeSql)).toHaveLength(2);
  expect(screen.getByText('Running...')).toBeVisible();
  await user.click(await screen.findByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(toasts.get()[0]?.description).toBe('The statement was cancelled'));
  expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull();
});
