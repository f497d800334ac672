// @vitest-environment happy-dom
/** The SQL console: dry run, commit, history, its table and its file. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { SQL_HISTORY_KEY } from '#shared/constants.ts';
import { executeSql, type SqlResult } from '#shared/contract/admin.ts';
import { draw, toastShown, useTestPage } from '../../../testing/screen.tsx';
import { toasts } from '../../../lib/toast.ts';
import { adminToken } from '../admin-session.ts';
import { ConsoleTab } from './console-tab.tsx';
import { clearHistory, addToHistory, sqlHistory } from './history.ts';

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

test('a read is run dry and shown with its rows and its time [S2.40 S8.18]', async () => {
  server().respond(executeSql, resultOf({ columns: ['n'], data: [{ n: 1 }], truncated: true }));
  await run('SELECT 1 AS n');
  expect(await toastShown()).toMatchObject({ title: 'Query Executed', description: '3 rows', variant: 'success' });
  expect(bodies()).toEqual([{ sqlQuery: 'SELECT 1 AS n', dryRun: true }]);
  const result = within(screen.getByRole('region', { name: 'Result' }));
  expect(result.getByText('Read')).toBeVisible();
  expect(result.getByText('1,234 ms')).toBeVisible();
  expect(result.getByText(/^At most 1,000 rows/)).toBeVisible();
  expect(result.getByRole('cell')).toHaveTextContent('1');
  expect(screen.queryByRole('button', { name: 'Commit' })).toBeNull();
});

test('a write waits for Commit, which sends what was shown and not what was typed since [S5.7 R32]', async () => {
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

test('Discard takes the result away and commits nothing; a SELECT that writes is recognized by its rows', async () => {
  server().respond(
    executeSql,
    resultOf({ wrote: true, rowCount: null, columns: ['a'], data: [{ a: 'x' }, { a: 'y' }] }),
  );
  const user = await run('SELECT f()');
  const dry = within(await screen.findByRole('region', { name: 'Dry run' }));
  expect(dry.getByText(/^The statement changes data/)).toHaveTextContent(
    'The statement changes data and returns 2 rows. The rows below show the result.',
  );
  await user.click(dry.getByRole('button', { name: 'Discard' }));
  expect(screen.queryByRole('region', { name: 'Result' })).toBeNull();
  expect(bodies()).toHaveLength(1);
});

test('a result without rows has no table, no hint and no mark of a limit', async () => {
  server().respond(executeSql, resultOf({ columns: ['id'], rowCount: 0 }));
  await run('SELECT id');
  await toastShown('Query Executed');
  expect(screen.queryByRole('table')).toBeNull();
  expect(screen.queryByText(/^At most/)).toBeNull();
  server().respond(executeSql, FAILED);
  await userEvent.setup().click(screen.getByRole('button', { name: 'Run Query' }));
  const alert = await screen.findByRole('alert');
  expect(alert).not.toHaveTextContent('Hint');
  expect(alert.querySelector('pre')).toBeNull();
});

test('an error says what, where and a hint [S8.18]', async () => {
  server().respond(executeSql, { ...FAILED, position: 3, hint: 'Try SELECT' });
  await run('SELEC 1');
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent('SQL Error');
  expect(alert).toHaveTextContent('syntax error');
  expect(alert.querySelector('pre')?.textContent).toBe('Line 1, column 3\nSELEC 1\n  ^');
  expect(alert).toHaveTextContent('Hint: Try SELECT');
  expect(toasts.get()[0]).toMatchObject({ title: 'SQL Error', description: 'syntax error', variant: 'destructive' });
});

test('an empty query, no token, a lost call, a cancelled call: each says so [S8.18]', async () => {
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

test('a quick query is put into the editor and run', async () => {
  server().respond(executeSql, resultOf());
  const user = userEvent.setup();
  draw(<ConsoleTab />);
  await user.click(screen.getByRole('button', { name: 'Count projects' }));
  await toastShown('Query Executed');
  const [{ sqlQuery, dryRun } = { sqlQuery: '', dryRun: false }] = bodies() as Array<{
    sqlQuery: string;
    dryRun: boolean;
  }>;
  expect([sqlQuery, dryRun]).toEqual([expect.stringMatching(/^SELECT count/), true]);
  expect(screen.getByLabelText('SQL query')).toHaveValue(sqlQuery);
  expect(screen.getByLabelText('SQL query')).toHaveFocus();
});

test('the history keeps the last 30 once each, puts one back into the editor, and can be cleared', async () => {
  for (let n = 1; n <= 31; n += 1) addToHistory(`SELECT ${n}`);
  addToHistory(' SELECT 5 ');
  addToHistory(`SELECT '${'x'.repeat(5_000)}'`);
  expect([sqlHistory.get().length, sqlHistory.get()[0], sqlHistory.get()[1], sqlHistory.get()[29]]).toEqual([
    30,
    'SELECT 5',
    'SELECT 31',
    'SELECT 2',
  ]);
  expect(JSON.parse(localStorage.getItem(SQL_HISTORY_KEY) ?? '')).toEqual(sqlHistory.get());
  const user = userEvent.setup();
  draw(<ConsoleTab />);
  await user.click(screen.getByText('History (30)'));
  await user.click(screen.getByRole('button', { name: 'SELECT 9' }));
  expect(screen.getByLabelText('SQL query')).toHaveValue('SELECT 9');
  await user.click(screen.getByRole('button', { name: 'Clear history' }));
  expect(screen.queryByText(/^History/)).toBeNull();
  expect(localStorage.getItem(SQL_HISTORY_KEY)).toBeNull();
});

test('Copy takes the statement to the clipboard, or says that the browser does not allow it', async () => {
  const user = userEvent.setup();
  draw(<ConsoleTab />);
  const copy = screen.getByRole('button', { name: 'Copy' });
  expect(copy).toBeDisabled();
  await user.type(screen.getByLabelText('SQL query'), 'SELECT 2');
  await user.click(copy);
  expect(await toastShown('Copied to clipboard!')).toMatchObject({ variant: 'success' });
  expect(await navigator.clipboard.readText()).toBe('SELECT 2');
  vi.spyOn(console, 'warn').mockReturnValue();
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
  await user.click(copy);
  expect(await toastShown('Error')).toMatchObject({ description: 'The browser does not allow copying' });
});

test('a click on a head sorts the table, and its file has the rows in that order [R33]', async () => {
  const data = [
    { id: 2, name: '=b', more: { x: 1 } },
    { id: 10, name: 'a', more: null },
    { id: 1, name: null, more: true },
  ];
  server().respond(executeSql, resultOf({ columns: ['id', 'name', 'more'], data }));
  const user = await run('SELECT *');
  const table = within(await screen.findByRole('region', { name: 'Result table' }));
  const rows = () =>
    table
      .getAllByRole('row')
      .slice(1)
      .map((row) =>
        within(row)
          .getAllByRole('cell')
          .map((cell) => cell.textContent)
          .join(' '),
      );
  expect(rows()).toEqual(['2 =b {"x":1}', '10 a NULL', '1 NULL true']);
  await user.click(table.getByRole('button', { name: 'id' }));
  expect(rows()).toEqual(['1 NULL true', '2 =b {"x":1}', '10 a NULL']);
  await user.click(table.getByRole('button', { name: 'id' }));
  expect(rows()[0]).toBe('10 a NULL');
  expect(table.getByRole('columnheader', { name: 'id' })).toHaveAttribute('aria-sort', 'descending');
  expect(table.getByRole('columnheader', { name: 'name' })).not.toHaveAttribute('aria-sort');
  const files: Blob[] = [];
  const names: string[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => (files.push(blob as Blob), 'blob:csv'));
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    names.push(this.download);
  });
  await user.click(screen.getByRole('button', { name: 'Download CSV (3 rows)' }));
  expect(names).toEqual(['snapswipe-result.csv']);
  expect(await files[0]?.text()).toBe('\uFEFFid,name,more\r\n10,a,\r\n2,\'=b,"{""x"":1}"\r\n1,,true\r\n');
});
