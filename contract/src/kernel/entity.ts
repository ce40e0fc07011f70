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

type ItemShape<O, A extends Shape, E extends Shape, D extends PropertyKey, F extends Shape, S extends string> = Flat<
  { id: z.ZodInt } & Owned<O> & Read<A> & Omit<Read<E>, D> & Stated<S> & F
>
type Added<O, A, E> = Flat<(O extends 'merchant' ? { merchantId: typeof zId } : unknown) & A & E>

type Declared<O, A, E, D, F, S extends string, V extends string, Q, N> = {
  /** Has the texts, and begins the names of the calls. */
  domain: string
  /** As the audit log calls one of them: `hospital`. Its calls are `listHospitals`, `addHospital`, and so on. */
  kind: string
  path: string
  /** Read with `<right>.read`, written with `<right>.write`. */
  right: string
  /** Whose they are: a merchant's are seen by who sees the merchant, the platform's by all who may read them. */
  owner: O
  /** What is typed when one is added, and stays. */
  fixed?: A
  /** What a person may type, with its rules. */
  editable: E
  /** Of the editable: shown only with the single thing. */
  details?: readonly D[]
  /** What is worked out, never written. */
  facts: F
  /** Only where the shape can't tell how a field looks. */
  show?: Partial<Record<keyof NoInfer<A & E & F & Q>, Field>>
  states?: { table: StateTable<S, V>; tones: Record<NoInfer<S>, Tone>; refusal: string }
  /** Unique constraints of its table, with what each refuses; the refusal is told what was typed. */
  unique?: Record<string, string>
  filters: Q
  sorts: N
}

/** What `entity` makes, seen from a kernel that only knows that it is one. */
export type Entity = Omit<
  Declared<'merchant' | 'platform', Shape, Shape, string, Shape, string, string, Shape, readonly string[]>,
  'show' | 'states'
> & {
  states?: { table: Pick<StateTable<string, string>, 'initial' | 'states' | 'moves'>; refusal: string }
  item: z.ZodObject
  fields: Record<string, Field>
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
  A extends Shape = {},
  D extends keyof E & string = never,
  S extends string = never,
  V extends string = never,
>(declared: Declared<O, A, E, D, F, S, V, Q, N>) {
  type Item = ItemShape<O, A, E, D, F, S>
  type Seen = Exclude<keyof (Item & E), 'id' | 'merchantId'>
  const { domain, kind, path, right, owner, fixed, editable, filters, sorts, states } = declared
  const { list, whole } = shapesOf(declared)
  const item = z.object(list) as unknown as z.ZodObject<Item>
  const named = (verb: string) => `${verb}${kind.charAt(0).toUpperCase()}${kind.slice(1)}`
  const read = { access: `${right}.read` as Permission }
  const write = { access: `${right}.write` as Permission, method: 'POST', writes: true, output: changed } as const
  const taken = Object.values(declared.unique ?? {})
  const verb = <I extends Shape>(does: string, at: string, input: I, summary: string, more: readonly string[] = []) => {
    const about = { name: `${domain}.${does}`, path: path + at, summary, refusals: ['request.notFound', ...more] }
    return endpoint({ ...write, ...about, input: z.strictObject(input) })
  }
  return {
    ...declared,
    item,
    fields: fieldsOf({ ...editable, ...list }, declared) as Record<Seen, Field>,
    list: (summary: string) =>
      listEndpoint({ ...read, name: `${domain}.${named('list')}s`, path, summary, filters, sorts, item }),
    /** @param more what only the single thing shows */
    get: <M extends Shape>(summary: string, more: M) =>
      endpoint({
        ...read,
        name: `${domain}.${named('get')}`,
        method: 'GET',
        path: `${path}/{id}`,
        input: z.strictObject({ id: zId }),
        output: z.object({ ...whole, ...more } as unknown as Flat<Item & { version: z.ZodInt } & Pick<Read<E>, D> & M>),
        refusals: ['request.notFound'],
        summary,
      }),
    /** @param refusals what a rule of its own may answer besides */
    add: (summary: string, refusals: readonly string[] = []) => {
      const input = { ...(owner === 'merchant' && { merchantId: zId }), ...fixed, ...editable } as Added<O, A, E>
      return verb(named('add'), '', input, summary, [...taken, ...refusals])
    },
    edit: (summary: string, refusals: readonly string[] = []) => {
      const input = { id: zId, version: z.int(), ...editable }
      return verb(named('edit'), '/{id}/edit', input, summary, ['edit.stale', ...taken, ...refusals])
    },
    move: (does: V, summary: string, refusals: readonly string[] = []) =>
      verb(named(does), `/{id}/${does}`, { id: zId }, summary, [...(states ? [states.refusal] : []), ...refusals]),
    remove: (summary: string, refusals: readonly string[] = ['request.inUse']) =>
      verb(named('remove'), '/{id}/remove', { id: zId }, summary, refusals),
    /** A write of its own. @param at behind its path @param input with the `id` that the path names */
    verb,
  }
}

/** What a list says of each, and what is said of a single one. A default is left out: what is read is always there. */
function shapesOf(declared: Pick<Entity, 'owner' | 'fixed' | 'editable' | 'details' | 'facts' | 'states'>) {
  const { owner, fixed, editable, details = [], facts, states } = declared
  const typed = Object.entries<z.core.$ZodType>({ ...fixed, ...editable }).map(
    ([name, type]) => [name, type instanceof z.ZodDefault ? type.unwrap() : type] as const,
  )
  const list = {
    id: z.int(),
    ...(owner === 'merchant' && { merchantId: z.int(), merchantName: z.string() }),
    ...Object.fromEntries(typed.filter(([name]) => !details.includes(name))),
    ...(states && { state: z.enum(states.table.states) }),
    ...facts,
  }
  return { list, whole: { ...list, version: z.int(), ...Object.fromEntries(typed) } }
}
