export const CLIENT = `
import type { operations, paths } from './api.ts';

type Json<R> = R extends { content: { 'application/json': infer Body } } ? Body : never;
type Body<N extends keyof operations, S extends keyof operations[N]['responses']> = Json<operations[N]['responses'][S]>;

async function read<P extends keyof paths>(path: P): Promise<unknown> {
  return (await fetch(path)).json();
}

export async function liabilities(): Promise<number> {
  const supply = (await read('/api/v1/supply')) as Body<'openGetSupply', 200>;
  return supply.liabilities;
}

export function say(status: 401, body: Body<'signIn', 401>): string {
  return body.challenge?.message ?? body.message;
}

export const vote: NonNullable<operations['castVote']['requestBody']>['content']['application/json'] = {
  userId: 1,
  projectId: 2,
  voteType: 'bullish',
};
export const phase = (body: Body<'createProject', 202>): 'looking' | 'received' | 'waiting' => body.phase;
export const slug = (body: Body<'createProject', 201>): string => body.slug;
export const price = (body: Body<'createProject', 402>): string => body.amountMist;
export const conflict: Body<'castVote', 409> = { error: 'already_voted', message: 'Already voted on this project' };
export const csv: operations['exportPayments']['responses'][200]['content'] = { 'text/csv': 'Date,Purpose' };

// @ts-expect-error -- there is no such endpoint
void read('/api/v1/nothing');
// @ts-expect-error -- a direction is one of two
vote.voteType = 'sideways';
// @ts-expect-error -- no response has this status
export type Teapot = operations['castVote']['responses'][418];
// @ts-expect-error -- figures are numbers
export const wrong: Body<'openGetSupply', 200>['issued'] = '1';
`;
