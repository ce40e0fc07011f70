import { listMerchantGrantees } from '@aisle/contract/sight/authorisation'
import { grantPage } from './grant-page'
import { MerchantChooser, useMerchantTarget } from './merchant-chooser'

/** For who runs the platform or a group of merchants, weekly: whose machines another merchant may see and serve too. */
export default grantPage({
  screen: 'shgl/shjqsq',
  tree: listMerchantGrantees,
  Chooser: MerchantChooser,
  useTarget: useMerchantTarget,
})
