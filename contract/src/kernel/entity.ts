import { z } from 'zod'
import { endpoint, listEndpoint, type Permission, zId } from './endpoint'
import { type Field, fieldsOf, type Tone } from './field'
import type { StateTable } from './states'

type Shape = z.ZodRawShape
/** What is read is there: a default is only for who leaves it out. */
type Read<E extends Shape> = { [K in keyof E]: E[K] extends z.ZodDefault<infer I> ? I : E[K] }
type Flat<T> = { [K in keyof T]: T[K] }
type Owned<O> = O extends 'merchant' ? { merchantId: z.ZodInt; merchantName: z.ZodString } : unknown
type Stated<S extends string> = [S] extends [never] ? unknown : { state: z.ZodEnum<{ [K in S]: K }> }

type ItemShape<O, E extends Shape, P extends PropertyKey, F extends Shape, S extends string> = Flat<
  { id: z.ZodInt } & Owned<O> & Omit<Read<E>, P> & Stated<S> & F
>

type Added<O, E extends Shape> = Flat<(O extends 'merchant' ? { merchantId: typeof zId } : unknown) & E>

export type Declared<O, E, P, F, S extends string, V extends string, Q, N> = {
  /** Has the texts, and begins the names of the calls. */
  domain: string
  /** As the audit log calls one of them: `hospital`. Its calls are `listHospitals`, `addHospital`, and so on. */
  kind: string
  path: string
  /** Read with `<right>.read`, written with `<right>.write`. */
  right: string
  /** Whose they are: a merchant's are seen by who sees the merchant, the platform's by all who may read them. */
  owner: O
  /** What a person may type, with its rules. */
  editable: E
  /** Of the editable: rows that are kept beside it, and shown only with the single thing. */
  parts?: readonly P[]
  /** What is worked out, never written. */
  facts: F
  /** Only where the shape can't tell how a field looks. */
  show?: { [K in keyof (E & F)]?: Field }
  states?: { table: StateTable<S, V>; tones: Record<NoInfer<S>, Tone>; refusal: string }
  /** Unique constraints of its table, with what each refuses; the refusal is told the name of the thing. */
  unique?: Record<string, string>
  filters: Q
  sorts: N
}

const changed = z.object({ id: z.int() })

/**
 * A plain thing, declared once: its calls, list, form and columns, and how the server keeps it (`kernel/kept.ts`),
 * follow. Each call stays a named value of the contract. What is not plain is written out beside it.
 */
export function entity<
  const O extends 'merchant' | 'platform',
  E extends Shape,
  F extends Shape,
  Q extends Shape,
  const N extends readonly [string, ...string[]],
  P extends keyof E & string = never,
  S extends string = never,
  V extends string = never,
>(declared: Declared<O, E, P, F, S, V, Q, N>) {
  const { domain, kind, path, right, owner, editable, filters, sorts, states } = declared
  const { item, whole } = shapesOf(declared)
  const name = (verb: string) => `${domain}.${verb}${kind.charAt(0).toUpperCase()}${kind.slice(1)}`
  const read = { access: `${right}.read` as Permission }
  const write = { access: `${right}.write` as Permission, method: 'POST', writes: true, output: changed } as const
  const taken = Object.values(declared.unique ?? {})
  const verb = (does: string, summary: string, refusals: readonly string[]) =>
    endpoint({
      ...write,
      name: name(does),
      path: `${path}/{id}/${does.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      input: z.strictObject({ id: zId }),
      refusals: ['request.notFound', ...refusals],
      summary,
    })
  return {
    ...declared,
    item,
    fields: fieldsOf(item.shape, declared) as Record<Exclude<keyof ItemShape<O, E, P, F, S>, Unshown>, Field>,
    list: (summary: string) => listEndpoint({ ...read, name: `${name('list')}s`, path, summary, filters, sorts, item }),
    /** @param more what only the single thing shows */
    get: <M extends Shape>(summary: string, more: M) =>
      endpoint({
        ...read,
        name: name('get'),
        method: 'GET',
        path: `${path}/{id}`,
        input: z.strictObject({ id: zId }),
        output: whole.extend(more),
        refusals: ['request.notFound'],
        summary,
      }),
    /** @param refusals what a rule of its own may answer besides */
    add: (summary: string, refusals: readonly string[] = []) =>
      endpoint({
        ...write,
        name: name('add'),
        path,
        input: z.strictObject({ ...(owner === 'merchant' && { merchantId: zId }), ...editable } as Added<O, E>),
        refusals: ['request.notFound', ...taken, ...refusals],
        summary,
      }),
    edit: (summary: string, refusals: readonly string[] = []) =>
      endpoint({
        ...write,
        name: name('edit'),
        path: `${path}/{id}/edit`,
        input: z.strictObject({ id: zId, version: z.int(), ...editable }),
        refusals: ['request.notFound', 'edit.stale', ...taken, ...refusals],
        summary,
      }),
    move: (does: V, summary: string, refusals: readonly string[] = []) =>
      verb(does, summary, [...(states ? [states.refusal] : []), ...refusals]),
    remove: (summary: string) => verb('remove', summary, ['request.inUse']),
  }
}

type Unshown = 'id' | 'merchantId'

/** What a list says of each, and what is said of a single one. */
function shapesOf<O, E extends Shape, P extends keyof E & string, F extends Shape, S extends string>(
  declared: Pick<Declared<O, E, P, F, S, string, unknown, unknown>, 'owner' | 'editable' | 'parts' | 'facts'> & {
    states?: { table: { states: readonly S[] } }
  },
) {
  const { owner, editable, parts = [], facts, states } = declared
  const kept: readonly string[] = parts
  const typed = Object.entries<z.core.$ZodType>(editable).map(([name, type]) => [name, readOf(type)] as const)
  const item = z.object({
    id: z.int(),
    ...(owner === 'merchant' && { merchantId: z.int(), merchantName: z.string() }),
    ...Object.fromEntries(typed.filter(([name]) => !kept.includes(name))),
    ...(states && { state: z.enum(states.table.states) }),
    ...facts,
  }) as unknown as z.ZodObject<ItemShape<O, E, P, F, S>>
  const beside = Object.fromEntries(typed.filter(([name]) => kept.includes(name)))
  return { item, whole: item.extend({ version: z.int(), ...beside } as { version: z.ZodInt } & Pick<Read<E>, P>) }
}

/** What `entity` makes, seen from a kernel that only knows that it is one. */
export type Entity = {
  domain: string
  kind: string
  owner: 'merchant' | 'platform'
  editable: Shape
  parts?: readonly string[]
  facts: Shape
  states?: {
    table: { initial: string; moves: Record<string, { from: readonly string[]; to: string }> }
    refusal: string
  }
  unique?: Record<string, string>
  filters: Shape
  sorts: readonly string[]
  item: z.ZodObject
  fields: Record<string, Field>
}

/** Without its default: what is read is always there. */
const readOf = (type: z.core.$ZodType) => (type instanceof z.ZodDefault ? type.unwrap() : type)
