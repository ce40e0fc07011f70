import { randomBytes } from 'node:crypto'
import { type Language, languageNames, languages } from '@aisle/contract/kernel/text'
import type { RawAnswer } from '../../../kernel/rawRoute'
import { word } from '../../../kernel/words'
import { sheet } from './frame.sheet'
import { type Html, html, raw } from './html'

export type Words = (key: string, vars?: Record<string, string | number>) => string
export const wordsIn =
  (language: Language): Words =>
  (key, vars) =>
    word(language, 'support', `customer.${key}`, vars)

type Page = {
  status?: number
  language: Language
  title: string
  /** The path in which the language is switched. */
  path: string
  body: Html
  script?: string
}

/** A page of its own: no program of the application, nothing from elsewhere, and nobody keeps it. */
export function page({ status = 200, language, title, path, body, script }: Page): RawAnswer {
  const nonce = randomBytes(16).toString('base64url')
  const others = languages.map((each) =>
    each === language
      ? html`<span aria-current="true">${languageNames[each]}</span>`
      : html`<a href="${path}?lang=${each}" lang="${each}" hreflang="${each}">${languageNames[each]}</a>`,
  )
  const { markup } = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<style nonce="${nonce}">${raw(sheet)}</style>
</head>
<body>
<main>
${body}
</main>
<footer><nav aria-label="${wordsIn(language)('languages')}">${others}</nav></footer>
${script ? html`<script nonce="${nonce}">${raw(script)}</script>` : null}
</body>
</html>
`
  return {
    status,
    type: 'text/html; charset=utf-8',
    body: markup,
    headers: {
      'content-security-policy': policyWith(nonce),
      'cache-control': 'no-store',
      'content-language': language,
      // The address of a case is its key.
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    },
  }
}

const policyWith = (nonce: string): string =>
  [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

export const see = (path: string): RawAnswer => ({
  status: 303,
  type: 'text/plain; charset=utf-8',
  body: '',
  headers: { location: path, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
})
