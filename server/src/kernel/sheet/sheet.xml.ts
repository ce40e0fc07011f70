import { TooLarge } from '../files/zip'

export type XmlHearer = {
  /** `attributes` as they stand in the tag; names come without the prefix of their namespace. */
  open: (name: string, attributes: string) => void
  close: (name: string) => void
  text: (text: string) => void
}

/** A cell holds 32,767 letters at most; what goes on for longer is no sheet. */
const LONGEST_PIECE = 256 * 1024
const PIECE = new RegExp(
  [
    /<!--[^]*?-->/,
    /<!\[CDATA\[(?<data>[^]*?)\]\]>/,
    /<(?:\?|!(?!--|\[))[^>]*>/,
    /<\/(?<closed>[^\s>]+)\s*>/,
    /<(?<opened>[^\s/>!?][^\s/>]*)(?<attributes>(?:"[^"]*"|'[^']*'|[^"'>])*)>/,
    /(?<words>[^<]+)(?=<)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'y',
)

/**
 * Tells what stands in an XML text while it comes, and keeps none of it: no tree, no depth, no entities of its own.
 * @throws TooLarge for a tag or text without end
 */
export function xmlReader({ open, close, text }: XmlHearer): (more: string) => void {
  let rest = ''
  return (more) => {
    rest += more
    PIECE.lastIndex = 0
    let done = 0
    for (let found = PIECE.exec(rest); found; found = PIECE.exec(rest)) {
      done = PIECE.lastIndex
      const { data, closed, opened, attributes = '', words } = found.groups ?? {}
      if (words !== undefined) text(decoded(words))
      if (data !== undefined) text(data)
      if (closed !== undefined) close(local(closed))
      if (opened === undefined) continue
      open(local(opened), attributes)
      if (attributes.endsWith('/') || rest[done - 2] === '/') close(local(opened))
    }
    rest = rest.slice(done)
    if (rest.length > LONGEST_PIECE) throw new TooLarge()
  }
}

const patterns = new Map<string, RegExp>()

export function attribute(attributes: string, name: string): string | null {
  let pattern = patterns.get(name)
  if (!pattern) {
    pattern = new RegExp(`(?:^|[\\s:])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
    patterns.set(name, pattern)
  }
  const found = pattern.exec(attributes)
  return found ? decoded(found[1] ?? found[2] ?? '') : null
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1)

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decoded(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{1,6}));/gi, (all, hex, decimal, name) => {
    if (name) return Object.hasOwn(entities, name) ? (entities[name] ?? all) : all
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : all
  })
}
