import { createHmac } from 'node:crypto'
import type { MediaKind } from '@aisle/contract/advert/creative'
import type { AuthKeys, Reader } from '../../kernel/context'
import { keepLinks } from '../../kernel/files/fileLink'
import { hashToken } from '../../kernel/token'

export type AdFile = { sha256: string; media: MediaKind }
const nameOf = ({ sha256, media }: AdFile): string => `${sha256}.${media}`

/**
 * Paths of files until then, by their hashes: signed, so that nobody guesses one, and the same for every machine that
 * is told on that day.
 */
export async function linksOf(
  db: Reader,
  { auth }: AuthKeys,
  files: readonly AdFile[],
  until: Date,
): Promise<Map<string, string>> {
  if (files.length === 0) return new Map()
  const day = until.toISOString().slice(0, 10)
  const links = files.map((file) => {
    const about = `aisle advert\n${nameOf(file)}\n${day}`
    return { ...file, token: createHmac('sha256', auth).update(about).digest('base64url') }
  })
  const kept = links.map((link) => {
    const name = nameOf(link)
    return { tokenHash: hashToken(link.token), folder: 'adverts' as const, file: name, name }
  })
  await keepLinks(db, kept, until)
  return new Map(links.map(({ sha256, token }) => [sha256, `/files/${token}`]))
}
