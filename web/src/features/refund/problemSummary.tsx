import { problemFields, summariseProblems } from '@aisle/contract/refund/problem'
import { problems } from '@aisle/contract/trade/states'
import { Tally } from '../../shelf/tally'
import type { ListAddress } from '../../admin/useAddress'
import { useEndpoint } from '../../live/query'
import { useText } from '../../ui/text'

/** How many of each kind are not closed; each figure is a filter. */
export function ProblemSummary({ address }: { address: ListAddress }) {
  const t = useText('refund')
  const { data } = useEndpoint(summariseProblems, {}, { errors: 'silent' })
  return (
    <Tally
      label={t('problems')}
      address={address}
      figures={problems.map((kind) => ({
        name: kind,
        tone: problemFields.kind.tones[kind],
        word: t(`problem.${kind}`),
        count: data?.[kind],
        query: { kind },
      }))}
    />
  )
}
