import type { IncomingHttpHeaders } from 'node:http'

export type Facts = Record<string, string | number>

export type Traced = {
  kind: 'call' | 'statement' | 'work'
  name: string
  /** Never what people typed: traces are kept by others than the database. */
  facts: Facts
  /** Of a call: they say what it is a part of. */
  headers?: IncomingHttpHeaders
}

/** Notes a piece of work, what it was part of and how long it took; what it finds out goes to `note`. */
export type Trace = <T>(what: Traced, work: (note: (facts: Facts) => void) => Promise<T>) => Promise<T>

/** Where nobody asked for traces the work is all there is. */
export const traced = <T>(
  { trace }: { trace?: Trace | undefined },
  what: Traced,
  work: (note: (facts: Facts) => void) => Promise<T>,
): Promise<T> => (trace ? trace(what, work) : work(nobody))

const nobody = () => undefined

/** Of a statement's text; its values stand beside it and are not told. */
const MOST_TEXT = 4_000

/** Under what it calls itself, else under what it does. */
export const statement = (text: string): Traced => ({
  kind: 'statement',
  name: /^\s*\/\*\s*(.*?)\s*\*\//.exec(text)?.[1] ?? /\S+/.exec(text)?.[0].toLowerCase() ?? 'statement',
  facts: { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, MOST_TEXT) },
})
