import type { FastifyInstance } from 'fastify';
import type { Services } from '../services.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Another site may show it in a frame: nothing in it acts for anybody. Its own policy says who. */
    mayBeFramed?: true;
  }
}

const FRAME_HEADER = 'X-Frame-Options';

/**
 * Security headers for every response. `scriptHashes` are those of the inline scripts of the built page ('sha256-…').
 * style-src-attr is open because React and the drag write style attributes; style sheets and scripts are not.
 */
export function contentSecurityPolicy({ config }: Services, scriptHashes: string[]): string {
  const chain = [config.rpcUrl, config.faucetUrl].filter((url) => url !== null).map((url) => new URL(url).origin);
  // The browser may reach a loopback service by either name.
  const loopback = chain
    .filter((origin) => origin.includes('127.0.0.1'))
    .map((origin) => origin.replace('127.0.0.1', 'localhost'));
  // The web wallet of the wallet list asks there for its name and picture; it serves the public networks only.
  const walletServices = config.network === 'localnet' ? [] : ['https://api.slush.app'];
  const directives: Record<string, string[]> = {
    'default-src': ["'self'"],
    'script-src': ["'self'", ...scriptHashes.map((hash) => `'${hash}'`)],
    'style-src': ["'self'"],
    'style-src-attr': ["'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...new Set([...chain, ...loopback]), ...walletServices],
    'manifest-src': ["'self'"],
    'worker-src': ["'self'"],
    'object-src': ["'none'"],
    'base-uri': ["'self'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  };
  const https = config.publicOrigin.startsWith('https:') ? '; upgrade-insecure-requests' : '';
  return Object.entries(directives)
    .map(([name, values]) => `${name} ${values.join(' ')}`)
    .join('; ')
    .concat(https);
}

export function addSecurityHeaders(app: FastifyInstance, { config }: Services): void {
  const headers = Object.entries({
    'X-Content-Type-Options': 'nosniff',
    [FRAME_HEADER]: 'DENY',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=()',
    ...(config.publicOrigin.startsWith('https:')
      ? { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' }
      : {}),
  });
  // A route may have set its own. Not async: every response passes here, and a promise costs more than the work.
  app.addHook('onSend', (request, reply, _payload, done) => {
    for (const [name, value] of headers) if (!reply.hasHeader(name)) reply.header(name, value);
    if (request.routeOptions.config.mayBeFramed) reply.removeHeader(FRAME_HEADER);
    done();
  });
}
