import type { z } from 'zod'

/** What is wrong with a field: `reason` is for programs; `field.<reason>` in the kernel's catalog says it to people. */
export type Finding = { path: string; reason: string; vars?: Record<string, string | number>; rule?: Rule }
/** A check of a schema that words itself (`params` of a custom issue): `rule.<rule>` in the catalog of its domain. */
export type Rule = { domain: string; rule: string }

type Issue = z.core.$ZodIssue

/** The same for the form that is being filled in and for the call that arrives. */
export function findingsOf(issue: Issue, input: unknown): Finding[] {
  const path = issue.path.map(String).join('.')
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({ path: path ? `${path}.${key}` : key, reason: 'unknown' }))
    case 'invalid_type':
      return [{ path, reason: valueAt(input, issue.path) === undefined ? 'required' : 'wrongType' }]
    case 'too_small':
      return [{ path, reason: tooSmall(issue), vars: { minimum: Number(issue.minimum) } }]
    case 'too_big':
      return [{ path, reason: tooBig(issue), vars: { maximum: Number(issue.maximum) } }]
    case 'invalid_format':
      return [{ path, reason: formats[issue.format] ?? 'format' }]
    case 'invalid_value':
      return [{ path, reason: valueAt(input, issue.path) === undefined ? 'required' : 'notOffered' }]
    case 'custom':
      return [{ path, reason: 'invalid', ...(isRule(issue.params) ? { rule: issue.params } : {}) }]
    default:
      return [{ path, reason: 'invalid' }]
  }
}

const formats: Record<string, string> = { date: 'notADate', datetime: 'notADate', 'any-of': 'notOffered' }
const isRule = (params: Record<string, unknown> | undefined): params is Rule =>
  typeof params?.domain === 'string' && typeof params.rule === 'string'

function tooSmall(issue: { origin: string; minimum: number | bigint; inclusive?: boolean }): string {
  if (issue.origin === 'string') return Number(issue.minimum) <= 1 ? 'required' : 'tooShort'
  if (issue.origin === 'array' || issue.origin === 'set') return 'tooFew'
  return issue.inclusive === false ? 'notAbove' : 'tooSmall'
}

function tooBig(issue: { origin: string; inclusive?: boolean }): string {
  if (issue.origin === 'string') return 'tooLong'
  if (issue.origin === 'array' || issue.origin === 'set') return 'tooMany'
  return issue.inclusive === false ? 'notBelow' : 'tooLarge'
}

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    input,
  )
