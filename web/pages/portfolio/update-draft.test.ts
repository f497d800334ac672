import { expect, test } from 'vitest';
import { updateCategories } from '#shared/rules.ts';
import { projectOf } from '../../testing/made-up.ts';
import { changeErrors, changesOf, toForm } from './update-draft.ts';

const PROJECT = projectOf(7, {
  name: 'Coral',
  category: 'Meme',
  description: 'A reef',
  twitterHandle: 'coral',
  website: 'https://coral.example',
});
const form = toForm(PROJECT);

test('an update sends changed fields only [R24 S7.17]', () => {
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

test('another spelling of the same X account changes nothing [R12]', () => {
  expect(changesOf({ ...form, twitterHandle: '@coral' }, PROJECT)).toEqual({});
  expect(changesOf({ ...form, twitterHandle: 'https://twitter.com/reef' }, PROJECT)).toEqual({
    twitterHandle: 'https://twitter.com/reef',
  });
});

test('a description of 201 characters and invalid links are rejected beside their fields [S5.4 S2.32]', () => {
  expect(changeErrors(form, PROJECT)).toEqual({});
  expect(Object.keys(changeErrors({ ...form, description: 'x'.repeat(201), website: 'nowhere' }, PROJECT))).toEqual([
    'description',
    'website',
  ]);
});

test('the update dialog offers its own categories and the present one [R24 S3.15]', () => {
  expect(updateCategories('Meme')).toEqual(['DeFi', 'NFT', 'Gaming', 'Infrastructure', 'Social', 'Other', 'Meme']);
  expect(updateCategories('DeFi')).toEqual(['DeFi', 'NFT', 'Gaming', 'Infrastructure', 'Social', 'Other']);
});
