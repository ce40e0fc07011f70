import { getPlay, listPlays, playFields, summarisePlays } from '@aisle/contract/lottery/play'
import { dayPresets } from '../../ui/days'
import { listPage } from '../../admin/listPage'
import { PlayDrawer } from './playDrawer'
import { PlaySummary } from './playSummary'

/** For the operator of high-go machines: who played for what, what came of it, and what is still owed. */
export default listPage({
  screen: 'jygl/hgxq',
  list: listPlays,
  fields: playFields,
  words: 'lottery',
  columns: [
    'orderNo',
    'state',
    'prizeState',
    'productName',
    'stakeFen',
    'prizeFen',
    'oddsPermille',
    'machineCode',
    'machineName',
    'openedAt',
    'isRevealed',
    'drawnAt',
    'slotCode',
    'merchantName',
    'businessDay',
  ],
  hidden: ['machineName', 'isRevealed', 'drawnAt', 'slotCode', 'merchantName', 'businessDay'],
  filters: ['period', 'state', 'prizeState'],
  moreFilters: ['orderNo', 'machineCode', 'product', 'merchantId'],
  presets: [
    { name: 'today', query: dayPresets.today },
    { name: 'lastMonth', query: dayPresets.lastMonth },
    { name: 'won', query: () => ({ state: 'won' }) },
    { name: 'owed', query: () => ({ prizeState: 'owed' }) },
  ],
  summary: PlaySummary,
  sums: ({ stakeFen, wonFen }) => ({ stakeFen, wonFen }),
  drawer: PlayDrawer,
  live: { topic: 'orders', also: [getPlay, summarisePlays] },
})
