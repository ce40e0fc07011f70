import { aboutMargins, amountMargins } from '@aisle/contract/trade/order'
import { businessDay } from '../../ui/days'
import type { FilterProps } from '../../admin/fields/filter'
import { useNow } from '../../live/clock'
import { NearInput, NearMinuteInput } from '../../ui/control/filters'

const MINUTE_MS = 60_000

/** What a customer on the phone says of an order whose number nobody has. */
export const saidFilters = { amount: AmountFilter, about: AboutFilter }

function AmountFilter({ query, change, t }: FilterProps) {
  return (
    <NearInput
      label={t.any('field.amount')}
      hint={t.any('hint.amount')}
      value={query.amount ?? ''}
      onChange={(amount) => change({ amount, ...(amount === '' && { amountMargin: '' }) })}
      margin={marginOf('amountMargin', amountMargins, { query, change, t })}
    />
  )
}

function AboutFilter({ query, change, t }: FilterProps) {
  const today = businessDay(useNow(MINUTE_MS))
  return (
    <NearMinuteInput
      label={t.any('field.about')}
      labels={{ day: t.any('about.day'), time: t.any('about.time') }}
      today={today}
      value={query.about ?? ''}
      onChange={(about) => change({ about, ...(about === '' && { aboutMargin: '' }) })}
      margin={marginOf('aboutMargin', aboutMargins, { query, change, t })}
    />
  )
}

/** The first of the margins is what the list falls back on, and does not stand in the address. */
const marginOf = (
  name: 'amountMargin' | 'aboutMargin',
  margins: readonly string[],
  { query, change, t }: Pick<FilterProps, 'query' | 'change' | 't'>,
) => ({
  label: t.any(`field.${name}`),
  value: query[name] ?? '',
  options: margins.map((value) => ({ value, word: t.any(`${name}.${value}`) })),
  onChange: (value: string) => change({ [name]: value === margins[0] ? '' : value }),
})
