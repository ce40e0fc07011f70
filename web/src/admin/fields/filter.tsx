import { type Choices, choicesOf } from '@aisle/contract/admin/choices'
import type { Fields } from '@aisle/contract/kernel/field'
import { listMerchants } from '@aisle/contract/merchant/merchant'
import { type ComponentType, useId } from 'react'
import { z } from 'zod'
import { useNow } from '../../live/clock'
import { useEndpoint } from '../../live/query'
import { ChoiceInput, DaysInput, FilterGroup, SearchInput, ChoicesInput } from '../../ui/control/filters'
import { type Text, useText } from '../../ui/text'
import type { Shape } from '../address'
import type { InputProps } from '../form/input'
import { MerchantInput, ofNoForm } from '../form/refInput'
import { indented } from './indented'
import { businessDay, dayPresets, presetNames } from '../../ui/days'

const MINUTE_MS = 60_000

export type FilterProps = {
  name: string
  query: Record<string, string>
  change: (changes: Record<string, string | undefined>) => void
  fields: Fields
  shape: Shape
  t: Text
}

/** Pairs of days under one name. */
const periods: Record<string, readonly [string, string]> = {
  period: ['from', 'to'],
  donePeriod: ['doneFrom', 'doneTo'],
}

/** `period` stands for the pair `from` and `to`; the rest follows from what the endpoint takes under that name. */
export function Filter(props: FilterProps) {
  const { name, shape } = props
  const pair = periods[name]
  if (pair) return <PeriodFilter {...props} pair={pair} />
  if (name === 'merchantId') return <MerchantFilter {...props} />
  const choices = choicesOf(shape[name])
  return choices ? <ChoiceFilter {...props} {...choices} /> : <SearchFilter {...props} />
}

/** What of the query a filter speaks for. */
export const namesOf = (filter: string): readonly string[] => periods[filter] ?? [filter]

function SearchFilter({ name, query, change, t }: FilterProps) {
  const hint = `hint.${name}`
  return (
    <SearchInput
      label={t.any(`field.${name}`)}
      value={query[name] ?? ''}
      hint={t.has(hint) ? t.any(hint) : undefined}
      onChange={(value) => change({ [name]: value })}
    />
  )
}

/** `any` among the choices means: whichever of the others. What the list falls back on is what nothing chosen means. */
function ChoiceFilter(props: FilterProps & Choices) {
  const { name, query, change, fields, shape, t, choices, isSeveral } = props
  const kit = useText('admin')
  const field = fields[name]
  const words = field && 'words' in field ? field.words : name
  const wordOf = (value: string) => (value === 'any' ? kit('filter.any') : t.any(`${words}.${value}`))
  const usual = usualOf(shape[name])
  const value = query[name] ?? ''
  const Choice = isSeveral ? ChoicesInput : ChoiceInput
  return (
    <Choice
      label={t.any(`field.${name}`)}
      several={kit('filter.several')}
      value={value === usual ? '' : value}
      all={usual === undefined ? kit('filter.all') : wordOf(usual)}
      options={choices.filter((each) => each !== usual).map((each) => ({ value: each, word: wordOf(each) }))}
      onChange={(value) => change({ [name]: value })}
    />
  )
}

const usualOf = (schema: z.core.$ZodType | undefined): string | undefined =>
  schema instanceof z.ZodDefault ? String(schema.def.defaultValue) : undefined

function PeriodFilter(props: FilterProps & { pair: readonly [string, string] }) {
  const { pair, query, change, t } = props
  const kit = useText('admin')
  const [from, to] = pair
  const name = t.any(`field.${props.name}`)
  const today = businessDay(useNow(MINUTE_MS))
  return (
    <DaysInput
      label={name}
      labels={{ from: kit('filter.from', { name }), to: kit('filter.to', { name }) }}
      value={{ from: query[from] ?? '', to: query[to] ?? '' }}
      presets={presetNames.map((name) => ({ ...dayPresets[name](today), word: kit(`preset.${name}`) }))}
      onChange={(days) => change(renamed(days, { from, to }))}
    />
  )
}

/** Only what changed, under the pair's own names. */
const renamed = (days: Record<string, string | undefined>, to: Record<string, string>) =>
  Object.fromEntries(Object.entries(days).map(([name, day]) => [to[name] ?? name, day]))

export type Named = Pick<FilterProps, 'name' | 'query' | 'change' | 't'>

/** By one thing's id, with an input of forms to choose it. @param props.values what the input reads of a form else */
export function InputFilter(props: Named & { input: ComponentType<InputProps>; values?: InputProps['values'] }) {
  const { name, query, change, t, input: Input, values = {} } = props
  const id = useId()
  const label = t.any(`field.${name}`)
  const value = query[name] ?? ''
  return (
    <FilterGroup label={label} isOn={value !== ''}>
      <Input
        {...ofNoForm}
        {...{ id, label, name, t, values }}
        value={value ? Number(value) : null}
        onChange={(next) => change({ [name]: String(next ?? '') })}
      />
    </FilterGroup>
  )
}

/** As many are seen at a glance; more are looked for by their names. */
const MOST_LISTED = 30

/** The tree of merchants, a level an indent; who sees one merchant only has nothing to choose. */
export function MerchantFilter({ name, query, change, t }: FilterProps) {
  const kit = useText('admin')
  const { data } = useEndpoint(listMerchants, {}, { errors: 'silent', staleTime: 60_000 })
  const merchants = data?.items ?? []
  if (merchants.length < 2) return null
  const label = t.any(`field.${name}`)
  const value = query[name] ?? ''
  if (merchants.length > MOST_LISTED) return <InputFilter {...{ name, query, change, t }} input={MerchantInput} />
  return (
    <ChoiceInput
      label={label}
      value={value}
      all={kit('filter.all')}
      options={indented(merchants).map(({ id, name: word }) => ({ value: String(id), word }))}
      onChange={(value) => change({ [name]: value })}
    />
  )
}
