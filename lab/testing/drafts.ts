import sharp from 'sharp';
import type { ProjectDraft } from '#shared/contract/projects.ts';
import { RENEW_FEE_MIST, SUBMIT_FEE_MIST } from '#shared/constants.ts';
import { type Signed, signPayment, type TestChain } from './chain.ts';
import type { TestResponse, TestUser } from './client.ts';

export async function pictureUrl(red = 40, width = 60, height = 80): Promise<string> {
  const bytes = await sharp({ create: { width, height, channels: 3, background: { r: red, g: 120, b: 200 } } })
    .png()
    .toBuffer();
  return `data:image/png;base64,${bytes.toString('base64')}`;
}

let serial = 0;
export async function newDraft(changes: Partial<ProjectDraft> = {}): Promise<ProjectDraft> {
  serial += 1;
  return {
    name: `Coral Swap ${serial}`,
    category: 'DeFi',
    description: 'Swaps coins in a reef',
    imageUrl: await pictureUrl(),
    twitterHandle: 'https://x.com/coralswap',
    website: 'https://coral.example',
    ...changes,
  };
}

export interface Prepared {
  paymentId: string;
  amountMist: string;
  recipient: string;
  expiresAt: string;
}

export const prepareSubmit = (user: TestUser, draft: ProjectDraft): Promise<TestResponse<Prepared>> =>
  user.post<Prepared>('/api/payments', { purpose: 'submit', draft });

export const executeSigned = (
  user: TestUser,
  paymentId: string,
  { bytes, signature }: Pick<Signed, 'bytes' | 'signature'>,
): Promise<TestResponse<{ transactionHash: string; status?: string; error?: string; message?: string }>> =>
  user.post(`/api/payments/${paymentId}/execute`, { bytes, signature });

export const submitPaid = <T = Record<string, unknown>>(
  user: TestUser,
  draft: ProjectDraft,
  transactionHash?: string,
): Promise<TestResponse<T>> => user.post<T>('/api/projects', { ...draft, submittedBy: user.address, transactionHash });

/** An order of the user and its signed payment; nothing is sent to the chain. */
export async function signedSubmit(chain: TestChain, user: TestUser, recipient?: string) {
  const draft = await newDraft();
  const { paymentId } = (await prepareSubmit(user, draft)).body;
  return { draft, paymentId, signed: await signPayment(chain, user.wallet, SUBMIT_FEE_MIST, recipient) };
}

export const prepareRenewal = (
  user: TestUser,
  projectId: number,
): Promise<TestResponse<Prepared & { error?: string }>> => user.post('/api/payments', { purpose: 'renew', projectId });

export async function signedRenewal(chain: TestChain, user: TestUser, projectId: number) {
  const { paymentId } = (await prepareRenewal(user, projectId)).body;
  return { paymentId, signed: await signPayment(chain, user.wallet, RENEW_FEE_MIST) };
}
