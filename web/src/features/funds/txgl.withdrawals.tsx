import { listBankLines } from '@aisle/contract/funds/bankLine'
import { listWithdrawals } from '@aisle/contract/funds/withdrawal'
import { partsPage } from '../../shelf/partsPage'
import { BankLines } from './bankLines'
import { Withdrawals } from './withdrawals'

/** What leaves for merchants' banks, and what the banks say that they did with it. */
export default partsPage({
  screen: 'cfgl/txgl',
  words: 'funds',
  parts: [
    { key: 'withdrawals', access: listWithdrawals.access, page: Withdrawals },
    { key: 'bank', access: listBankLines.access, page: BankLines },
  ],
})
