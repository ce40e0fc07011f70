import { listMerchants } from '@aisle/contract/merchant/merchant'
import { getCompleteness } from '@aisle/contract/report/overview'
import { rankRunners } from '@aisle/contract/report/ranking'
import { useEndpoint } from '../../live/query'
import { type Text, useText } from '../../ui/text'
import { known } from './query'

type Query = Readonly<Record<string, string>>

/** The days of a report and those before it, as the server counts them. */
export const usePeriod = (query: Query) =>
  useEndpoint(getCompleteness, known(getCompleteness, query), {
    errors: 'silent',
    placeholderData: (before) => before,
    refetchInterval: 60_000,
  })

/** What a report is narrowed to, in words, for a picture that goes without its page. */
export function useScopeWords(query: Query): string[] {
  const t = useText('report')
  const merchants = useEndpoint(
    listMerchants,
    {},
    { errors: 'silent', staleTime: 60_000, enabled: query.merchantId !== undefined },
  )
  const merchant =
    merchants.data?.items.find(({ id }) => String(id) === query.merchantId)?.name ?? `#${query.merchantId}`
  const runner = useRunner(query)
  const words = [
    ...(query.merchantId ? [named(t, 'merchantId', merchant)] : []),
    ...(query.pointId ? [`${t('by.point')} #${query.pointId}`] : []),
    ...(runner ? [runner.words] : []),
    ...['machineCode', 'productCode', 'batch'].flatMap((name) => (query[name] ? [named(t, name, query[name])] : [])),
    ...['method', 'businessType'].flatMap((name) =>
      query[name] ? [named(t, name, t.any(`${name}.${query[name]}`))] : [],
    ),
    ...(query.medicineClass ? [named(t, 'medicineClass', t.any(`class.${query.medicineClass}`))] : []),
  ]
  return words.length > 0 ? words : [t('picture.whole')]
}

const named = (t: Text<'report'>, name: string, value: string) => `${t.any(`field.${name}`)} ${value}`

/** The operator or hospital that a ranking of machines was opened for. */
export function useRunner({ operatorId, hospitalId, from, to }: Query): { words: string } | null {
  const t = useText('report')
  const id = operatorId ?? hospitalId
  const by = operatorId ? 'operator' : 'hospital'
  const days = { ...(from ? { from } : {}), ...(to ? { to } : {}) }
  const found = useEndpoint(
    rankRunners,
    { ...days, by, pageSize: 20, ...(operatorId ? { operatorId } : hospitalId ? { hospitalId } : {}) },
    { errors: 'silent', enabled: id !== undefined },
  )
  if (!id) return null
  const name = found.data?.items.find((each) => String(each.id) === id)?.name ?? '–'
  return { words: operatorId ? t('only.operator', { name }) : t('only.hospital', { name }) }
}
