import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanLine } from '#shared/text/clean-text.ts';
import { runs } from '#shared/testing/property-runs.ts';
import { leadsAway } from './leads-away.ts';

const HEX = 'a1b2c3d4'.repeat(8);

test.each([
  ['hosts', ['frog.io', 'FROG.IO', 'frog.finance now', 'evil.рф', '公司.中国', 'i❤.ws', 'evil.c', 'evil.xn--p1ai']],
  ['names of wallets', ['coral.sui', 'coral .sui', 'x@sui', 'frog.eth']],
  [
    'hosts with the dots that browsers take',
    ['frog．io', 'frog。io', 'frog｡io', 'frog․io', 'evil。香港', 'frog.ioを見て'],
  ],
  ['hosts with what readers take for a dot', ['frog·io', 'frog • io', 'frog・io', 'evil,com', 'evil۔com']],
  ['hosts with a spaced dot', ['frog .io', 'frog. io', 'Claim at evil. com', 'e v i l . c o m']],
  ['hosts with a dot in brackets', ['frog(.)io', 'evil[.]com airdrop', 'evil (dot) shop', '203[.]0[.]113[.]7']],
  ['hosts with a dot as a word', ['frog dot io', 'evil DOT com airdrop', 'scam dot finance', 'name(at)evil(dot)com']],
  ['hosts without a dot', ['hxxps evil com', 'w.w.w. evil com', 'www evil', 'discord gg/abc', 'bit ly/abc', 't me/x']],
  ['hosts in letters that look Latin', ['evil.соm', 'еvіl.соm', 'сосо.сс', 'ⓔⓥⓘⓛ.ⓒⓞⓜ', '🅔🅥🅘🅛.🅒🅞🅜', 'ｗｗｗ．evil']],
  ['hosts with invisible letters and marks', ['fr\u200bog.i\u200bo', 'evil.c\u0323om', 'ev\u00adil.\u202ecom']],
  [
    'addresses of machines',
    ['203.0.113.9:8080/x', '２０３.０.113．7', '٢٠٣.٠.١١٣.٧', '[2001:db8::1]', '1:2:3:4:5:6:7:8'],
  ],
  [
    'schemes',
    ['https:frog', 'https:/evil.com', 'http:3405803785', 'tg:resolve?domain=quietfrog', 'x://y', 'mailto: x'],
  ],
  ['handles', ['@quietfrog', '＠quietfrog', '﹫quietfrog', '@ quietfrog', 'Ask (at) frog', '@_1']],
  [
    'beginnings of addresses',
    ['0x1234', '0х1234', 'Ox1234ab', '０ｘ1234', '0x a1b2c3', '0 x1234abcd', '0Х1234abcd', '0×12ab'],
  ],
  [
    'addresses',
    [HEX, HEX.match(/.{8}/g)?.join(' '), `bc1${'qar0srrr7xfkvy5l643l'.repeat(2)}`, 'a1b2::frog::FROG', 'a∷b'],
  ],
  [
    'telephone numbers',
    ['+1 202 555 0123', '(202) 555-0123', 'call 12025550123', '+49 (0)30 1234567', '020 7946 0123'],
  ],
])('finds %s [R89]', (_kind, texts) => {
  expect(texts.filter((text) => text !== undefined && !leadsAway(cleanLine(text)))).toEqual([]);
});

test.each([
  [
    'dots without a top-level domain',
    ['Node.js devs', 'team.Great', '50% off.Why?', 'U.S. team, e.g. well known', 'a.k.a. frog', 'Ph.D. team'],
  ],
  [
    'numbers',
    [
      'Solid v2.0',
      'v1.2.3.4',
      'Up 3.5x, not 0.5x',
      'TVL 1.2M→3.4M',
      'Rug in 3...2...1',
      'No.1 DEX',
      'Web3.0',
      '100 x 2000',
    ],
  ],
  [
    'dates and amounts',
    [
      '01.12.2026',
      '2026-11-28',
      '1 000 000 000 SUI',
      '10000000000',
      '0.00000001',
      '+10000000%',
      '100 200 3000',
      '10:30-11:00',
    ],
  ],
  [
    'sentences that begin like a domain',
    ['Great team. Love it', 'Great. Me too', 'solid. it is good', 'no rug. so far', 'Great. Sui is fast'],
  ],
  [
    'signs',
    [
      'see you @ 5pm',
      'TVL:100',
      'and/or in/out',
      'Sui • fast • cheap',
      'wait…what',
      'C++ and C#',
      'Better than DOT now',
    ],
  ],
  [
    'Japanese',
    [
      '最高。ありがとう',
      '最高です。DeFiの未来',
      'NFT・ゲーム',
      '草www',
      '素晴らしいプロジェクトです開発が速くてコミュニティも親切でこれからも応援していきたい',
    ],
  ],
  ['Chinese and Korean', ['很好。我喜欢这个项目', '매우 좋다.정말']],
  ['Arabic, Urdu and Hindi', ['مشروع رائع. الفريق يجيب', 'مشروع رائع.جدا', 'بہت اچھا۔ ٹیم', 'बहुत अच्छा।टीम']],
  ['Russian', ['Отличная команда.Жду релиза', 'Отлично. Со мной', 'Хорошо.Но дорого', 'Хорошо.Со мной']],
  [
    'other languages',
    ['Très bien.Où', 'Muy bueno.Sí', 'C’est top.Très bien', 'col·lecció', 'สวัสดีครับ ทีมงานดีมาก', 'Việt Nam. Tốt'],
  ],
])('takes innocent %s [R89]', (_kind, texts) => {
  expect(texts.filter((text) => leadsAway(cleanLine(text)))).toEqual([]);
});

const DISGUISED_LETTERS: Record<string, string[]> = {
  c: ['c', 'C', 'ｃ', 'с', 'ⓒ', '𝐜', 'c\u200b'],
  o: ['o', 'O', 'ｏ', 'о', 'ⓞ', '𝕠', 'o\u2060'],
  m: ['m', 'M', 'ｍ', 'ⓜ', '𝓂', 'm\u200d'],
};
const DISGUISED_DOTS = [
  '.',
  '．',
  '。',
  '｡',
  '․',
  '﹒',
  '·',
  '‧',
  ' .',
  '. ',
  ' . ',
  '[.]',
  '(。)',
  '{ dot }',
  ' dot ',
  ' DOT ',
];
const disguised = (text: string) =>
  fc
    .tuple(...Array.from(text, (letter) => fc.constantFrom(...(DISGUISED_LETTERS[letter] ?? [letter]))))
    .map((letters) => letters.join(''));

test('finds a host in any mixture of disguises, inside any sentence [R89]', () => {
  const host = fc.tuple(disguised('frogcoco'), fc.constantFrom(...DISGUISED_DOTS), disguised('com'));
  const before = fc.constantFrom('', 'Claim at ', '最高。', 'Смотри ', '"');
  const after = fc.constantFrom('', ' now', '/x', '!', ' を見て');
  fc.assert(
    fc.property(before, host, after, (start, parts, end) => {
      expect(leadsAway(cleanLine(`${start}${parts.join('')}${end}`))).toBe(true);
    }),
    runs(300),
  );
});

test('takes any words joined by spaces, commas and full stops with a space [R89]', () => {
  const words = 'the team is good so far it in me love now best live fun to be at my no do us'.split(' ');
  const part = fc.tuple(fc.constantFrom(...words), fc.constantFrom(' ', ', ', '. ', '! '));
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 15 }), (parts) => {
      expect(leadsAway(cleanLine(parts.flat().join('')))).toBe(false);
    }),
    runs(300),
  );
});
