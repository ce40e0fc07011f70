import { listPage } from '../../admin/listPage'
import { medicineList } from './medicines'

/** The same list, for whoever looks for medicines among products. */
export default listPage({ screen: 'spgl/ypgl', ...medicineList })
