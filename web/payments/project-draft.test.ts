import { describe, expect, test } from 'vitest';
import { cleanForm, EMPTY_FORM, formFaults } from './project-draft.ts';

const GOOD = {
  name: 'Coral Swap',
  category: 'DeFi',
  description: 'Swaps coins in a reef',
  twitterHandle: 'https://x.com/coral',
  website: '',
  imageUrl: 'data:image/png;base64,AAAA',
};

describe('the form of a project', () => {
  test('[S5.3] an empty form is refused at every field that is required, the website is not', () => {
    expect(formFaults(EMPTY_FORM)).toEqual({
      name: 'Enter a project name',
      category: 'Choose a category',
      description: 'Enter a description',
      twitterHandle: 'Enter a link to the X account',
      imageUrl: 'Please upload a project image',
    });
    expect(formFaults(GOOD)).toEqual({});
  });

  test('[R15 S9.7] the description is counted in code points, white space around it is not', () => {
    expect(formFaults({ ...GOOD, description: ` ${'🦈'.repeat(200)} ` })).toEqual({});
    expect(formFaults({ ...GOOD, description: '🦈'.repeat(201) })).toHaveProperty('description');
  });

  test('[R12 R26] links of other hosts and schemes are refused', () => {
    expect(formFaults({ ...GOOD, twitterHandle: 'https://facebook.com/coral' })).toHaveProperty('twitterHandle');
    expect(formFaults({ ...GOOD, website: 'javascript:alert(1)' })).toHaveProperty('website');
  });

  test('[S7.16] what is sent is clean, and an empty website is none', () => {
    expect(cleanForm({ ...GOOD, name: '  Coral   Swap ' })).toEqual({ ...GOOD, website: null });
  });
});
