import { listPage } from '../../admin/listPage'
import { memberList } from './memberList'

/** For the card office, all day: find who stands at the counter, or make them a member. */
export default listPage({ screen: 'hygl/wdhy', ...memberList })
