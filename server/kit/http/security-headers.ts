import type { FastifyInstance, onSendHookHandler } from 'fastify';
import type { Services } from '../services.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    mayBeFramed?: true;
  }
}

const FRAME_HEADER = 'x-frame-options';

const POLICY_HEADER = 'content-security-policy';
/** The policy for data that a browser may show as a page: nothing in it loads or runs. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'";
/** Types of data. Styles, scripts and pictures follow the policy of the page, and pages have their own. */
const DATA = /^(?:application\/(?:[\w.]+\+)?(?:json|xml|zip|octet-stream)|text\/(?:plain|csv|xml))\b/;

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
  // In lower case, as the framework keeps them: every response passes here, and each name is looked up twice.
  const headers = Object.entries({
    'x-content-type-options': 'nosniff',
    [FRAME_HEADER]: 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
    ...(config.publicOrigin.startsWith('https:')
      ? { 'strict-transport-security': `max-age=31536000${config.hstsSubdomains ? '; includeSubDomains' : ''}` }
      : {}),
  });
  // A route may have set its own. Not async: a promise costs more than the work.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    for (const [name, value] of headers) if (!reply.hasHeader(name)) reply.header(name, value);
    if (!reply.hasHeader(POLICY_HEADER) && DATA.test(String(reply.getHeader('content-type')))) {
      reply.header(POLICY_HEADER, DATA_POLICY);
    }
    done();
  });
  const allowFrames: onSendHookHandler = (_request, reply, _payload, done) => {
    reply.removeHeader(FRAME_HEADER);
    done();
  };
  app.addHook('onRoute', (route) => {
    if (route.config?.mayBeFramed) route.onSend = [route.onSend ?? [], allowFrames].flat();
  });
}
