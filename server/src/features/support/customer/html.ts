/** Markup that is ready; everything else that is put into a page is text. */
export type Html = { markup: string }
type Part = Html | readonly Html[] | string | number | false | null | undefined

export const html = (parts: TemplateStringsArray, ...values: readonly Part[]): Html => ({
  markup: parts.map((part, at) => part + markupOf(values[at])).join(''),
})

function markupOf(value: Part): string {
  if (value === undefined || value === null || value === false) return ''
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value))
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('')
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** A sheet or script of ours, as it stands. */
export const raw = (markup: string): Html => ({ markup })
