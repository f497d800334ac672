import { expect, test } from 'vitest';
import type { Project } from '#shared/contract/types.ts';
import { updateCategories } from '#shared/rules.ts';
import { changeErrors, changesOf, toForm } from './update-draft.ts';

const PROJECT: Project = {
  id: 7,
  slug: 'coral',
  name: 'Coral',
  category: 'Meme',
  description: 'A reef',
  imageUrl: '/images/abc.webp',
  twitterHandle: 'coral',
  website: 'https://coral.example',
  submittedBy: '0x1',
  transactionHash: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-02-01T00:00:00.000Z',
  period: 1,
  periodEndsAt: '2026-02-01T00:00:00.000Z',
  bullishCount: 0,
  bearishCount: 0,
  totalVotes: 0,
  verified: { bullish: 0, bearish: 0 },
};
const form = toForm(PROJECT);

test('only what differs is sent, and nothing of an untouched form [R24 S7.17]', () => {
  expect(changesOf(form, PROJECT)).toEqual({});
  expect(changesOf({ ...form, name: ' Coral ' }, PROJECT)).toEqual({});
  expect(changesOf({ ...form, description: 'A large reef', category: 'Social' }, PROJECT)).toEqual({
    description: 'A large reef',
    category: 'Social',
  });
  expect(changesOf({ ...form, website: '' }, PROJECT)).toEqual({ website: null });
  expect(changesOf({ ...form, imageUrl: 'data:image/png;base64,AA' }, PROJECT)).toEqual({
    imageUrl: 'data:image/png;base64,AA',
  });
});

test('another way to write the same X account changes nothing [R12]', () => {
  expect(changesOf({ ...form, twitterHandle: '@coral' }, PROJECT)).toEqual({});
  expect(changesOf({ ...form, twitterHandle: 'https://twitter.com/reef' }, PROJECT)).toEqual({
    twitterHandle: 'https://twitter.com/reef',
  });
});

test('rejects 201 characters and invalid links beside their fields [S5.4 S2.32]', () => {
  expect(changeErrors(form, PROJECT)).toEqual({});
  expect(Object.keys(changeErrors({ ...form, description: 'x'.repeat(201), website: 'nowhere' }, PROJECT))).toEqual([
    'description',
    'website',
  ]);
});

test('the dialog offers its own list, and the present category where that is not on it [R24 S3.15]', () => {
  expect(updateCategories('Meme')).toEqual(['DeFi', 'NFT', 'Gaming', 'Infrastructure', 'Social', 'Other', 'Meme']);
  expect(updateCategories('DeFi')).toEqual(['DeFi', 'NFT', 'Gaming', 'Infrastructure', 'Social', 'Other']);
});
