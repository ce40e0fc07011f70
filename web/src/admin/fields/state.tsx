import type { Field, Tone } from '@aisle/contract/kernel/field'
import { Tag, Tags } from '../../ui/tag'
import type { Text } from '../../ui/text'
import type { CellProps, Kind } from './kind'
import { Nothing } from './text'

type StateField = Extract<Field, { kind: 'state' | 'states' }>

/** A state without a tone is no judgement (a payment method, a category): a word is enough. */
export function StateCell({ value, field, t }: CellProps) {
  if (typeof value !== 'string' || !isState(field)) return <Nothing />
  const tone = field.tones[value]
  if (!tone) return <span>{t.any(`${field.words}.${value}`)}</span>
  return <Tag {...stateTag(t, field.words, value, tone)} />
}

export const stateKind: Kind = { Cell: StateCell, place: 'tag' }

export function StatesCell({ value, field, t }: CellProps) {
  if (!Array.isArray(value) || !isState(field) || value.length === 0) return <Nothing />
  const states = value.map(String)
  return (
    <Tags
      tags={states.map((state) => ({ key: state, ...stateTag(t, field.words, state, field.tones[state] ?? 'idle') }))}
    />
  )
}

/** At the head of a thing even a word that is no judgement stands as a tag. */
export function StateTags({ value, field, t }: { value: unknown; field: Field | undefined; t: Text }) {
  if (!field || !isState(field)) return null
  const hint = (state: string) =>
    t.has(`${field.words}.${state}.help`) ? t.any(`${field.words}.${state}.help`) : undefined
  return [value ?? []]
    .flat()
    .map(String)
    .map((state) => (
      <Tag key={state} tone={field.tones[state] ?? 'idle'} word={t.any(`${field.words}.${state}`)} hint={hint(state)} />
    ))
}

export const statesKind: Kind = { Cell: StatesCell, place: 'tag' }

const isState = (field: Field): field is StateField => field.kind === 'state' || field.kind === 'states'

/** The word of a state and its explanation. */
const stateTag = (t: Text, words: string, state: string, tone: Tone) => ({
  tone,
  word: t.any(`${words}.${state}`),
  hint: t.any(`${words}.${state}.help`),
})
