import { listMerchantGrantees } from '@aisle/contract/sight/authorisation'
import { grantPage } from './grantPage'
import { MerchantChooser, useMerchantTarget } from './merchantChooser'

/** For whoever runs the platform or a group of merchants, weekly: whose machines others may see and serve too. */
export default grantPage({
  screen: 'shgl/shjqsq',
  tree: listMerchantGrantees,
  Chooser: MerchantChooser,
  useTarget: useMerchantTarget,
})
