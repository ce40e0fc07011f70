import * as contract from '@aisle/contract/member/benefit'
import { ScreenLink } from '../../admin/fields/ref'
import { listPage } from '../../admin/listPage'
import { partsPage } from '../../shelf/partsPage'
import { record } from '../../admin/record'
import type { DrawerRow } from '../../admin/rowDrawer'
import { useText } from '../../ui/text'

const gifts = record({
  of: contract.topUpGift,
  list: contract.listTopUpGifts,
  get: contract.getTopUpGift,
  add: contract.addTopUpGift,
  edit: contract.editTopUpGift,
  moves: { stop: contract.stopTopUpGift, resume: contract.resumeTopUpGift },
  remove: contract.removeTopUpGift,
})

const defaults = record({
  of: contract.cardDefault,
  list: contract.listCardDefaults,
  get: contract.getCardDefault,
  add: contract.addCardDefault,
  edit: contract.editCardDefault,
  remove: contract.removeCardDefault,
})

const GiftPage = listPage({
  screen: 'hygl/yhsz',
  part: 'gifts',
  ...gifts.page({
    columns: ['name', 'state', 'cardType', 'fromFen', 'giftFen', 'fromDay', 'toDay', 'merchantName'],
    filters: ['cardType', 'state'],
    moreFilters: ['merchantId'],
    summary: Discounts,
  }),
})

const DefaultPage = listPage({
  screen: 'hygl/yhsz',
  part: 'defaults',
  ...defaults.page({
    columns: ['type', 'level', 'dailyCountLimit', 'singleMaxFen', 'dailyAmountFen', 'merchantName'],
    filters: ['type'],
    moreFilters: ['merchantId'],
    drawer: DefaultDrawer,
  }),
})

/** Prices for members are plans, as every other price is. */
function Discounts() {
  const t = useText('member')
  return (
    <p className="quiet">
      {t('benefit.discounts')}{' '}
      <ScreenLink screen="yxch/yxfagl" search={{}}>
        {t('benefit.plans')}
      </ScreenLink>
    </p>
  )
}

function DefaultDrawer({ id }: DrawerRow) {
  const t = useText('member')
  return (
    <defaults.Drawer id={id} title={({ type }) => t(`cardType.${type}`)}>
      {(row) => <defaults.Known row={row} without={['type']} />}
    </defaults.Drawer>
  )
}

/** For who answers for the cards, a few times a year: what a top-up is given on top, and what new cards begin with. */
export default partsPage({
  screen: 'hygl/yhsz',
  words: 'member',
  parts: [
    { key: 'gifts', access: contract.listTopUpGifts.access, page: GiftPage },
    { key: 'defaults', access: contract.listCardDefaults.access, page: DefaultPage },
  ],
})
