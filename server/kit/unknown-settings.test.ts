import { expect, test } from 'vitest';
import { findUnknownSettings } from './unknown-settings.ts';

test('names a misspelled setting, in the settings file and in the environment, with the one that it resembles', () => {
  const file = { ADMIN_WALET: '0x1', LOG_PRIVATKEY: 'abc', TRUSTPROXY: '1' };
  const expected = [
    'ADMIN_WALET is not a setting: did you mean ADMIN_WALLET?',
    'LOG_PRIVATKEY is not a setting: did you mean LOG_PRIVATE_KEY?',
    'TRUSTPROXY is not a setting: did you mean TRUST_PROXY?',
  ];
  expect(findUnknownSettings(file, {})).toEqual(expected);
  expect(findUnknownSettings({}, file)).toEqual(expected);
  expect(findUnknownSettings(file, file)).toEqual(expected);
});

test('names an unknown setting of the settings file, and lets other programs have theirs', () => {
  const ofOthers = { NODE_EXTRA_CA_CERTS: '/ca.crt', PGSSLMODE: 'require', OTEL_SERVICE_NAME: 'ours', TZ: 'UTC' };
  expect(findUnknownSettings({ FEE: '15', ...ofOthers }, {})).toEqual(['FEE is not a setting; see .env.example']);
});

test('does not mistake other environment variables for misspelled settings', () => {
  const usual = {
    HOME: '/root',
    PATH: '/bin',
    HOSTNAME: 'a',
    LANG: 'C',
    SHELL: '/bin/sh',
    LOGNAME: 'root',
    USER: 'root',
  };
  expect(findUnknownSettings({}, { ...usual, npm_config_cache: '/tmp', PORT: '3000' })).toEqual([]);
});
