import { type Finding, findingsOf } from '@aisle/contract/kernel/problems'
import { z } from 'zod'
import type { Shape } from '../address'
import { isWrongMobile } from './mobile'

export type Values = Readonly<Record<string, unknown>>
export type Problem = Omit<Finding, 'path'>

/** What a field takes, without its wrappings: optional, nullable, default, a transformation after it. */
export function insideOf(schema: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return insideOf(schema.unwrap())
  if (schema instanceof z.ZodDefault) return insideOf(schema.def.innerType)
  if (schema instanceof z.ZodPipe) return insideOf(schema.def.in instanceof z.ZodTransform ? schema.out : schema.in)
  return schema
}

const accepts = (schema: z.core.$ZodType | undefined, value: unknown): boolean =>
  schema !== undefined && z.safeParse(schema, value).success

/** By its form and not by trying: a number that is made of whatever comes would take null for 0. */
function isNullable(schema: z.core.$ZodType | undefined): boolean {
  if (schema instanceof z.ZodNullable) return true
  if (schema instanceof z.ZodOptional) return isNullable(schema.unwrap())
  return schema instanceof z.ZodDefault && isNullable(schema.def.innerType)
}

/** Whether the field may stay empty. One that falls back on a value never is. */
export const mayBeEmpty = (schema: z.core.$ZodType | undefined): boolean =>
  isNullable(schema) || staysEmpty(schema) || (insideOf(schema) instanceof z.ZodString && accepts(schema, ''))

function staysEmpty(schema: z.core.$ZodType | undefined): boolean {
  if (schema === undefined) return false
  const left = z.safeParse(schema, undefined)
  return left.success && isMissing(left.data)
}

/**
 * What is sent for the fields of a form: an empty one as null, as an empty text,
 * or not at all, as its schema likes.
 */
export function payloadOf(shape: Shape, names: readonly string[], values: Values): Record<string, unknown> {
  const payload: Record<string, unknown> = {}
  for (const name of names) {
    const value = isEmpty(values[name]) ? emptyFor(shape[name]) : values[name]
    if (value !== undefined) payload[name] = value
  }
  return payload
}

export const isMissing = (value: unknown): boolean => isEmpty(value) || (Array.isArray(value) && value.length === 0)
const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

function emptyFor(schema: z.core.$ZodType | undefined): null | '' | undefined {
  if (isNullable(schema)) return null
  return insideOf(schema) instanceof z.ZodString && accepts(schema, '') ? '' : undefined
}

/** The first problem of each field; what is wrong with several together stands under ''. */
export function problemsOf(schema: z.ZodObject, payload: Record<string, unknown>): Map<string, Problem> {
  const problems = new Map<string, Problem>()
  for (const issue of schema.safeParse(payload).error?.issues ?? []) {
    const name = String(issue.path[0] ?? '')
    const [finding] = findingsOf(issue, payload)
    if (finding && !problems.has(name)) problems.set(name, finding)
  }
  for (const [name, field] of Object.entries(schema.shape)) {
    if (!problems.has(name) && isWrongMobile(insideOf(field), payload[name])) problems.set(name, { reason: 'format' })
  }
  return problems
}

/** Characters that fit, where the schema says it. */
export function longest(schema: z.core.$ZodType | undefined): number | undefined {
  const inner = insideOf(schema)
  return inner instanceof z.ZodString ? (inner.maxLength ?? undefined) : undefined
}

/** Whether what is typed has to follow a rule beyond being there and fitting in. */
export function hasOwnRule(schema: z.core.$ZodType | undefined): boolean {
  const inner = insideOf(schema)
  if (inner instanceof z.ZodNumber) return true
  if (!(inner instanceof z.ZodString)) return false
  return inner.format !== null || (inner.minLength ?? 0) > 1 || (inner.def.checks ?? []).some(isOwnCheck)
}

const isOwnCheck = ({ _zod }: z.core.$ZodCheck<never>): boolean => !plainChecks.includes(_zod.def.check)
const plainChecks = ['min_length', 'max_length', 'overwrite']

/** The values to choose among, where the schema counts them up. */
export function choicesIn(schema: z.core.$ZodType | undefined): string[] | null {
  const inner = insideOf(schema)
  if (inner instanceof z.ZodEnum) return inner.options.map(String)
  return inner instanceof z.ZodArray ? choicesIn(inner.element) : null
}
