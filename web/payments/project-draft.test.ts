import { describe, expect, test } from 'vitest';
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

describe('the form of a project', () => {
  test('rejects an empty form at every required field; the website is optional [S5.3]', () => {
    expect(formErrors(EMPTY_FORM)).toEqual({
      name: 'Enter a project name',
      category: 'Choose a category',
      description: 'Enter a description',
      twitterHandle: 'Enter a link to the X account',
      imageUrl: 'Please upload a project image',
    });
    expect(formErrors(GOOD)).toEqual({});
  });

  test('the description is counted in code points, white space around it is not [R15 S9.7]', () => {
    expect(formErrors({ ...GOOD, description: ` ${'🦈'.repeat(200)} ` })).toEqual({});
    expect(formErrors({ ...GOOD, description: '🦈'.repeat(201) })).toHaveProperty('description');
  });

  test('rejects links of other hosts and schemes [R12 R26]', () => {
    expect(formErrors({ ...GOOD, twitterHandle: 'https://facebook.com/coral' })).toHaveProperty('twitterHandle');
    expect(formErrors({ ...GOOD, website: 'javascript:alert(1)' })).toHaveProperty('website');
  });

  test('the sent fields are clean, and an empty website is omitted [S7.16]', () => {
    expect(cleanForm({ ...GOOD, name: '  Coral   Swap ' })).toMatchObject({ ...TYPED, website: null });
  });
});
