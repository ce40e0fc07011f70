import { listMerchantGrantees } from '@aisle/contract/sight/authorisation'
import { grantPage } from './grantPage'
import { MerchantChooser, useMerchantTarget } from './merchantChooser'

/** For who runs the platform or a group of merchants, weekly: whose machines another merchant may see and serve too. */
export default grantPage({
  screen: 'shgl/shjqsq',
  tree: listMerchantGrantees,
  Chooser: MerchantChooser,
  useTarget: useMerchantTarget,
})
