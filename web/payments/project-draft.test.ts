import { expect, test } from 'vitest';
import { cleanForm, EMPTY_FORM, formErrors } from './project-draft.ts';

const TYPED = {
  name: 'Coral Swap',
  category: 'DeFi',
  description: 'Swaps coins in a reef',
  twitterHandle: 'https://x.com/coral',
  website: '',
  imageUrl: 'data:image/png;base64,AAAA',
};
const GOOD = { ...EMPTY_FORM, ...TYPED };

test('an empty project form is rejected at every required field [S5.3]', () => {
  expect(formErrors(EMPTY_FORM)).toEqual({
    name: 'Enter a project name',
    category: 'Choose a category',
    description: 'Enter a description',
    twitterHandle: 'Enter a link to the X account',
    imageUrl: 'Please upload a project image',
  });
  expect(formErrors(GOOD)).toEqual({});
});

test('a description is counted in code points, without white space around it [R15 S9.7]', () => {
  expect(formErrors({ ...GOOD, description: ` ${'🦈'.repeat(200)} ` })).toEqual({});
  expect(formErrors({ ...GOOD, description: '🦈'.repeat(201) })).toHaveProperty('description');
});

test('a project form rejects links of other hosts and schemes [R12 R26]', () => {
  expect(formErrors({ ...GOOD, twitterHandle: 'https://facebook.com/coral' })).toHaveProperty('twitterHandle');
  expect(formErrors({ ...GOOD, website: 'javascript:alert(1)' })).toHaveProperty('website');
});

test('a project form sends clean fields, and no empty website [S7.16]', () => {
  expect(cleanForm({ ...GOOD, name: '  Coral   Swap ' })).toMatchObject({ ...TYPED, website: null });
});
