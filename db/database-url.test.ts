import { expect, test } from 'vitest';
import { databaseRemedy, databaseUrlProblem } from './database-url.ts';

test.each([
  ['postgres://app:p@ss#1/x@127.0.0.1:5432/good', /the sign @, .*: write %40/],
  ['postgres://app:pass#1@127.0.0.1:5432/good', /the sign #, .*: write %23/],
  ['postgres://app:a/b@127.0.0.1:5432/good', /the sign \/, .*: write %2F/],
  ['postgres://app:what?@127.0.0.1:5432/good', /the sign \?, .*: write %3F/],
  ['postgres://app:two words@127.0.0.1:5432/good', /the sign \(blank\), .*: write %20/],
  ['postgres://app:50%off@127.0.0.1:5432/good', /the sign %, .*: write %25/],
  ['postgres://app@127.0.0.1:5432,127.0.0.2:5432/good?target_session_attrs=read-write', /^names several hosts/],
  ['postgres://app@/good?host=/run/postgresql', /^has no host: for a socket write postgres:\/\/user@localhost/],
  ['postgres://app@%2Frun%2Fpostgresql/good', /^has no host: for a socket write/],
  ['postgres://app@127.0.0.1:port/good', /^is not an address like/],
  ['postgres://app@127.0.0.1/good#1', /^has the sign #/],
  ['127.0.0.1:5432', /^must start with postgres:\/\//],
])('refuses the address %s with its mistake named and its password hidden', (url, problem) => {
  expect(databaseUrlProblem(url)).toMatch(problem);
  expect(databaseUrlProblem(url)).not.toMatch(/p@ss|pass#|50%off|two words/);
});

test.each([
  'postgres://localhost/snapswipe',
  'postgresql://app:p%40ss%231%2Fx@db.internal:5432/good?sslmode=verify-full&sslrootcert=/etc/ssl/our@ca.pem',
  'postgres://app:x@[::1]:5432/good?options=-c%20work_mem%3D7MB',
  'postgres://app@localhost/good?host=/run/postgresql',
  'postgres://app:100%25@db/good',
])('the address %s is used as it is', (url) => expect(databaseUrlProblem(url)).toBeNull());

test.each<[error: { code?: string; message?: string }, remedy: RegExp]>([
  [{ code: 'SELF_SIGNED_CERT_IN_CHAIN' }, /sslrootcert=/],
  [{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, /sslrootcert=/],
  [{ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }, /sslrootcert=/],
  [
    { code: 'ENOENT', message: "ENOENT: no such file or directory, open '/x/ca.pem'" },
    /sslrootcert, sslcert and sslkey/,
  ],
  [{ message: 'The server does not support SSL connections' }, /take sslmode out/],
  [{ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, /as the certificate names it/],
  [{ code: '3D000' }, /CREATE DATABASE/],
  [{ code: '28P01' }, /%23 or %40/],
  [{ code: '42501' }, /ALTER SCHEMA public OWNER TO/],
  [{ code: '3F000' }, /CREATE SCHEMA IF NOT EXISTS public/],
])('the database error %o comes with advice for the operator', (error, remedy) => {
  expect(databaseRemedy(Object.assign(new Error(error.message ?? ''), error))).toMatch(remedy);
});
