import { DatabaseError } from 'pg';
import { expect, test } from 'vitest';
import { withRetry } from './catalogue-retry.ts';

/** Work that fails this often before it succeeds; `tries` counts. */
function failing(code: string, failures: number): { tries: number; work: () => Promise<string> } {
  const job = {
    tries: 0,
    work: () => {
      job.tries += 1;
      const error = new DatabaseError(`failure ${job.tries}`, 0, 'error');
      error.code = code;
      return job.tries > failures ? Promise.resolve('done') : Promise.reject(error);
    },
  };
  return job;
}

test.each(['XX000', '40001', '40P01', '55P03'])(
  'retries %s, which comes from a row that another transaction has locked',
  async (code) => {
    const job = failing(code, 4);
    expect(await withRetry(job.work)).toBe('done');
    expect(job.tries).toBe(5);
  },
);

test('a row that stays locked ends with the error of the last try', async () => {
  const job = failing('55P03', Number.POSITIVE_INFINITY);
  await expect(withRetry(job.work)).rejects.toThrow('failure 8');
  expect(job.tries).toBe(8);
});

test('an error that another try would not change is thrown immediately', async () => {
  const refused = failing('42501', Number.POSITIVE_INFINITY);
  await expect(withRetry(refused.work)).rejects.toThrow('failure 1');
  const lost = { tries: 0 };
  const work = () => Promise.reject(new Error(`lost ${(lost.tries += 1)}`));
  await expect(withRetry(work)).rejects.toThrow('lost 1');
  expect([refused.tries, lost.tries]).toEqual([1, 1]);
});
