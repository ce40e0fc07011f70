import { isBarcode } from '../catalog/barcode'

/**
 * How a trace code is made (goods are traced by what their makers print, and that is not always China's twenty digits):
 * `cn20` the drug code, whose first seven characters name drug and pack; `gs1` a GTIN with a serial number, as imports
 * bear it; `other` a maker's own.
 */
export const traceSchemes = ['cn20', 'gs1', 'other'] as const
export type TraceScheme = (typeof traceSchemes)[number]

export type ReadTrace = {
  /** As it is kept: two ways of printing the same code are one. */
  code: string
  scheme: TraceScheme
  /** Of which drug and pack, where the code says it: the first seven, or the GTIN. */
  identifier: string | null
  /** What a GS1 code says of its batch. */
  batch: string | null
}

const DRUG_CODE = /^[0-9]{7}[0-9A-Z]{13}$/
/** Between fields of no fixed length stands what a scanner gives as control character 29, some as `^]`. */
const SEPARATOR = String.fromCharCode(29)
const MAKERS_OWN = /^[\x21-\x7e]{4,60}$/

/** @returns null for what can be no trace code: empty, with blanks inside, too short or too long */
export function readTrace(typed: string): ReadTrace | null {
  const text = typed.trim()
  const gs1 = gs1Of(text)
  if (gs1) return gs1
  if (/^\(?01\)?[0-9]{14}/.test(text)) return null
  const code = text.toUpperCase()
  if (DRUG_CODE.test(code)) return { code, scheme: 'cn20', identifier: code.slice(0, 7), batch: null }
  return MAKERS_OWN.test(text) ? { code: text, scheme: 'other', identifier: null, batch: null } : null
}

/** What a machine says that it sold is kept whatever it is. */
export const readSoldTrace = (said: string): ReadTrace | null => {
  const text = said.trim()
  return readTrace(text) ?? (text ? { code: text, scheme: 'other', identifier: null, batch: null } : null)
}

/** In brackets, bare as scanners send it, or as a GS1 digital link; a GTIN without a serial names no single pack. */
function gs1Of(text: string): ReadTrace | null {
  const fields = bracketed(text) ?? linked(text) ?? bare(text)
  const [gtin, serial] = [fields?.get('01'), fields?.get('21')]
  if (!gtin || !serial || !isBarcode(gtin)) return null
  return { code: `(01)${gtin}(21)${serial}`, scheme: 'gs1', identifier: gtin, batch: fields?.get('10') ?? null }
}

type Fields = ReadonlyMap<string, string>
const SERIAL = /^[\x21-\x7e]{1,20}$/

function bracketed(text: string): Fields | null {
  if (!/^(\([0-9]{2,4}\)[^()]+)+$/.test(text)) return null
  return whole([...text.matchAll(/\(([0-9]{2,4})\)([^()]+)/g)].map(([, id = '', value = '']) => [id, value] as const))
}

function linked(text: string): Fields | null {
  const found = /^https?:\/\/[^/\s]+\/(?:.*\/)?01\/([0-9]{14})((?:\/[0-9]{2}\/[^/?#\s]+)*)(?:[?#]\S*)?$/.exec(text)
  if (!found) return null
  const [, gtin = '', rest = ''] = found
  const more = [...rest.matchAll(/\/([0-9]{2})\/([^/]+)/g)].map(
    ([, id = '', value = '']) => [id, plain(value)] as const,
  )
  return whole([['01', gtin], ...more])
}

const plain = (value: string): string => {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** 01 and 17 have their length, 10 and 21 end with a separator or the code. */
function bare(text: string): Fields | null {
  let left = text.replace(/^\](d2|C1|Q3|e0)/, '').replaceAll('^]', SEPARATOR)
  if (left.startsWith(SEPARATOR)) left = left.slice(1)
  const fields: [string, string][] = []
  while (left) {
    const found = /^(?:(01)([0-9]{14})|(11|17)([0-9]{6})|(10|21)([\x21-\x7e]{1,20}))/.exec(left)
    if (!found) return null
    const [taken, gtinId, gtin, dateId, date, openId, open] = found
    fields.push([gtinId ?? dateId ?? openId ?? '', gtin ?? date ?? open ?? ''])
    left = left.slice(taken.length)
    if (left.startsWith(SEPARATOR)) left = left.slice(1)
    else if (openId && left) return null
  }
  return fields[0]?.[0] === '01' ? whole(fields) : null
}

/** Each field once, and its serial of a length that GS1 allows. */
function whole(fields: readonly (readonly [string, string])[]): Fields | null {
  const read = new Map(fields)
  const serial = read.get('21')
  return read.size === fields.length && serial !== undefined && SERIAL.test(serial) ? read : null
}

/** A list as it is scanned, pasted from a sheet, or read from a file: a line each, the first cell of a line counts. */
export const linesIn = (text: string): string[] =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => (line.split('\t')[0] ?? '').trim().replace(/^"(.*)"$/, '$1'))
    .filter(Boolean)
