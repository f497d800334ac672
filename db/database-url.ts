/** Explains why a database's address cannot be used and what to write instead; null if it can. Never quotes a password. */
export function databaseUrlProblem(url: string): string | null {
  if (!/^postgres(?:ql)?:\/\//.test(url)) return 'must start with postgres:// or postgresql://';
  const rest = url.slice(url.indexOf('//') + 2);
  // An @ in the parameters does not end the credentials.
  const end = rest.search(/\?[\w-]+=/);
  const address = end === -1 ? rest : rest.slice(0, end);
  const credentials = address.slice(0, Math.max(0, address.lastIndexOf('@')));
  const sign = /[/?#@\s[\]]|%(?![\da-f]{2})/i.exec(credentials)?.[0];
  if (sign !== undefined)
    return `user or password has the sign ${sign === ' ' ? '(blank)' : sign}, which has a meaning in addresses: write ${encodeURIComponent(sign)} for ${sign}`;
  const host = address.slice(credentials.length).replace(/^@/, '').split('/')[0] ?? '';
  if (host.includes(','))
    return 'names several hosts, and the server connects to one: name an address that leads to the primary, such as that of HAProxy or PgBouncer (docs/operate/cluster.md)';
  if (host === '' || host.startsWith('%2F'))
    return 'has no host: for a socket write postgres://user@localhost/snapswipe?host=/var/run/postgresql';
  if (!URL.canParse(url)) return 'is not an address like postgres://user:password@host:5432/snapswipe';
  if (new URL(url).hash !== '') return 'has the sign #, which has a meaning in addresses: write %23 for #';
  return null;
}

const CERTIFICATE = /SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)|CERT_(?:UNTRUSTED|HAS_EXPIRED|NOT_YET_VALID)/;

/** Advice for operators on a database error; null if its message says enough. */
export function databaseRemedy(error: unknown, variable = 'DATABASE_URL'): string | null {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (CERTIFICATE.test(code))
    return "Add sslmode=verify-full&sslrootcert=/path/to/ca.pem to the URL, with the certificate of the authority that signed the database's own, or sslmode=no-verify where nobody can listen";
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'Write the host in the URL as the certificate names it';
  if (code === 'ENOENT' && /ssl|\.(?:pem|crt|key)/.test(message))
    return 'Give sslrootcert, sslcert and sslkey of the URL as paths that this user can read';
  if (message.includes('does not support SSL')) return 'Switch ssl on in PostgreSQL, or take sslmode out of the URL';
  if (code === '3D000') return 'Create it: CREATE DATABASE … OWNER …';
  if (code === '28P01') return `Correct ${variable}: signs such as # or @ in a password are written as %23 or %40`;
  if (code === '42501' || code === '3F000')
    return 'Let the role of the URL own the schema: CREATE SCHEMA IF NOT EXISTS public; ALTER SCHEMA public OWNER TO …';
  return null;
}
