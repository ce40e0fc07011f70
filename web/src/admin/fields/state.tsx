import type { Field } from '@aisle/contract/kernel/field'
import { Tag, Tags } from '../../ui/tag'
import type { Text } from '../../ui/text'
import type { CellProps, Kind } from './kind'
import { Nothing } from './text'

type StateField = Extract<Field, { kind: 'state' | 'states' }>

/** A state without a tone is no judgement (a payment method, a category): a word is enough. */
export function StateCell({ value, field, t }: CellProps) {
  if (typeof value !== 'string' || !isState(field)) return <Nothing />
  const tag = tagOf(t, field, value)
  return field.tones[value] ? <Tag {...tag} /> : <span>{tag.word}</span>
}

export const stateKind: Kind = { Cell: StateCell, place: 'tag' }

export function StatesCell({ value, field, t }: CellProps) {
  if (!Array.isArray(value) || !isState(field) || value.length === 0) return <Nothing />
  return <Tags tags={value.map(String).map((state) => ({ key: state, ...tagOf(t, field, state) }))} />
}

/** At the head of a thing even a word that is no judgement stands as a tag. */
export function StateTags({ value, field, t }: { value: unknown; field: Field | undefined; t: Text }) {
  if (!field || !isState(field)) return null
  return [value ?? []]
    .flat()
    .map(String)
    .map((state) => <Tag key={state} {...tagOf(t, field, state)} />)
}

export const statesKind: Kind = { Cell: StatesCell, place: 'tag' }

const isState = (field: Field): field is StateField => field.kind === 'state' || field.kind === 'states'

/** The word of a state and its explanation, which every judgement has. */
function tagOf(t: Text, { words, tones }: StateField, state: string) {
  const tone = tones[state]
  const help = `${words}.${state}.help`
  const hint = tone || t.has(help) ? { hint: t.any(help) } : {}
  return { tone: tone ?? 'idle', word: t.any(`${words}.${state}`), ...hint } as const
}
