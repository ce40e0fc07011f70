import { listTopUps, previewReversal, reverseTopUp, topUpFields } from '@aisle/contract/member/cardTransaction'
import { moneyText } from '@aisle/contract/kernel/text'
import { listPage } from '../../admin/listPage'
import { useEndpoint } from '../../live/query'
import { Moves } from '../../ui/books'
import { useLanguage, useText } from '../../ui/text'

/** What of each is untouched; only that goes back. */
function Untouched({ rows }: { rows: readonly { id: number; logicalNo: string }[] }) {
  return rows.map((row) => <Back key={row.id} {...row} />)
}

function Back({ id, logicalNo }: { id: number; logicalNo: string }) {
  const t = useText('member')
  const language = useLanguage()
  const { data } = useEndpoint(previewReversal, { id }, { errors: 'silent' })
  if (!data) return null
  const money = (fen: number) => moneyText(fen, language)
  return (
    <>
      <p>
        {logicalNo}: {t('reversal.back', { paid: money(data.paidFen), used: money(data.usedFen) })}
      </p>
      <Moves moves={data.movements} />
    </>
  )
}

/** For whoever closes the desk's day: what came in on cards, and a slip of the finger taken back by another person. */
export default listPage({
  screen: 'hygl/czmx',
  list: listTopUps,
  fields: topUpFields,
  words: 'member',
  columns: [
    'logicalNo',
    'at',
    'amountFen',
    'giftFen',
    'method',
    'byName',
    'reversal',
    'afterFen',
    'holderName',
    'beforeFen',
    'giftBeforeFen',
    'giftAfterFen',
    'note',
    'reversedAt',
    'reversedBy',
    'reversedFen',
    'physicalNo',
    'type',
    'merchantName',
  ],
  hidden: [
    'beforeFen',
    'giftBeforeFen',
    'giftAfterFen',
    'note',
    'reversedAt',
    'reversedBy',
    'reversedFen',
    'physicalNo',
    'type',
    'merchantName',
  ],
  sortable: { at: 'newest', amountFen: 'amount' },
  filters: ['q', 'period', 'method'],
  moreFilters: ['reversal', 'merchantId'],
  sums: ({ amountFen, giftFen }) => ({ amountFen, giftFen }),
  batch: [
    {
      endpoint: reverseTopUp,
      verb: 'reverseTopUp',
      tone: 'danger',
      fields: topUpFields,
      can: ({ reversal, isOwn }) => reversal === 'standing' && !isOwn,
      preview: Untouched,
    },
  ],
  live: { kinds: ['memberCard'], also: [] },
})
