import { attribute, xmlReader } from './sheet.xml'

const DAY_MS = 86_400_000
/** Day 0 of the two calendars; the older one has a 29 February 1900 that never was, day 60. */
const [DAY_0, DAY_0_SINCE_1904] = [Date.UTC(1899, 11, 30), Date.UTC(1904, 0, 1)]
/** Ids of formats that a workbook needn't write down: days, times, and those of East Asian languages. */
const known = /^(1[4-9]|2[0-2]|2[7-9]|3[0-6]|4[5-7]|5[0-8])$/

/** For each style of a cell, whether a number in it is a day. */
export function readDateStyles(xml: string): boolean[] {
  const own = new Map<string, boolean>()
  const styles: boolean[] = []
  let inCells = false
  const open = (name: string, at: string) => {
    if (name === 'numFmt') own.set(attribute(at, 'numFmtId') ?? '', isDay(attribute(at, 'formatCode') ?? ''))
    if (name === 'cellXfs') inCells = true
    const id = attribute(at, 'numFmtId') ?? ''
    if (name === 'xf' && inCells) styles.push(own.get(id) ?? known.test(id))
  }
  const close = (name: string) => {
    if (name === 'cellXfs') inCells = false
  }
  xmlReader({ open, close, text: () => undefined })(xml)
  return styles
}

/** Letters of days and times outside of quotes, escapes, brackets (but for `[h]`) and of the text part. */
const isDay = (code: string): boolean =>
  /[ymdhs]/i.test(code.replace(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]|General/gi, ''))

export function dateOf(days: number, is1904: boolean): string {
  const since = is1904 ? DAY_0_SINCE_1904 : days < 60 ? DAY_0 + DAY_MS : DAY_0
  const date = new Date(since + Math.round(days * DAY_MS))
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10)
}
