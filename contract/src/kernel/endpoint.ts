import { z } from 'zod'

/** `public`: no session; `session`: any signed-in user; else a permission code such as `machine.read`. */
export type Access = 'public' | 'session' | Permission
export type Permission = `${string}.${string}`

/** A message kept per endpoint: how a success is wrapped. `bare` calls answer as specification §7 reads, unwrapped. */
export type Endpoint<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> = {
  /** Unique, `domain.verbNoun`; the key in the audit log and in OpenAPI. */
  name: string
  method: 'GET' | 'POST'
  /** With `{param}` placeholders; their values are fields of `input`. */
  path: string
  access: Access
  /** True where the call writes: it then takes an Idempotency-Key and lands in the audit log. */
  writes: boolean
  /** Specification §7 knows no Idempotency-Key: without one the server makes it, from caller, call and body. */
  isKeyMade: boolean
  /** `wrapped`: the envelope; `bare`: as the specification spells the answer; never both. */
  style: 'wrapped' | 'bare'
  input: I
  output: O
  refusals: readonly string[]
  /** One English line for the OpenAPI document. */
  summary: string
}

export type InputOf<E extends Endpoint> = z.output<E['input']>
/** What a caller hands in: defaults may be left out. */
export type CallOf<E extends Endpoint> = z.input<E['input']>
export type OutputOf<E extends Endpoint> = z.output<E['output']>

type Declared<I extends z.ZodType, O extends z.ZodType> = Pick<
  Endpoint<I, O>,
  'name' | 'method' | 'path' | 'access' | 'input' | 'output' | 'summary'
> &
  Partial<Pick<Endpoint, 'refusals' | 'style' | 'writes' | 'isKeyMade'>>

export function endpoint<I extends z.ZodType, O extends z.ZodType>(declared: Declared<I, O>): Endpoint<I, O> {
  return { refusals: [], style: 'wrapped', writes: false, isKeyMade: false, ...declared }
}

export const MAX_PAGE_SIZE = 200
export const PAGE_SIZE = 20

type Lists<F, I, S, N> = { filters: F; sorts: N; item: I; sums?: S; isCountedExactly?: boolean }

/**
 * A list, rows first: `cursor` pages by key, so that a page costs the same however deep; `skip` jumps over rows, which
 * are read. How many the filter leaves, and their sums, is a call of its own, `count`; `total` is null where counting
 * would cost more than the page ("10,000+"), and nothing is summed then, unless it may be counted exactly.
 */
export function listEndpoint<
  F extends z.ZodRawShape,
  I extends z.ZodType,
  S extends z.ZodRawShape,
  const N extends readonly [string, ...string[]],
>(declared: Pick<Endpoint, 'name' | 'path' | 'access' | 'summary'> & Lists<F, I, S, N>) {
  const { filters, sorts, item, sums, isCountedExactly = false, ...rest } = declared
  const input = z.strictObject({
    cursor: z.string().max(200).optional(),
    pageSize: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(PAGE_SIZE),
    skip: z.coerce.number().int().min(0).max(10_000).optional(),
    sort: z.enum(sorts).default(sorts[0]),
    ...filters,
  })
  const output = z.object({ items: z.array(item), nextCursor: z.string().nullable() })
  const count = endpoint({
    ...rest,
    method: 'GET',
    name: `${rest.name}Count`,
    path: `${rest.path}/count`,
    summary: `${rest.summary}: how many`,
    input: z.strictObject({ ...filters, ...(isCountedExactly && { exact: z.literal('true').optional() }) } as F),
    output: z.object({ total: z.int().nullable(), sums: z.object(sums ?? ({} as S)).optional() }),
  })
  return { ...endpoint({ ...rest, method: 'GET', input, output }), item, sorts, sums: sums ?? ({} as S), count }
}

/** A list, seen from who only knows that it is one. */
export type ListEndpoint = Endpoint & {
  item: z.ZodType
  sorts: readonly string[]
  sums: z.ZodRawShape
  count: Endpoint
}

/** Ids on the wire: PostgreSQL bigint that stays below 2^53, also when it comes as text in a path or query. */
export const zId = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER)
const isInReach = (text: string) => text >= '1900' && text < '3000'
/**
 * From 1900 up to 2999: all that anybody means, and as far again on either side a time can still be counted and
 * written (JavaScript writes years over 9999 in another way, and PostgreSQL has no year 0).
 */
export const zInstant = z.iso.datetime({ offset: true }).refine(isInReach)
export const zDay = z.iso.date().refine(isInReach)
/** A free search or code typed by a person; longer is a mistake or an attack. */
export const zSearch = z.string().trim().min(1).max(64)
/** A line that a person types; nothing typed is an empty one. */
export const zLine = (most: number) => z.string().trim().max(most)
/** A line that has to be there. */
export const zNeeded = (most: number) => z.string().trim().min(1).max(most)
/** Digits with what people write between them; landlines too. */
export const zContactPhone = zLine(20).regex(/^(\+?[0-9][0-9 -]{4,18})?$/)
/** The address of an uploaded picture, as settings and fields keep it. */
export const zPictureUrl = z.string().regex(/^\/pictures\/[A-Za-z0-9][A-Za-z0-9._-]{0,120}\.(svg|png|jpg)$/)
/** One or several of these, joined by commas: a filter that leaves what is any of them. */
export function zAnyOf<const V extends string>(values: readonly V[]) {
  const one = `(${values.join('|').replaceAll('.', '\\.')})`
  return z.codec(
    z.stringFormat('any-of', new RegExp(`^${one}(,${one}){0,${values.length - 1}}$`)),
    z.array(z.enum(values)),
    {
      decode: (text) => values.filter((value) => text.split(',').includes(value)),
      encode: (some) => some.join(','),
    },
  )
}
/** The filter under which another list shows the rows behind a figure. */
export const zSearchOf = z.record(z.string(), z.string())
