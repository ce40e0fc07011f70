import { type ReadTrace, readTrace } from '@aisle/contract/medicine/traceCode'
import type { TraceOutcome } from '@aisle/contract/medicine/trace'

export type Bound = {
  level: 'pack' | 'middle' | 'case'
  batch: string
  prefixes: readonly { level: string; prefix: string }[]
  gtins: readonly string[]
}

export type Line = { line: number; typed: string; trace: ReadTrace | null; fault: TraceOutcome | null }

/**
 * What a list of scans says, before anybody is asked whether the codes are known: each readable, once, of this product
 * and batch. A drug's first seven characters name its pack, so the prefix of another pack is another product's.
 */
export function judgeLines(typed: readonly string[], bound: Bound): Line[] {
  const seen = new Set<string>()
  return typed.map((text, at) => {
    const trace = readTrace(text)
    const isDoubled = trace !== null && seen.has(trace.code)
    if (trace) seen.add(trace.code)
    const fault = trace === null ? 'unreadable' : isDoubled ? 'doubled' : faultOf(trace, bound)
    return { line: at + 1, typed: text, trace, fault }
  })
}

function faultOf(trace: ReadTrace, { level, batch, prefixes, gtins }: Bound): TraceOutcome | null {
  if (trace.batch !== null && trace.batch !== batch) return 'otherBatch'
  if (trace.scheme === 'gs1') {
    return level !== 'pack' || gtins.length === 0 || gtins.includes(trace.identifier ?? '') ? null : 'otherProduct'
  }
  const own = prefixes.filter((each) => each.level === level)
  if (trace.scheme !== 'cn20' || own.length === 0) return null
  return own.some(({ prefix }) => trace.code.startsWith(prefix)) ? null : 'otherProduct'
}
