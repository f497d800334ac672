import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { marked } from 'marked';
import type { Config, OwnText } from '#server/kit/config.ts';
import { sendCached, toCachedText } from '#server/kit/cache/responses.ts';
import type { Services } from '#server/kit/services.ts';
import type { DrawDocument } from './document.ts';
import { privacyText, termsText } from './texts.ts';

interface Document {
  path: string;
  title: string;
  own: OwnText | null;
  text: (operator: Config) => string;
}

const documentsOf = (config: Config): Document[] => [
  { path: '/privacy', title: 'Privacy', own: config.privacyText, text: privacyText },
  { path: '/terms', title: 'Terms', own: config.termsText, text: termsText },
];

export async function mountLegal(
  app: FastifyInstance,
  { config, termsVersion }: Services,
  drawDocument: DrawDocument,
): Promise<void> {
  for (const { path, title, own, text } of documentsOf(config)) {
    if (own?.url !== undefined) {
      const { url } = own;
      app.get(path, (_request, reply) => reply.header('Cache-Control', 'no-cache').redirect(url, 302));
      continue;
    }
    // oxlint-disable-next-line no-await-in-loop -- two files, once
    const html = own === null ? text(config) : await marked.parse(await readFile(own.file, 'utf8'));
    const version = path === '/terms' ? `<p>Version ${termsVersion}</p>` : '';
    const response = drawDocument(title, html + version);
    app.get(path, { compress: false }, (request, reply) => void sendCached(request, reply, response));
  }
}

/** Readers of the site have no other documents of the repository: references to them are removed, and links keep their words. */
const withoutOwnLinks = (markdown: string): string =>
  markdown.replaceAll(/ \(\[[^\]]+\]\((?!https?:)[^)]+\)\)/g, '').replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]+\)/g, '$1');

/** Documents of the repository that strangers need: as a page, and as Markdown for programs. */
const PUBLISHED = [
  { path: '/trust/record', file: 'record.md', title: 'The public record' },
  { path: '/trust/standing', file: 'standing.md', title: 'Which votes are verified' },
];

export async function mountTrustDocuments(app: FastifyInstance, drawDocument: DrawDocument): Promise<void> {
  for (const { path, file, title } of PUBLISHED) {
    // oxlint-disable-next-line no-await-in-loop -- two files, once
    const markdown = withoutOwnLinks(await readFile(new URL(`../../../docs/use/${file}`, import.meta.url), 'utf8'));
    const html = await marked.parse(markdown.replace(/^# .*\n/, ''));
    const asMarkdown = `<p><a href="${path}.md">This page as Markdown</a></p>`;
    const page = drawDocument(title, html + asMarkdown);
    const text = toCachedText(markdown, 'text/markdown; charset=utf-8', { 'Cache-Control': 'public, max-age=300' });
    app.get(`${path}.md`, { compress: false }, (request, reply) => void sendCached(request, reply, text));
    app.get(path, { compress: false }, (request, reply) => void sendCached(request, reply, page));
  }
}
