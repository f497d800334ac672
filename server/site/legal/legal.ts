import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { marked } from 'marked';
import type { Config } from '#server/kit/config.ts';
import { sendCached } from '#server/kit/cache/responses.ts';
import type { Services } from '#server/kit/services.ts';
import type { DrawDocument } from './document.ts';
import { privacyText, termsText } from './texts.ts';

/* /privacy and /terms. The operator's own text replaces ours: at another address, or from a Markdown file. */

interface Document {
  path: string;
  title: string;
  url: string | null;
  file: string | null;
  text: (operator: Config) => string;
}

const documentsOf = (config: Config): Document[] => [
  { path: '/privacy', title: 'Privacy', url: config.privacyUrl, file: config.privacyFile, text: privacyText },
  { path: '/terms', title: 'Terms', url: config.termsUrl, file: config.termsFile, text: termsText },
];

export async function mountLegal(
  app: FastifyInstance,
  { config, termsVersion }: Services,
  drawDocument: DrawDocument,
): Promise<void> {
  for (const { path, title, url, file, text } of documentsOf(config)) {
    if (url !== null) {
      app.get(path, (_request, reply) => reply.header('Cache-Control', 'no-cache').redirect(url, 302));
      continue;
    }
    // oxlint-disable-next-line no-await-in-loop -- two files, once
    const html = file === null ? text(config) : await marked.parse(await readFile(file, 'utf8'));
    const version = path === '/terms' ? `<p>Version ${termsVersion}</p>` : '';
    const response = drawDocument(title, html + version);
    app.get(path, { compress: false }, (request, reply) => void sendCached(request, reply, response));
  }
}
