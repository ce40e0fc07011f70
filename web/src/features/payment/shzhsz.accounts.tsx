import { listPage } from '../../admin/listPage'
import { accountList } from './accountList'

/** For the platform and for merchants that collect: which numbers collect for whom, and which are only prepared. */
export default listPage({ screen: 'xtgl/shzhsz', ...accountList })
