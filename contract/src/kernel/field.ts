import { z } from 'zod'

/**
 * The kinds of field in the product. A kind knows its cell, filter, export and alignment (web/src/admin/fields); a page
 * only names fields. `label` is a key in the domain's catalog: `field.<name>` unless said otherwise.
 */
export type FieldKind =
  | 'code'
  | 'text'
  | 'longText'
  | 'money'
  | 'count'
  | 'percent'
  | 'permille'
  | 'dateTime'
  | 'day'
  | 'period'
  | 'state'
  | 'states'
  | 'ref'
  | 'tree'
  | 'image'
  | 'phone'
  | 'region'
  | 'secret'
  | 'boolean'
  | 'reading'

export type Tone = 'good' | 'warn' | 'bad' | 'busy' | 'idle'

export type Field =
  | {
      kind: Exclude<
        FieldKind,
        'code' | 'state' | 'states' | 'ref' | 'dateTime' | 'reading' | 'money' | 'count' | 'text'
      >
    }
  /** Those of `states` are said in words, `<words>.<code>` in the domain's catalog; others stand as they are. */
  | { kind: 'code'; words?: string; states?: readonly string[] }
  | { kind: 'text'; words?: string; states?: readonly string[]; to?: string; search?: string | Record<string, string> }
  /** `to`: the screen behind it, under the filter that the row holds as `search`, or made of the fields named there. */
  | { kind: 'money' | 'count'; to?: string; search?: string }
  /** `saysNever`: an empty one is worth a word (never signed in), not only a dash. */
  | { kind: 'dateTime'; saysNever?: true }
  /** Words are `<words>.<state>`, the explanation on hover `<words>.<state>.help`, in the domain's catalog. */
  | { kind: 'state' | 'states'; words: string; tones: Record<string, Tone> }
  /** What a machine was last heard to say, `{ value, at, origin, isStale }`: shown with its age and who said it. */
  | { kind: 'reading'; unit?: 'celsius' | 'percent' | 'dBm'; words?: string; tones?: Record<string, Tone> }
  /** A link: `to` is a screen key, and the value of `by` in the row opens it there as the filter of the same name. */
  | { kind: 'ref'; to: string; by: string }

export type Fields = Record<string, Field>

export const stateField = <const S extends string>(
  words: string,
  table: { states: readonly S[] } | readonly S[],
  tones: Record<S, Tone>,
) => ({ kind: 'state' as const, words, tones, states: 'states' in table ? table.states : table })

type Shown = {
  kind: string
  show?: object
  states?: { table: { states: readonly string[] }; tones: Record<string, Tone> }
}

/** How each column of a plain thing looks: as its shape says, unless `show` does. */
export function fieldsOf(item: z.ZodRawShape, { kind, show, states }: Shown): Record<string, Field> {
  const shown = Object.entries(item).filter(([name]) => name !== 'id' && name !== 'merchantId')
  return {
    ...Object.fromEntries(shown.map(([name, type]) => [name, fieldOf(name, type)])),
    ...(states && { state: stateField(`${kind}State`, states.table, states.tones) }),
    ...show,
  }
}

function fieldOf(name: string, type: z.core.$ZodType): Field {
  const plain = type instanceof z.ZodDefault || type instanceof z.ZodNullable ? type.unwrap() : type
  if (plain instanceof z.ZodEnum) return { kind: 'state', words: name, tones: {} }
  if (plain instanceof z.ZodNumber) return { kind: 'count' }
  if (plain instanceof z.ZodBoolean) return { kind: 'boolean' }
  if (plain instanceof z.ZodISODate) return { kind: 'day' }
  if (plain instanceof z.ZodISODateTime) return { kind: 'dateTime' }
  return { kind: 'text' }
}
